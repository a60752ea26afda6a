#pragma once

#include <vector>

#include "millrace/scene.hpp"

namespace millrace {

/// The particles that a run starts with.
struct StartCount {
    double fluid = 0, boundary = 0;
    std::vector<double> of_fluids;  ///< in the order of the scene
    bool is_exact = false;          ///< sampled as the run does it, not estimated
    /// What a run would say of the scene at its start, as far as that is known without sampling it
    std::vector<std::string> warnings;
};

/// Samples the scene as a run does, unless it is so large that this would take long. Throws
/// InputError for a scene that cannot be built.
StartCount count_at_start(const Scene& scene);

/// The fastest that the fluid is expected to be [m/s]: by a fall to the lowest fluid or wall.
double expected_speed(const Scene& scene);

/// How many steps a run will take, about. A run with few particles and for `seconds` of processor
/// time at most tells how fast the fluid will be; where there can be none the expected speed does.
double estimate_steps(const Scene& scene, double seconds);

/// What a run leaves on the disk [bytes], about: frames, statistics, checkpoints, and the surfaces
/// and the foam of `output`. `first`, `last`: fluid particles at the start and at the end.
double estimate_disk(const Scene& scene, double first, double last, double steps);

}  // namespace millrace
