#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/body_lines.hpp"
#include "io/pvd.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// A run as its folder has it: what is made from its frames starts here.
struct RecordedRun {
    std::filesystem::path folder;
    Scene scene;
    std::vector<PvdEntry> frames;   ///< of particles; their place in the list is their number
    std::vector<BodyFrame> bodies;  ///< lines of bodies.jsonl
    double identity = 0;            ///< run_identity()

    int frame_count() const { return static_cast<int>(frames.size()); }
};

/// Throws InputError where the folder is not one of `millrace run`.
RecordedRun open_run(const std::filesystem::path& folder);

/// One particle frame; throws InputError, naming the file, when it is missing, damaged, or does not
/// belong to the run: of another scene or time.
ParticleFrame read_frame(const RecordedRun& run, int number);

/// Throws InputError, naming the file, unless what was made of a frame has its time.
void check_time(const RecordedRun& run, int number, double time, const std::filesystem::path& file);

/// Where the bodies and scripted walls were then: the nearest line; an empty one without lines.
BodyFrame bodies_at(const RecordedRun& run, double time);

/// Which frames a pass is to make; both ends are included, a missing one is open.
struct FrameChoice {
    std::optional<int> first, last;
};

/// "A:B", "A:", ":B" or "A"; throws InputError.
FrameChoice parse_frames(const std::string& text);

/// The numbers of the frames that were chosen; throws InputError where the run has none of them.
std::vector<int> chosen_frames(const RecordedRun& run, const FrameChoice& choice);

/// About `count` of the numbers from 0 to frames - 1, evenly spread, the last one included.
std::vector<int> spread(int frames, int count);

/// "NAME_000012.vtp"
std::string frame_file(const Scene& scene, int number, const std::string& ending);

/// Writes NAME.pvd in the run's folder for all frames that are in the folder NAME; throws RunError.
void write_animation(const RecordedRun& run, const std::string& name, const std::string& ending);

}  // namespace millrace
