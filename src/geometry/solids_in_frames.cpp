#include "geometry/solids_in_frames.hpp"

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

RunSolids solids_of_run(const Scene& scene, const std::vector<TriangleMesh>& walls,
                        const std::vector<TriangleMesh>& bodies) {
    RunSolids solids;
    const auto surface = [](const std::vector<TriangleMesh>& all, std::size_t i) {
        return i < all.size() ? PlacedMesh(all[i]) : PlacedMesh();
    };
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        Boundary wall = scene.boundaries[i];
        const bool is_mesh = std::holds_alternative<MeshFile>(wall.shape);
        if (is_mesh)
            wall.shape = Box{};  // for the surface that comes instead
        solids.walls.push_back(make_wall<3>(wall, scene.spacing));
        if (is_mesh)
            solids.walls.back().shape = surface(walls, i);
    }
    std::vector<std::string> warnings;  // of meshes, of which none are read here
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        Body body = scene.bodies[i];
        const bool is_mesh = std::holds_alternative<BodyMesh>(body.shape);
        if (is_mesh)
            body.shape = BodySphere{scene.spacing};
        solids.bodies.push_back(make_body<3>(body, scene.spacing, body.name, warnings).solid);
        if (is_mesh)
            solids.bodies.back().shape = surface(bodies, i);
    }
    return solids;
}

SolidsInFrames::SolidsInFrames(const Scene& scene, const std::vector<TriangleMesh>& walls,
                               const std::vector<TriangleMesh>& bodies, double thickness,
                               double reach) {
    const auto add = [&](const Solid<3>& solid, bool is_body) {
        for (auto& part : solid.distances(thickness, reach, scene.spacing))
            parts_.push_back({std::move(part), solid.name, is_body, solid.moves});
    };
    const RunSolids solids = solids_of_run(scene, walls, bodies);
    for (const Solid<3>& wall : solids.walls)
        add(wall, false);
    for (const Solid<3>& body : solids.bodies)
        add(body, true);
}

std::vector<PlacedSolid> SolidsInFrames::placed(const std::vector<BodyView>& bodies,
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
