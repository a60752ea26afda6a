#pragma once

#include <memory>
#include <span>
#include <vector>

#include "io/body_lines.hpp"
#include "millrace/scene.hpp"
#include "render/camera.hpp"
#include "render/image.hpp"
#include "render/object_meshes.hpp"

namespace millrace {

/// Draws frames of one 3D scene from one point of view without a window. The same input gives the
/// same picture. To be used on the thread that made it; throws RunError where there is no OpenGL.
class Renderer {
  public:
    /// `bounds` [m]: what is to be seen; it places the ground and the shadows. `objects`: what is
    /// drawn besides the boxes and planes of the scene.
    Renderer(const Scene& scene, const View& view, const Box& bounds, int width, int height,
             const std::vector<ObjectMesh>& objects = {});
    ~Renderer();

    /// Particles as spheres: three coordinates [m] and one value each, from 0 to 1 for the colour.
    /// A particle without a finite position is left out. Bodies and scripted walls are where
    /// `frame` has them; a body that it does not have is left out.
    Image draw(std::span<const float> positions, std::span<const float> values,
               const BodyFrame& frame = {});

  private:
    struct Gl;
    std::unique_ptr<Gl> gl_;
};

}  // namespace millrace
