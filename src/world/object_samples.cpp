#include "world/object_samples.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/box_samples.hpp"
#include "boundary/standoff.hpp"
#include "geometry/poisson_disk.hpp"
#include "geometry/primitives.hpp"
#include "geometry/solid_samples.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

/// Of Poisson-disk samples, in spacings: with 0.7 / radius^2 samples on an area, about as many as a
/// lattice has.
constexpr double k_disk_radius = 0.8;

std::vector<Vec3> transformed_points(std::vector<Vec3> points, const Quaterniond& rotation,
                                     const Vec3d& position) {
    for (Vec3& x : points)
        x = Vec3::from(rotate(rotation, Vec3d::from(x)) + position);
    return points;
}

bool is_uniform(const Vector& scale) {
    return scale[0] == scale[1] && scale[1] == scale[2];
}

/// A lattice below a plane, as far as the box reaches.
std::vector<Vec3> plane_samples(const Plane& plane, const Box& reach, const SampleRules& rules) {
    const Vec3d n = normalized(to_vec3d(plane.normal));
    const Vec3d side = std::abs(n[0]) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d u = normalized(cross(n, side)), v = cross(n, u);
    const Vec3d origin = to_vec3d(plane.point) - n * rules.depth;
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (int corner = 0; corner < 8; ++corner) {
        Vec3d x;
        for (int k = 0; k < 3; ++k)
            x[k] = corner >> k & 1 ? reach.max[k] : reach.min[k];
        const double at[2] = {dot(x - origin, u), dot(x - origin, v)};
        for (int k = 0; k < 2; ++k) {
            low[k] = std::min(low[k], at[k]);
            high[k] = std::max(high[k], at[k]);
        }
    }
    std::vector<Vec3> samples;
    const double margin = 2 * rules.spacing;
    for (double a = low[0] - margin; a <= high[0] + margin; a += rules.spacing)
        for (double b = low[1] - margin; b <= high[1] + margin; b += rules.spacing)
            samples.push_back(Vec3::from(origin + u * a + v * b));
    return samples;
}

/// A shape that is thinner than the depth keeps samples in its middle.
double shrunk(double size, double by, const SampleRules& rules) {
    return std::max(size - by, 1e-3 * rules.spacing);
}

std::vector<Vec3> disk_samples(const TriangleMesh& surface, const SampleRules& rules) {
    return poisson_disk(surface, rules.disk_radius, rules.seed);
}

}  // namespace

SampleRules SampleRules::of(const Scene& scene) {
    SampleRules rules;
    rules.spacing = scene.spacing;
    rules.depth = sample_depth<3>(scene.support) * scene.spacing;
    rules.disk_radius = k_disk_radius * scene.spacing;
    rules.seed = scene.seed;
    return rules;
}

std::vector<Vec3> wall_samples(const Boundary& boundary, const TriangleMesh& surface,
                               const Box& reach, const SampleRules& rules) {
    const Quaterniond rotation = to_quaternion(boundary.rotation);
    const Vec3d position = to_vec3d(boundary.position);
    const double into = boundary.inside ? -rules.depth : rules.depth;
    const double edge = rules.spacing / 2;
    if (boundary.box) {
        Boundary box = boundary;
        for (int k = 0; k < 3; ++k) {
            const double a = boundary.box->min[k] * boundary.scale[k];
            const double b = boundary.box->max[k] * boundary.scale[k];
            box.box->min[k] = std::min(a, b);
            box.box->max[k] = std::max(a, b);
        }
        return transformed_points(box_samples<3>(box, rules.spacing, rules.depth), rotation,
                                  position);
    }
    if (boundary.plane) {
        Plane plane = *boundary.plane;
        const Vec3d point = rotate(rotation, to_vec3d(plane.point)) + position;
        const Vec3d normal = rotate(rotation, to_vec3d(plane.normal));
        for (int k = 0; k < 3; ++k) {
            plane.point[k] = point[k];
            plane.normal[k] = normal[k];
        }
        return plane_samples(plane, reach, rules);
    }
    if (boundary.sphere && is_uniform(boundary.scale)) {
        const double scale = std::abs(boundary.scale[0]);
        const double radius = shrunk(boundary.sphere->radius * scale, into, rules);
        const Vec3d center = to_vec3d(boundary.sphere->center) * boundary.scale[0];
        return transformed_points(disk_samples(sphere_mesh(center, radius, edge), rules), rotation,
                                  position);
    }
    if (boundary.cylinder && is_uniform(boundary.scale)) {
        const double scale = boundary.scale[0];
        const Vec3d from = to_vec3d(boundary.cylinder->from) * scale;
        const Vec3d to = to_vec3d(boundary.cylinder->to) * scale;
        const Vec3d middle = (from + to) * 0.5, axis = normalized(to - from);
        const double half = shrunk(norm(to - from) / 2, into, rules);
        const double radius = shrunk(boundary.cylinder->radius * std::abs(scale), into, rules);
        return transformed_points(
            disk_samples(cylinder_mesh(middle - axis * half, middle + axis * half, radius, edge),
                         rules),
            rotation, position);
    }
    return solid_samples(surface, {rules.disk_radius, rules.depth, boundary.inside, rules.seed});
}

std::vector<Vec3> body_samples(const Body& body, const TriangleMesh& surface,
                               const SampleRules& rules) {
    const double depth = rules.depth, edge = rules.spacing / 2;
    const auto on_axis = [](double y) { return Vec3d{0, y, 0}; };
    if (body.box) {
        Boundary box;
        box.box = Box{};
        for (int k = 0; k < 3; ++k) {
            box.box->min[k] = -body.box->size[k] / 2;
            box.box->max[k] = body.box->size[k] / 2;
        }
        return box_samples<3>(box, rules.spacing, rules.depth);
    }
    if (body.sphere)
        return disk_samples(
            sphere_mesh(on_axis(0), shrunk(body.sphere->radius, depth, rules), edge), rules);
    if (body.cylinder) {
        const double half = shrunk(body.cylinder->height / 2, depth, rules);
        return disk_samples(cylinder_mesh(on_axis(-half), on_axis(half),
                                          shrunk(body.cylinder->radius, depth, rules), edge),
                            rules);
    }
    if (body.capsule) {
        const double straight = std::max(0.0, body.capsule->height / 2 - body.capsule->radius);
        return disk_samples(capsule_mesh(on_axis(-straight), on_axis(straight),
                                         shrunk(body.capsule->radius, depth, rules), edge),
                            rules);
    }
    return solid_samples(surface, {rules.disk_radius, depth, false, rules.seed});
}

}  // namespace millrace
