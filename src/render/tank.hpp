#pragma once

#include <vector>

#include "math/vec.hpp"
#include "millrace/scene.hpp"
#include "render/camera.hpp"

namespace millrace {

/// What a surface is made of; the shader of the lights knows these numbers.
enum class Material { ground = 254, solid = 255 };

/// A corner of an opaque triangle, lit and shadowed like the particles.
struct SolidVertex {
    Vec3 position;
    Vec3 normal;
    float material;  ///< a Material
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

/// In 3D: the ground, tanks as glass with edges, other boxes solid. In 2D: the walls as bands
/// outside the water. Boundaries other than boxes are left out. `bounds` [m] holds everything.
Tank make_tank(const Scene& scene, const View& view, const Box& bounds);

}  // namespace millrace
