#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/body_lines.hpp"
#include "io/pvd.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"
#include "render/legend.hpp"
#include "render/object_meshes.hpp"

namespace millrace {

/// The particle frames of a run folder, in order; throws InputError where there are none.
std::vector<PvdEntry> find_frames(const std::filesystem::path& run);

/// One number a particle: a scalar field itself, the length of a vector. Throws InputError that
/// lists the fields of the frame when it has none of that name.
std::vector<float> field_values(const ParticleFrame& frame, const std::string& field);

/// The range that holds all but the outermost 1 % of the values at each end, widened to round
/// numbers; values that are not finite do not count. A range that begins near 0 begins at 0.
Range robust_range(std::vector<float> values);

/// What is known of a run at one time.
struct RunFrame {
    ParticleFrame particles;
    BodyFrame objects;
    int number = 0;  ///< in the run
};

/// The line of bodies.jsonl that is nearest in time; an empty one where there are none.
BodyFrame objects_at(double time, const std::vector<BodyFrame>& lines);

/// What is to be seen [m]: the tanks, without any the particles of the frames, and the bodies; of
/// other walls, which may be a whole coast, what is near that.
Box scene_bounds(const Scene& scene, const std::vector<ObjectMesh>& objects,
                 const std::vector<const RunFrame*>& frames);

}  // namespace millrace
