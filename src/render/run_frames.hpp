#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/pvd.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"
#include "render/legend.hpp"

namespace millrace {

/// The particle frames of a run folder, in order; throws InputError where there are none.
std::vector<PvdEntry> find_frames(const std::filesystem::path& run);

/// One number a particle: a scalar field itself, the length of a vector. Throws InputError that
/// lists the fields of the frame when it has none of that name.
std::vector<float> field_values(const ParticleFrame& frame, const std::string& field);

/// The range that holds all but the outermost 1 % of the values at each end, widened to round
/// numbers; values that are not finite do not count. A range that begins near 0 begins at 0.
Range robust_range(std::vector<float> values);

/// Everything that is to be seen [m]: the boxes of the boundaries; without any the particles of
/// the frames.
Box scene_bounds(const Scene& scene, const std::vector<const ParticleFrame*>& frames);

}  // namespace millrace
