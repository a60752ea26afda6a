#include "geometry/surface_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/box_samples.hpp"
#include "geometry/poisson_disk.hpp"
#include "geometry/primitives.hpp"
#include "geometry/solid_samples.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

/// Of Poisson-disk samples, in spacings: with 0.7 / radius^2 samples on an area, about as many as a
/// lattice has.
constexpr double k_disk_radius = 0.8;
/// Samples on an area of spacing^2 by Poisson disks, for estimates.
constexpr double k_disks_per_cell = 1.2;

/// The corners of a box around things.
template <int D>
std::vector<Vec<D, double>> corners_of_bounds(const ShapeBounds<D>& box) {
    std::vector<Vec<D, double>> corners;
    for (int corner = 0; corner < 1 << D; ++corner) {
        Vec<D, double> x;
        for (int k = 0; k < D; ++k)
            x[k] = corner >> k & 1 ? box.high[k] : box.low[k];
        corners.push_back(x);
    }
    return corners;
}

struct Range {
    double low = 1e300, high = -1e300;

    void include(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
};

/// A lattice below a plane, as far as the box reaches.
std::vector<Vec3> half_space_samples(const PlacedHalfSpace<3>& half, const ShapeBounds<3>& reach,
                                     const SampleRules& rules) {
    const Vec3d n = half.normal;
    const Vec3d side = std::abs(n[0]) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d u = normalized(cross(n, side)), v = cross(n, u);
    const Vec3d origin = half.point - n * rules.depth;
    Range along_u, along_v;
    for (const Vec3d& x : corners_of_bounds(reach)) {
        along_u.include(dot(x - origin, u));
        along_v.include(dot(x - origin, v));
    }
    std::vector<Vec3> samples;
    const double margin = 2 * rules.spacing;
    for (double a = along_u.low - margin; a <= along_u.high + margin; a += rules.spacing)
        for (double b = along_v.low - margin; b <= along_v.high + margin; b += rules.spacing)
            samples.push_back(Vec3::from(origin + u * a + v * b));
    return samples;
}

std::vector<Vec2> half_space_samples(const PlacedHalfSpace<2>& half, const ShapeBounds<2>& reach,
                                     const SampleRules& rules) {
    const Vec2d along{{-half.normal[1], half.normal[0]}};
    const Vec2d origin = half.point - half.normal * rules.depth;
    Range range;
    for (const Vec2d& x : corners_of_bounds(reach))
        range.include(dot(x - origin, along));
    std::vector<Vec2> samples;
    const double margin = 2 * rules.spacing;
    for (double a = range.low - margin; a <= range.high + margin; a += rules.spacing)
        samples.push_back(Vec2::from(origin + along * a));
    return samples;
}

/// A shape that is thinner than the depth keeps samples in its middle.
double shrunk(double size, double by, const SampleRules& rules) {
    return std::max(size - by, 1e-3 * rules.spacing);
}

/// Points along a line, its corners among them.
std::vector<Vec2> line_samples(const std::vector<Vec2d>& points, double spacing) {
    std::vector<Vec2> samples;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
        const Vec2d way = points[k + 1] - points[k];
        const int n = static_cast<int>(std::ceil(norm(way) / spacing - 1e-6));
        for (int i = 0; i < n; ++i)
            samples.push_back(Vec2::from(points[k] + way * (static_cast<double>(i) / n)));
    }
    if (!(points.front() == points.back()))
        samples.push_back(Vec2::from(points.back()));
    return samples;
}

template <int D>
struct SampleSurface {
    const Solid<D>& solid;
    const ShapeBounds<D>& reach;
    const SampleRules& rules;

    double into() const { return solid.hollow ? -rules.depth : rules.depth; }
    std::vector<Vec3> disks(const TriangleMesh& surface) const {
        return poisson_disk(surface, rules.disk_radius, rules.seed);
    }

    std::vector<Vec<D>> operator()(const PlacedBox<D>& box) const {
        return box_samples<D>(box, solid.hollow, rules.spacing, rules.depth);
    }
    std::vector<Vec<D>> operator()(const PlacedHalfSpace<D>& half) const {
        return half_space_samples(half, reach, rules);
    }
    std::vector<Vec<D>> operator()(const PlacedBall<D>& ball) const {
        const double radius = shrunk(ball.radius, into(), rules);
        if constexpr (D == 3) {
            return disks(sphere_mesh(ball.center, radius, rules.spacing / 2));
        } else {
            const double turn = 2 * std::numbers::pi;
            const int n = std::max(1, static_cast<int>(std::lround(turn * radius / rules.spacing)));
            std::vector<Vec2> samples;
            for (int k = 0; k < n; ++k) {
                const double angle = turn * k / n;
                samples.push_back(Vec2::from(
                    ball.center + Vec2d{{portable::cos(angle), portable::sin(angle)}} * radius));
            }
            return samples;
        }
    }
    std::vector<Vec<D>> operator()(const PlacedCylinder& c) const requires(D == 3) {
        const Vec3d middle = (c.from + c.to) * 0.5, axis = normalized(c.to - c.from);
        const double half = shrunk(norm(c.to - c.from) / 2, into(), rules);
        return disks(cylinder_mesh(middle - axis * half, middle + axis * half,
                                   shrunk(c.radius, into(), rules), rules.spacing / 2));
    }
    std::vector<Vec<D>> operator()(const PlacedCapsule& c) const requires(D == 3) {
        return disks(
            capsule_mesh(c.from, c.to, shrunk(c.radius, into(), rules), rules.spacing / 2));
    }
    std::vector<Vec<D>> operator()(const PlacedMesh& mesh) const requires(D == 3) {
        return solid_samples(mesh.triangles(),
                             {rules.disk_radius, rules.depth, solid.hollow, rules.seed});
    }
    std::vector<Vec<D>> operator()(const PlacedPolygon& polygon) const requires(D == 2) {
        return outline_samples(polygon.corners, solid.hollow, rules.spacing, rules.depth);
    }
    std::vector<Vec<D>> operator()(const PlacedChain& chain) const requires(D == 2) {
        return line_samples(chain.points, rules.spacing);
    }
};

}  // namespace

SampleRules SampleRules::of(double spacing, double depth, std::uint64_t seed) {
    return {spacing, depth, k_disk_radius * spacing, seed};
}

template <int D>
std::vector<Vec<D>> surface_samples(const Solid<D>& solid, const ShapeBounds<D>& reach,
                                    const SampleRules& rules) {
    return std::visit(SampleSurface<D>{solid, reach, rules}, solid.shape);
}

template <int D>
double count_surface_samples(const Solid<D>& solid, const SampleRules& rules) {
    if (const auto* box = std::get_if<PlacedBox<D>>(&solid.shape))
        return count_box_samples<D>(*box, solid.hollow, rules.spacing, rules.depth);
    const double cell = D == 3 ? rules.spacing * rules.spacing : rules.spacing;
    return k_disks_per_cell * surface_area<D>(solid.shape) / cell;
}

template std::vector<Vec2> surface_samples<2>(const Solid<2>&, const ShapeBounds<2>&,
                                              const SampleRules&);
template std::vector<Vec3> surface_samples<3>(const Solid<3>&, const ShapeBounds<3>&,
                                              const SampleRules&);
template double count_surface_samples<2>(const Solid<2>&, const SampleRules&);
template double count_surface_samples<3>(const Solid<3>&, const SampleRules&);

}  // namespace millrace
