#pragma once

#include <array>
#include <span>
#include <vector>

#include "io/body_lines.hpp"
#include "math/vec.hpp"
#include "millrace/scene.hpp"
#include "render/camera.hpp"
#include "render/paints.hpp"

namespace millrace {

/// A corner of an opaque triangle, lit and shadowed like the particles.
struct SolidVertex {
    Vec3 position;
    Vec3 normal;
    float paint;  ///< its number in Paints
};

/// A corner of a triangle that is laid over the picture as it is.
struct GlassVertex {
    Vec3 position;
    float color[4];  ///< red, green, blue, opacity
};

/// The boundaries of a scene as triangles for one point of view.
struct Tank {
    std::vector<SolidVertex> solid;  ///< obstacles and the ground that everything stands on
    std::vector<GlassVertex> glass;  ///< walls of tanks, seen from inside, and their edges
};

/// The boxes and planes of a 3D scene: the ground, tanks as glass with edges, other boxes solid,
/// planes where the eye is on their free side.
/// `frame` tells where the scripted walls are, `bounds` [m] holds what is to be seen, nothing but
/// bodies is below `lowest` [m along the view's up].
Tank make_tank(const Scene& scene, const Paints& paints, const View& view, const Box& bounds,
               double lowest, const BodyFrame& frame);

/// The flat walls of all tanks that are boxes, where they are in a frame: the unit normal out of
/// the tank and its product with a point of the wall [m]. Open faces are left out.
std::vector<Vec<4>> tank_walls(const Scene& scene, const BodyFrame& frame);

/// Adds edges of glass as bright lines; `bounds` as above.
void add_glass_edges(Tank& tank, std::span<const std::array<Vec3d, 2>> edges, const Scene& scene,
                     const View& view, const Box& bounds);

}  // namespace millrace
