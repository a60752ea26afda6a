#include "geometry/scene_solids.hpp"

#include <algorithm>

#include "math/scene_vectors.hpp"

namespace millrace {

SignedDistance<3>::Sample PlacedSolid::at(const Vec3& place) const {
    if (!moves)
        return solid->at(place);
    auto sample = solid->at(Vec3::from(rotate(conjugate(rotation), Vec3d::from(place) - position)));
    sample.normal = Vec3::from(rotate(rotation, Vec3d::from(sample.normal)));
    return sample;
}

bool PlacedSolid::may_hold(const Vec3& place, float margin) const {
    for (int k = 0; k < 3; ++k)
        if (place[k] < min[k] - margin || place[k] > max[k] + margin)
            return false;
    return true;
}

SceneSolids::SceneSolids(const Scene& scene, const std::vector<TriangleMesh>& walls,
                         const std::vector<TriangleMesh>& bodies, double thickness, double reach) {
    const TriangleMesh none;
    const auto surface = [&](const std::vector<TriangleMesh>& all, std::size_t i) {
        return i < all.size() ? std::cref(all[i]) : std::cref(none);
    };
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        const Boundary& wall = scene.boundaries[i];
        for (auto& solid :
             wall_distances<3>(wall, surface(walls, i), thickness, reach, scene.spacing))
            parts_.push_back({std::move(solid), wall.name, false, wall.motion.has_value()});
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Body& body = scene.bodies[i];
        for (auto& solid :
             body_distances<3>(body, surface(bodies, i), Vec3d::all(0), reach, scene.spacing))
            parts_.push_back({std::move(solid), body.name, true, true});
    }
}

std::vector<PlacedSolid> SceneSolids::placed(const std::vector<BodyView>& bodies,
                                             const std::vector<BodyView>& moving_walls) const {
    std::vector<PlacedSolid> all;
    for (const Part& part : parts_) {
        PlacedSolid placed;
        placed.solid = part.solid.get();
        part.solid->bounds(placed.min, placed.max);
        if (part.moves) {
            const std::vector<BodyView>& views = part.is_body ? bodies : moving_walls;
            const auto view = std::ranges::find(views, part.owner, &BodyView::name);
            if (view == views.end())
                continue;
            const auto& q = view->rotation;
            placed.moves = true;
            placed.rotation = {q[0], {{q[1], q[2], q[3]}}};
            placed.position = to_vec3d(view->position);
            const Vec3 low = placed.min, high = placed.max;
            for (int corner = 0; corner < 8; ++corner) {
                Vec3d x;
                for (int k = 0; k < 3; ++k)
                    x[k] = corner >> k & 1 ? high[k] : low[k];
                const Vec3 world = Vec3::from(placed.position + rotate(placed.rotation, x));
                for (int k = 0; k < 3; ++k) {
                    placed.min[k] = corner == 0 ? world[k] : std::min(placed.min[k], world[k]);
                    placed.max[k] = corner == 0 ? world[k] : std::max(placed.max[k], world[k]);
                }
            }
        }
        all.push_back(placed);
    }
    return all;
}

}  // namespace millrace
