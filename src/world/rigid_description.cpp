#include "world/rigid_description.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "boundary/scripted_motion.hpp"
#include "geometry/mass_properties.hpp"
#include "geometry/polygon.hpp"
#include "math/scene_vectors.hpp"
#include "world/scene_objects.hpp"

namespace millrace {

namespace {

/// Exact for round shapes too, not for the polyhedra that stand for them.
MassProperties solid_mass(const Body& body, const TriangleMesh& surface, double density) {
    MassProperties mass = mass_properties(surface, density);
    const auto set = [&](double volume, double along_y, double across) {
        mass.volume = volume;
        mass.mass = volume * density;
        mass.center = Vec3d::all(0);
        mass.inertia = Mat3d::zero();
        mass.inertia(0, 0) = mass.inertia(2, 2) = across * density;
        mass.inertia(1, 1) = along_y * density;
    };
    constexpr double pi = std::numbers::pi;
    if (body.sphere) {
        const double r = body.sphere->radius, v = 4.0 / 3 * pi * r * r * r;
        set(v, 0.4 * v * r * r, 0.4 * v * r * r);
    } else if (body.cylinder) {
        const double r = body.cylinder->radius, h = body.cylinder->height, v = pi * r * r * h;
        set(v, v * r * r / 2, v * (3 * r * r + h * h) / 12);
    } else if (body.capsule) {
        const double r = body.capsule->radius, h = std::max(0.0, body.capsule->height - 2 * r);
        const double tube = pi * r * r * h, ball = 4.0 / 3 * pi * r * r * r;
        set(tube + ball, tube * r * r / 2 + 0.4 * ball * r * r,
            tube * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * h / 4 + 3.0 / 8 * h * r));
    }
    return mass;
}

struct FlatMass {
    double area;
    Vec2d center;
    double inertia;  ///< about the centre, of a density of 1
};

FlatMass flat_mass(const Body& body) {
    if (body.circle) {
        const double r2 = body.circle->radius * body.circle->radius;
        return {std::numbers::pi * r2, {{0, 0}}, std::numbers::pi * r2 * r2 / 2};
    }
    if (body.box) {
        const double w = body.box->size[0], h = body.box->size[1];
        return {w * h, {{0, 0}}, w * h * (w * w + h * h) / 12};
    }
    std::vector<Vec2d> corners;
    for (const Vector& p : body.polygon->points)
        corners.push_back({{p[0], p[1]}});
    const Vec2d c = centroid(corners);
    double inertia = 0;  // of triangles from the centre: |a x b| (a.a + a.b + b.b) / 12
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec2d a = corners[k] - c, b = corners[(k + 1) % corners.size()] - c;
        inertia += cross(a, b) * (dot(a, a) + dot(a, b) + dot(b, b)) / 12;
    }
    return {std::abs(signed_area(corners)), c, std::abs(inertia)};
}

}  // namespace

BodyDescription describe_body(const Body& body, const TriangleMesh& surface) {
    const double density = body.mass ? 1 : body.density;
    MassProperties mass = solid_mass(body, surface, density);
    if (body.mass) {
        mass.inertia = mass.inertia * (*body.mass / mass.mass);
        mass.mass = *body.mass;
    }
    BodyDescription description;
    description.body = body;
    description.center = mass.center;
    description.mass = mass.mass;
    description.inertia = mass.inertia;
    description.surface =
        transformed(surface, Vec3d::all(1), Quaterniond::identity(), -mass.center);
    const Quaterniond rotation = to_quaternion(body.rotation);
    description.state = {to_vec3d(body.position) + rotate(rotation, mass.center), rotation,
                         to_vec3d(body.velocity), to_vec3d(body.angular_velocity)};
    return description;
}

BodyDescription describe_flat_body(const Body& body) {
    const FlatMass mass = flat_mass(body);
    const double density = body.mass ? *body.mass / mass.area : body.density;
    BodyDescription description;
    description.body = body;
    description.center = {{mass.center[0], mass.center[1], 0}};
    description.mass = mass.area * density;
    description.inertia = Mat3d::identity() * (mass.inertia * density);
    const Quaterniond rotation = to_quaternion(body.rotation);
    description.state = {to_vec3d(body.position) + rotate(rotation, description.center), rotation,
                         to_vec3d(body.velocity), to_vec3d(body.angular_velocity)};
    return description;
}

RigidDescription describe_rigid(const Scene& scene, std::vector<std::string>& warnings) {
    RigidDescription rigid;
    rigid.gravity = to_vec3d(scene.gravity);
    rigid.joints = scene.joints;
    for (const Boundary& boundary : scene.boundaries) {
        WallDescription wall;
        wall.boundary = boundary;
        wall.moves = boundary.motion.has_value();
        if (scene.dimension == 3)
            wall.surface = surface_of(boundary, scene.spacing);
        if (wall.moves)
            wall.state = motion_at(*boundary.motion, 0);
        rigid.walls.push_back(std::move(wall));
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const Body& body = scene.bodies[b];
        if (scene.dimension == 2) {
            rigid.bodies.push_back(describe_flat_body(body));
            continue;
        }
        TriangleMesh surface = surface_of(body, scene.spacing);
        if (body.mesh)
            surface = closed_surface(surface, scene.spacing,
                                     "bodies[" + std::to_string(b) + "].mesh", warnings);
        rigid.bodies.push_back(describe_body(body, surface));
    }
    return rigid;
}

}  // namespace millrace
