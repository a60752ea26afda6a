#include "render/scene_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/shape_measures.hpp"
#include "render/pose.hpp"

namespace millrace {
namespace {

constexpr double k_outliers = 0.01;  // left out at each end

// How much more than the fluid or the tanks may be seen, in sizes of these.
constexpr double k_near_walls = 0.25, k_near_bodies = 1;

Bounds bounds_of(const TriangleMesh& mesh, const Pose& pose) {
    Bounds box = Bounds::empty();
    for (const Vec3d& x : mesh.vertices)
        box.include(pose(x));
    return box;
}

bool is_empty(const Bounds& box) {
    return box.min[0] > box.max[0];
}

void include(Bounds& all, const Bounds& more) {
    if (!is_empty(more)) {
        all.include(more.min);
        all.include(more.max);
    }
}

/// The part of `box` that is at most so many sizes of `core` away from it.
Bounds near(const Bounds& box, const Bounds& core, double sizes) {
    const Vec3d margin = Vec3d::all(sizes * norm(core.size()));
    Bounds part;
    for (int k = 0; k < 3; ++k) {
        part.min[k] = std::max(box.min[k], core.min[k] - margin[k]);
        part.max[k] = std::min(box.max[k], core.max[k] + margin[k]);
        if (part.min[k] > part.max[k])
            return Bounds::empty();
    }
    return part;
}

/// Of a box of the scene where it is in a frame.
Bounds bounds_of(const Boundary& wall, const Box& box, const BodyFrame& frame) {
    const PlacedShape<3> placed = Placement<3>(wall).box(box, {});
    return bounds_of(triangles_of(placed, 1), wall_pose(frame, wall.name));
}

/// Of all particles but the outermost 1 % at each side, which may be spray.
Bounds bounds_of(const ParticleFrame& frame, double radius) {
    Bounds box = Bounds::empty();
    for (std::size_t k = 0; k < 3; ++k) {
        std::vector<float> places;
        for (std::size_t i = k; i < frame.positions.size(); i += 3)
            if (std::isfinite(frame.positions[i]))
                places.push_back(frame.positions[i]);
        if (places.empty())
            return Bounds::empty();
        const auto last = static_cast<double>(places.size() - 1);
        const auto place = [&](double index) {
            const auto at = places.begin() + static_cast<std::ptrdiff_t>(index);
            std::nth_element(places.begin(), at, places.end());
            return *at;
        };
        box.min[k] = place(std::floor(k_outliers * last)) - radius;
        box.max[k] = place(std::ceil((1 - k_outliers) * last)) + radius;
    }
    return box;
}

}  // namespace

Box scene_bounds(const Scene& scene, const std::vector<ObjectMesh>& objects,
                 const std::vector<const RunFrame*>& frames) {
    Bounds tanks = Bounds::empty(), walls = tanks, bodies = tanks, fluid = tanks;
    const auto add_objects = [&](const BodyFrame& frame) {
        for (const Boundary& wall : scene.boundaries)
            if (const Box* box = std::get_if<Box>(&wall.shape))
                include(wall.inside ? tanks : walls, bounds_of(wall, *box, frame));
        for (const ObjectMesh& object : objects)
            if (const BodyView* view = find_view(frame.bodies, object.name); object.is_body && view)
                include(bodies, bounds_of(object.surface, pose_of(*view)));
            else if (!object.is_body)
                include(object.is_glass ? tanks : walls,
                        bounds_of(object.surface, wall_pose(frame, object.name)));
    };
    if (frames.empty())
        add_objects({});
    for (const RunFrame* frame : frames) {
        add_objects(frame->objects);
        include(fluid, bounds_of(frame->particles, scene.spacing / 2));
    }
    Bounds all = is_empty(tanks) ? fluid : tanks;
    include(all, is_empty(all) ? bodies : near(bodies, all, k_near_bodies));
    include(all, is_empty(all) ? walls : near(walls, all, k_near_walls));
    if (is_empty(all))  // nothing anywhere
        all = {Vec3d::all(-1), Vec3d::all(1)};
    return {{all.min[0], all.min[1], all.min[2]}, {all.max[0], all.max[1], all.max[2]}};
}

}  // namespace millrace
