#include "world/object_samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "boundary/box_samples.hpp"
#include "boundary/standoff.hpp"
#include "geometry/poisson_disk.hpp"
#include "geometry/primitives.hpp"
#include "geometry/solid_samples.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "world/scene_vectors.hpp"

namespace millrace {

namespace {

/// Of Poisson-disk samples, in spacings: with 0.7 / radius^2 samples on an area, about as many as a
/// lattice has.
constexpr double k_disk_radius = 0.8;
constexpr double k_patch = 24;  ///< width of the measured patch, in spacings

TriangleMesh square_patch(double width) {
    TriangleMesh mesh;
    mesh.vertices = {{{0, 0, 0}}, {{width, 0, 0}}, {{width, 0, width}}, {{0, 0, width}}};
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
    return mesh;
}

/// Volumes with sum_l V_l W_kl = 1, as BoundaryParticles finds them.
std::vector<double> rest_volumes(const std::vector<Vec3>& samples, const CubicSpline<3>& kernel) {
    std::vector<double> volumes(samples.size(), 1), next(samples.size());
    for (int round = 0; round < 100; ++round) {
        for (std::size_t k = 0; k < samples.size(); ++k) {
            double sum = 0;
            for (std::size_t l = 0; l < samples.size(); ++l)
                sum += volumes[l] * kernel.w(squared_norm(samples[k] - samples[l]));
            next[k] = volumes[k] / sum;
        }
        volumes.swap(next);
    }
    return volumes;
}

double measured_standoff(double support, double radius) {
    const CubicSpline<3> kernel(static_cast<float>(support));
    const std::vector<Vec3> samples = poisson_disk(square_patch(k_patch), radius, 1);
    const std::vector<double> volumes = rest_volumes(samples, kernel);
    const auto mean_sum = [&](double distance) {
        double sum = 0;
        int points = 0;
        for (double x = 4; x < k_patch - 4; x += 0.37)
            for (double z = 4; z < k_patch - 4; z += 0.41, ++points) {
                const Vec3 at{static_cast<float>(x), static_cast<float>(distance),
                              static_cast<float>(z)};
                for (std::size_t k = 0; k < samples.size(); ++k)
                    sum += volumes[k] * kernel.w(squared_norm(at - samples[k]));
            }
        return sum / points;
    };
    const double missing = missing_density<3>(support);
    double near = 0, far = support;
    for (int k = 0; k < 20; ++k) {
        const double middle = (near + far) / 2;
        (mean_sum(middle) > missing ? near : far) = middle;
    }
    return (near + far) / 2;
}

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
    const Vec3d origin = to_vec3d(plane.point) - n * rules.lattice_depth;
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

double disk_standoff(double support, double radius) {
    static std::mutex mutex;
    static std::map<std::pair<double, double>, double> measured;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [place, missing] = measured.try_emplace({support, radius}, 0.0);
    if (missing)
        place->second = measured_standoff(support, radius);
    return place->second;
}

SampleRules SampleRules::of(const Scene& scene) {
    SampleRules rules;
    rules.spacing = scene.spacing;
    rules.lattice_depth = sample_depth<3>(scene.support) * scene.spacing;
    rules.disk_radius = k_disk_radius * scene.spacing;
    rules.disk_depth = (disk_standoff(scene.support, k_disk_radius) - 0.5) * scene.spacing;
    rules.seed = scene.seed;
    return rules;
}

std::vector<Vec3> wall_samples(const Boundary& boundary, const TriangleMesh& surface,
                               const Box& reach, const SampleRules& rules) {
    const Quaterniond rotation = to_quaternion(boundary.rotation);
    const Vec3d position = to_vec3d(boundary.position);
    const double into = boundary.inside ? -rules.disk_depth : rules.disk_depth;
    const double edge = rules.spacing / 2;
    if (boundary.box) {
        Boundary box = boundary;
        for (int k = 0; k < 3; ++k) {
            const double a = boundary.box->min[k] * boundary.scale[k];
            const double b = boundary.box->max[k] * boundary.scale[k];
            box.box->min[k] = std::min(a, b);
            box.box->max[k] = std::max(a, b);
        }
        return transformed_points(box_samples<3>(box, rules.spacing, rules.lattice_depth), rotation,
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
    return solid_samples(surface,
                         {rules.disk_radius, rules.disk_depth, boundary.inside, rules.seed});
}

std::vector<Vec3> body_samples(const Body& body, const TriangleMesh& surface,
                               const SampleRules& rules) {
    const double depth = rules.disk_depth, edge = rules.spacing / 2;
    const auto on_axis = [](double y) { return Vec3d{0, y, 0}; };
    if (body.box) {
        Boundary box;
        box.box = Box{};
        for (int k = 0; k < 3; ++k) {
            box.box->min[k] = -body.box->size[k] / 2;
            box.box->max[k] = body.box->size[k] / 2;
        }
        return box_samples<3>(box, rules.spacing, rules.lattice_depth);
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
