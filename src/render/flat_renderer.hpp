#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/body_lines.hpp"
#include "millrace/scene.hpp"
#include "render/camera.hpp"
#include "render/image.hpp"
#include "render/object_meshes.hpp"

namespace millrace {

/// How a fluid is drawn in 2D.
enum class FluidStyle {
    particles,  ///< a disc each
    surface     ///< together as a liquid
};

/// One entry a particle.
struct FlatParticles {
    std::span<const float> positions;  ///< three coordinates each [m]
    std::vector<Color> colors;
    std::vector<float> speeds;       ///< [m/s]; for the foam of a surface
    std::vector<std::uint32_t> ids;  ///< the foam has a pattern that goes with the particles
};

/// Draws frames of a 2D scene without a window, as Renderer does those of a 3D one.
class FlatRenderer {
  public:
    /// `objects` are those of flat_objects(). `shaded`: a surface gets darker with the depth and
    /// has foam; otherwise it shows the colours of its particles as they are.
    FlatRenderer(const Scene& scene, const View& view, const Box& bounds, int width, int height,
                 const std::vector<ObjectMesh>& objects, FluidStyle style, bool shaded = true);
    ~FlatRenderer();

    /// A particle without a finite position is left out. Bodies and scripted walls are where
    /// `frame` has them; a body that it does not have is left out.
    Image draw(const FlatParticles& particles, const BodyFrame& frame = {});

  private:
    struct Gl;
    std::unique_ptr<Gl> gl_;
};

}  // namespace millrace
