#include "world/fluid_fill.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "boundary/standoff.hpp"
#include "geometry/flat_distance.hpp"
#include "geometry/inside_test.hpp"
#include "geometry/mesh_file.hpp"
#include "math/portable.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "particles/box_fill.hpp"
#include "world/sampling.hpp"

namespace millrace {

namespace {

template <int D>
bool contains(const Box& box, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
        if (x[k] < box.min[k] || x[k] > box.max[k])
            return false;
    return true;
}

std::vector<Vec2d> flat_points(const std::vector<Vector>& points) {
    std::vector<Vec2d> flat;
    for (const Vector& p : points)
        flat.push_back(to_vec<2, double>(p));
    return flat;
}

/// Tells whether any of a set of points is nearer than a distance.
template <int D>
class PointCloud {
  public:
    PointCloud(const std::vector<Vec<D>>& points, double distance) : distance_(distance) {
        for (const Vec<D>& x : points)
            add(x);
    }
    void add(const Vec<D>& x) { cells_[key(cell(x))].push_back(x); }
    bool any_near(const Vec<D>& x) const {
        const Vec<D, std::int64_t> home = cell(x);
        Vec<D, std::int64_t> c;
        for (int code = 0; code < (D == 3 ? 27 : 9); ++code) {
            c[0] = home[0] + code % 3 - 1;
            c[1] = home[1] + code / 3 % 3 - 1;
            if constexpr (D == 3)
                c[2] = home[2] + code / 9 - 1;
            const auto found = cells_.find(key(c));
            if (found != cells_.end())
                for (const Vec<D>& point : found->second)
                    if (squared_norm(x - point) < distance_ * distance_)
                        return true;
        }
        return false;
    }

  private:
    Vec<D, std::int64_t> cell(const Vec<D>& x) const {
        Vec<D, std::int64_t> c;
        for (int k = 0; k < D; ++k)
            c[k] = static_cast<std::int64_t>(std::floor(x[k] / distance_));
        return c;
    }
    static std::uint64_t key(const Vec<D, std::int64_t>& c) {
        std::uint64_t hash = 0;
        for (int k = 0; k < D; ++k)
            hash = (hash ^ static_cast<std::uint64_t>(c[k])) * 0x9e3779b97f4a7c15u;
        return hash;
    }

    double distance_;
    std::unordered_map<std::uint64_t, std::vector<Vec<D>>> cells_;
};

/// Points of a file that are nearer than this to another are left out, in spacings: those of a file
/// of the scene's own spacing stay. Of a file that is much finer, so that many have to go, those
/// that stay keep a larger distance, or they would be denser than a lattice.
constexpr double k_closest_points = 0.75, k_closest_of_many = 0.95, k_many = 0.3;

template <int D>
std::vector<Vec<D>> thinned(const std::vector<Vec<D>>& points, double distance) {
    std::vector<Vec<D>> kept;
    PointCloud<D> cloud({}, distance);
    for (const Vec<D>& x : points)
        if (!cloud.any_near(x)) {
            cloud.add(x);
            kept.push_back(x);
        }
    return kept;
}

/// The points of a file that become particles.
template <int D>
std::vector<Vec<D>> thinned_points(const PointFile& file, double spacing) {
    std::vector<Vec<D>> points;
    for (const Vec3d& point : points_of(file)) {
        Vec<D> x;
        for (int k = 0; k < D; ++k)
            x[k] = static_cast<float>(point[k]);
        points.push_back(x);
    }
    std::vector<Vec<D>> kept = thinned(points, k_closest_points * spacing);
    if (static_cast<double>(kept.size()) < (1 - k_many) * static_cast<double>(points.size()))
        kept = thinned(points, k_closest_of_many * spacing);
    return kept;
}

/// Tells which points a fill holds.
template <int D>
class FillShape {
  public:
    FillShape(const Fill& fill, double spacing, const std::string& where,
              std::vector<std::string>& warnings)
        : fill_(fill) {
        if (fill.points)
            points_ = std::make_shared<PointCloud<D>>(thinned_points<D>(*fill.points, spacing),
                                                      k_closest_points * spacing);
        if (fill.polygon)
            polygon_ = std::make_shared<FlatDistance>(Shape2::Kind::polygon,
                                                      flat_points(fill.polygon->points));
        if (fill.mesh)
            mesh_ = std::make_shared<InsideTest>(
                closed_surface(surface_of(*fill.mesh), spacing, where + ".mesh.file", warnings));
    }

    /// Sets the flags of the points that it holds, or of the others.
    void mark(const std::vector<Vec<D>>& points, bool held,
              std::vector<std::uint8_t>& flags) const {
        std::vector<std::uint8_t> inside;
        if constexpr (D == 3)
            if (mesh_)
                inside = mesh_->contains(points);
        for (std::size_t i = 0; i < points.size(); ++i)
            if ((mesh_ ? inside[i] != 0 : holds(points[i])) == held)
                flags[i] = 1;
    }

  private:
    bool holds(const Vec<D>& x) const {
        if (fill_.box)
            return contains(*fill_.box, x);
        if (points_)
            return points_->any_near(x);
        if (fill_.polygon)
            return polygon_->holds({x[0], x[1]});
        const Sphere& round = fill_.sphere ? *fill_.sphere : *fill_.circle;
        return squared_norm(x - to_vec<D>(round.center)) < round.radius * round.radius;
    }

    Fill fill_;
    std::shared_ptr<InsideTest> mesh_;
    std::shared_ptr<FlatDistance> polygon_;
    std::shared_ptr<PointCloud<D>> points_;
};

/// The particles of a fill, before those in solids and in earlier fills are left out.
template <int D>
FillSamples<D> fill_samples(const Fill& fill, double spacing, std::uint64_t seed) {
    if (fill.points)
        return {thinned_points<D>(*fill.points, spacing), portable::power(spacing, D)};
    Fill around = fill;
    around.box = fill_bounds(fill);
    return box_fill<D>(around, spacing, seed);
}

}  // namespace

Box fill_bounds(const Fill& fill) {
    if (fill.box)
        return *fill.box;
    Box box;
    if (const std::optional<Sphere>& round = fill.sphere ? fill.sphere : fill.circle) {
        for (int k = 0; k < (fill.sphere ? 3 : 2); ++k) {
            box.min[k] = round->center[k] - round->radius;
            box.max[k] = round->center[k] + round->radius;
        }
        return box;
    }
    if (fill.polygon) {
        box = {fill.polygon->points[0], fill.polygon->points[0]};
        for (const Vector& p : fill.polygon->points)
            for (int k = 0; k < 2; ++k) {
                box.min[k] = std::min(box.min[k], p[k]);
                box.max[k] = std::max(box.max[k], p[k]);
            }
        return box;
    }
    if (fill.points) {
        Bounds around = Bounds::empty();
        for (const Vec3d& x : points_of(*fill.points))
            around.include(x);
        for (int k = 0; k < 3; ++k) {
            box.min[k] = around.min[k];
            box.max[k] = around.max[k];
        }
        return box;
    }
    return box_around(surface_of(*fill.mesh));
}

template <int D>
FluidSamples<D> sample_fluid(const Scene& scene, const std::vector<Vec<D>>& walls,
                             const std::vector<SolidTest<D>>& solids, AtWalls at_walls) {
    // with a small support the first layer itself rests closer than a spacing
    const double standoff = wall_standoff<D>(scene.support);
    const double clearance =
        at_walls == AtWalls::full ? standoff - 0.5 : std::min(1.0, standoff - 0.1);
    const PointCloud<D> wall_cloud(walls, clearance * scene.spacing);
    FluidSamples<D> samples;
    std::vector<FillShape<D>> earlier;
    std::uint64_t seed = scene.seed;
    bool wanted = false;
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        const Fluid& fluid = scene.fluids[f];
        const Vec<D> velocity = to_vec<D>(fluid.velocity);
        for (std::size_t j = 0; j < fluid.fill.size(); ++j) {
            wanted = true;
            FillShape<D> shape(fluid.fill[j], scene.spacing,
                               "fluids[" + std::to_string(f) + "].fill[" + std::to_string(j) + "]",
                               samples.warnings);
            const FillSamples<D> lattice = fill_samples<D>(fluid.fill[j], scene.spacing, seed++);
            std::vector<std::uint8_t> left_out(lattice.positions.size(), 0);
            for (const SolidTest<D>& solid : solids)
                solid(lattice.positions, left_out);
            for (const FillShape<D>& other : earlier)
                other.mark(lattice.positions, true, left_out);
            if (!fluid.fill[j].box &&
                !fluid.fill[j].points)  // jitter may take particles out of a box
                shape.mark(lattice.positions, false, left_out);
            for (std::size_t i = 0; i < lattice.positions.size(); ++i) {
                const Vec<D>& x = lattice.positions[i];
                const bool outside = scene.domain && !contains(*scene.domain, x);
                if (left_out[i] || outside || wall_cloud.any_near(x))
                    continue;
                samples.positions.push_back(x);
                samples.velocities.push_back(velocity);
                samples.volumes.push_back(static_cast<float>(lattice.volume));
                samples.fluids.push_back(static_cast<std::uint8_t>(f));
            }
            earlier.push_back(std::move(shape));
        }
    }
    if (wanted && samples.positions.empty())
        throw InputError(k_nothing_filled);
    return samples;
}

template FluidSamples<2> sample_fluid<2>(const Scene&, const std::vector<Vec<2>>&,
                                         const std::vector<SolidTest<2>>&, AtWalls);
template FluidSamples<3> sample_fluid<3>(const Scene&, const std::vector<Vec<3>>&,
                                         const std::vector<SolidTest<3>>&, AtWalls);

}  // namespace millrace
