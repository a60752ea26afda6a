#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/simulation.hpp"

// bodies.jsonl: one line a frame, {"time": t, "bodies": {NAME: {"position", "rotation", "velocity",
// "angular_velocity"}}, "walls": {...}}. In 3D the rotation is a quaternion w, x, y, z and the
// angular velocity a vector [rad/s]; in 2D vectors have two components, the rotation is an angle
// [degrees] and the angular velocity a number.
namespace millrace {

/// Where everything that moves was in a frame.
struct BodyFrame {
    double time = 0;               ///< [s]
    std::vector<BodyView> bodies;  ///< without forces, which are not in the file
    std::vector<BodyView>
        walls{};  ///< the scripted ones; left out of the line where there are none
};

/// With its end of line.
std::string body_line(const BodyFrame& frame, int dimension);

/// Throws InputError with the number of a line that is damaged.
std::vector<BodyFrame> read_body_lines(const std::filesystem::path& path);

}  // namespace millrace
