#pragma once

#include <memory>
#include <vector>

#include "diffuse/diffuse_particles.hpp"
#include "io/body_lines.hpp"
#include "millrace/scene.hpp"
#include "render/camera.hpp"
#include "render/image.hpp"
#include "render/object_meshes.hpp"
#include "surface/surface_mesh.hpp"

namespace millrace {

/// Draws frames of one 3D scene with its fluids as their surfaces, in daylight
/// (docs/rendering.md#water). The same input gives the same picture. To be used on the thread that
/// made it; throws RunError where there is no OpenGL.
class WaterRenderer {
  public:
    /// `bounds` [m]: what is to be seen; it places the ground and the shadows. `color_depth`: see
    /// water_look.hpp; 0: from the bounds.
    WaterRenderer(const Scene& scene, const View& view, const Box& bounds, int width, int height,
                  const std::vector<ObjectMesh>& objects = {}, double color_depth = 0);
    ~WaterRenderer();

    /// Triangles and points without a finite place are left out. Bodies and scripted walls are
    /// where `frame` has them; a body that it does not have is left out.
    Image draw(const SurfaceMesh& water, const DiffuseParticles& foam, const BodyFrame& frame = {});

  private:
    struct Gl;
    std::unique_ptr<Gl> gl_;
};

}  // namespace millrace
