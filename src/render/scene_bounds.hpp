#pragma once

#include <vector>

#include "io/body_lines.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"
#include "render/object_meshes.hpp"

namespace millrace {

/// What is known of a run at one time.
struct RunFrame {
    ParticleFrame particles;
    BodyFrame objects;
};

/// What is to be seen [m]: the tanks, without any the particles of the frames, and the bodies; of
/// other walls, which may be a whole coast, what is near that.
Box scene_bounds(const Scene& scene, const std::vector<ObjectMesh>& objects,
                 const std::vector<const RunFrame*>& frames);

}  // namespace millrace
