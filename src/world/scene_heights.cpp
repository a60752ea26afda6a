#include "world/scene_heights.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/shape_measures.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

template <int D>
HeightRange range_of(const Vec<D, double>& low, const Vec<D, double>& high, const Vec3d& up) {
    HeightRange range{0, 0};
    for (int k = 0; k < D; ++k) {
        range.bottom += std::min(up[k] * low[k], up[k] * high[k]);
        range.top += std::max(up[k] * low[k], up[k] * high[k]);
    }
    return range;
}

template <int D>
HeightRange range_of(const PlacedShape<D>& shape, const Vec3d& up) {
    const auto box = bounds_of<D>(shape);
    return box ? range_of<D>(box->low, box->high, up) : HeightRange();
}

}  // namespace

void HeightRange::include(double height) {
    bottom = std::min(bottom, height);
    top = std::max(top, height);
}

void HeightRange::include(const HeightRange& other) {
    bottom = std::min(bottom, other.bottom);
    top = std::max(top, other.top);
}

double SceneHeights::drop() const {
    HeightRange all = fluid;
    all.bottom = std::min({all.bottom, walls.bottom, domain.bottom});
    return fluid.empty() ? 0 : std::max(0.0, fluid.top - all.bottom);
}

Vec3d up_direction(const Scene& scene) {
    const Vec3d gravity = to_vec3d(scene.gravity);
    const double g = norm(gravity);
    return g > 0 ? gravity * (-1 / g) : Vec3d{0, 1, 0};
}

template <int D>
SceneHeights scene_heights(const Scene& scene, const SceneSolids<D>& solids) {
    const Vec3d up = up_direction(scene);
    SceneHeights heights;
    for (const auto& fills : solids.fills)
        for (const FilledVolume<D>& fill : fills) {
            if (fill.shape)
                heights.fluid.include(range_of<D>(*fill.shape, up));
            for (const Vec<D, double>& x : fill.points)
                heights.fluid.include(range_of<D>(x, x, up));
        }
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters)
            heights.fluid.include(dot(up, to_vec3d(emitter.position)));
    for (const Solid<D>& wall : solids.walls)
        heights.walls.include(range_of<D>(wall.shape, up));
    for (const SolidBody<D>& body : solids.bodies) {
        const double middle = dot(up, body.state.position);
        const double radius = radius_of<D>(body.solid.shape);
        heights.bodies.include(HeightRange{middle - radius, middle + radius});
    }
    if (scene.domain)
        heights.domain = range_of<D>(to_vec<D, double>(scene.domain->min),
                                     to_vec<D, double>(scene.domain->max), up);
    return heights;
}

SceneHeights scene_heights(const Scene& scene) {
    return scene.dimension == 2 ? scene_heights<2>(scene, make_solids<2>(scene))
                                : scene_heights<3>(scene, make_solids<3>(scene));
}

template SceneHeights scene_heights<2>(const Scene&, const SceneSolids<2>&);
template SceneHeights scene_heights<3>(const Scene&, const SceneSolids<3>&);

}  // namespace millrace
