#include "diffuse/obstacles.hpp"

#include <algorithm>
#include <string>

#include "geometry/solids_in_frames.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {
namespace {

// in spacings
constexpr double k_reach = 3;      // up to which distances are known, at least
constexpr double k_thickness = 1;  // of the walls of tanks
constexpr float k_skin = 0.05f;    // nearer than that counts as touched

constexpr int k_most_steps = 1000;  // along a way

struct BoxInSpace {
    Vec3 min = Vec3::all(1e30f), max = Vec3::all(-1e30f);

    void include(const Vec3& x) {
        for (int k = 0; k < 3; ++k) {
            min[k] = std::min(min[k], x[k]);
            max[k] = std::max(max[k], x[k]);
        }
    }
    bool meets(const BoxInSpace& other) const {
        bool apart = false;
        for (int k = 0; k < 3; ++k)
            apart |= min[k] > other.max[k] || max[k] < other.min[k];
        return !apart;
    }
};

BoxInSpace box_around(const Vec3& a, const Vec3& b) {
    BoxInSpace box;
    box.include(a);
    box.include(b);
    return box;
}

/// From a solid's frame to the world's: x -> position + rotation x.
struct Place {
    Quaterniond rotation = Quaterniond::identity();
    Vec3d position = Vec3d::all(0);

    Vec3 to_world(const Vec3& x) const {
        return Vec3::from(position + rotate(rotation, Vec3d::from(x)));
    }
    Vec3 to_frame(const Vec3& x) const {
        return Vec3::from(rotate(conjugate(rotation), Vec3d::from(x) - position));
    }
};

Place place_of(const BodyView& view) {
    const auto& q = view.rotation;
    return {{q[0], {{q[1], q[2], q[3]}}}, to_vec3d(view.position)};
}

/// A part of a wall or a body.
struct Part {
    std::unique_ptr<SignedDistance<3>> solid;
    BoxInSpace own_box;  // in its frame
    std::size_t owner;   // its place among the walls, then the bodies
    Place start, end;
    bool moves, is_placed;
    BoxInSpace box;  // in the world, of the whole step

    void set_box() {
        if (!moves) {
            box = own_box;
            return;
        }
        box = {};
        for (int corner = 0; corner < 8; ++corner) {
            Vec3 x;
            for (int k = 0; k < 3; ++k)
                x[k] = corner >> k & 1 ? own_box.max[k] : own_box.min[k];
            box.include(start.to_world(x));
            box.include(end.to_world(x));
        }
    }
};

}  // namespace

struct Obstacles::Impl {
    std::vector<Part> parts;
    std::vector<std::string> walls, bodies;  // names of the owners
    float spacing = 0, reach = 0;

    void add(SolidParts<3> solids, std::size_t owner, bool moves, bool is_placed) {
        for (auto& solid : solids) {
            Part part{std::move(solid), {}, owner, {}, {}, moves, is_placed, {}};
            part.solid->bounds(part.own_box.min, part.own_box.max);
            part.set_box();
            parts.push_back(std::move(part));
        }
    }

    void place(std::size_t owner, const Place& now) {
        for (Part& part : parts) {
            if (part.owner != owner || !part.moves)
                continue;
            part.start = part.is_placed ? part.end : now;
            part.end = now;
            part.is_placed = true;
            part.set_box();
        }
    }

    /// From place to place as far as nothing can be in the way, in the frame of the solid.
    bool passes(const Part& part, const Vec3& from, const Vec3& to) const {
        if (!box_around(from, to).meets(part.own_box))
            return false;
        const Vec3 way = to - from;
        const float length = norm(way);
        float done = 0;
        for (int step = 0; step < k_most_steps; ++step) {
            const Vec3 x = length > 0 ? from + way * (done / length) : from;
            // farther off than the reach it may be any
            const float distance = std::min(part.solid->at(x).distance, reach);
            if (distance <= k_skin * spacing)
                return true;
            const float left = length - done;
            if (distance > left)
                return false;
            done += distance;
        }
        return true;  // all along a wall
    }
};

Obstacles::Obstacles() : impl_(std::make_unique<Impl>()) {}
Obstacles::~Obstacles() = default;
Obstacles::Obstacles(Obstacles&&) noexcept = default;
Obstacles& Obstacles::operator=(Obstacles&&) noexcept = default;

Obstacles::Obstacles(const Scene& scene, const std::vector<TriangleMesh>& wall_surfaces,
                     const std::vector<TriangleMesh>& body_surfaces)
    : Obstacles() {
    const double h = scene.spacing;
    const RunSolids solids = solids_of_run(scene, wall_surfaces, body_surfaces);
    impl_->spacing = static_cast<float>(h);
    impl_->reach = static_cast<float>(k_reach * h);
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        const Solid<3>& wall = solids.walls[i];
        impl_->walls.push_back(wall.name);
        impl_->add(wall.distances(k_thickness * h, k_reach * h, h), i, wall.moves, !wall.moves);
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Solid<3>& body = solids.bodies[i];
        impl_->bodies.push_back(body.name);
        impl_->add(body.distances(k_thickness * h, k_reach * h, h), scene.boundaries.size() + i,
                   true, false);
    }
}

void Obstacles::place(const std::vector<BodyView>& bodies,
                      const std::vector<BodyView>& moving_walls) {
    const auto place_named = [&](const std::vector<BodyView>& views,
                                 const std::vector<std::string>& names, std::size_t first) {
        for (const BodyView& view : views) {
            const auto at = std::find(names.begin(), names.end(), view.name);
            if (at != names.end())
                impl_->place(first + static_cast<std::size_t>(at - names.begin()), place_of(view));
        }
    };
    place_named(moving_walls, impl_->walls, 0);
    place_named(bodies, impl_->bodies, impl_->walls.size());
}

bool Obstacles::blocks(const Vec3& from, const Vec3& to) const {
    const BoxInSpace way = box_around(from, to);
    for (const Part& part : impl_->parts) {
        if (!part.is_placed || !way.meets(part.box))
            continue;
        if (part.moves ? impl_->passes(part, part.start.to_frame(from), part.end.to_frame(to))
                       : impl_->passes(part, from, to))
            return true;
    }
    return false;
}

}  // namespace millrace
