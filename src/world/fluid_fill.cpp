#include "world/fluid_fill.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "boundary/standoff.hpp"
#include "geometry/point_cloud.hpp"
#include "geometry/shape_measures.hpp"
#include "math/portable.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "particles/box_fill.hpp"
#include "world/scene_size.hpp"

namespace millrace {

namespace {

template <int D>
bool contains(const Box& box, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
        if (x[k] < box.min[k] || x[k] > box.max[k])
            return false;
    return true;
}

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
std::vector<Vec<D>> thinned_points(const std::vector<Vec<D, double>>& given, double spacing) {
    std::vector<Vec<D>> points;
    for (const Vec<D, double>& x : given)
        points.push_back(Vec<D>::from(x));
    std::vector<Vec<D>> kept = thinned(points, k_closest_points * spacing);
    if (static_cast<double>(kept.size()) < (1 - k_many) * static_cast<double>(points.size()))
        kept = thinned(points, k_closest_of_many * spacing);
    return kept;
}

/// A fill as the particles of it, and as the place that others may not take.
template <int D>
class FillRegion {
  public:
    FillRegion(const FilledVolume<D>& volume, double spacing) : volume_(volume) {
        if (!volume.shape) {
            points_ = thinned_points<D>(volume.points, spacing);
            cloud_ = std::make_shared<PointCloud<D>>(points_, k_closest_points * spacing);
        }
    }

    /// The particles, before those in solids and in earlier fills are left out.
    FillSamples<D> samples(double spacing, double jitter, std::uint64_t seed) const {
        if (!volume_.shape)
            return {points_, portable::power(spacing, D)};
        const ShapeBounds<D> around = *bounds_of<D>(*volume_.shape);
        Box box;
        for (int k = 0; k < D; ++k) {
            box.min[k] = around.low[k];
            box.max[k] = around.high[k];
        }
        return box_fill<D>(box, spacing, jitter, seed);
    }

    /// Sets the flags of the places that it holds, or of the others.
    void mark(const std::vector<Vec<D>>& places, bool held,
              std::vector<std::uint8_t>& flags) const {
        if (cloud_) {
            for (std::size_t i = 0; i < places.size(); ++i)
                if (cloud_->any_near(places[i]) == held)
                    flags[i] = 1;
            return;
        }
        Solid<D> solid;  // whose inside is the fill, or all around it
        solid.shape = *volume_.shape;
        std::vector<std::uint8_t> inside(places.size(), 0);
        solid.mark_inside(places, {}, inside);
        for (std::size_t i = 0; i < places.size(); ++i)
            if ((inside[i] != 0) == held)
                flags[i] = 1;
    }

    /// Whether all places of its lattice are its own. Jitter may take particles out of a box.
    bool is_whole_lattice() const {
        return !volume_.shape || std::holds_alternative<PlacedBox<D>>(*volume_.shape);
    }

  private:
    FilledVolume<D> volume_;
    std::vector<Vec<D>> points_;
    std::shared_ptr<PointCloud<D>> cloud_;
};

}  // namespace

template <int D>
FluidSamples<D> sample_fluid(const Scene& scene, const SceneSolids<D>& solids,
                             const std::vector<Vec<D>>& wall_samples, const SolidTest<D>& in_solids,
                             AtWalls at_walls) {
    // with a small support the first layer itself rests closer than a spacing
    const double standoff = wall_standoff<D>(scene.support);
    const double clearance =
        at_walls == AtWalls::full ? standoff - 0.5 : std::min(1.0, standoff - 0.1);
    const PointCloud<D> wall_cloud(wall_samples, clearance * scene.spacing);
    FluidSamples<D> samples;
    std::vector<FillRegion<D>> earlier;
    std::uint64_t seed = scene.seed;
    bool wanted = false;
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        const Fluid& fluid = scene.fluids[f];
        const Vec<D> velocity = to_vec<D>(fluid.velocity);
        for (std::size_t j = 0; j < fluid.fill.size(); ++j) {
            wanted = true;
            const FillRegion<D> region(solids.fills[f][j], scene.spacing);
            const FillSamples<D> lattice =
                region.samples(scene.spacing, fluid.fill[j].jitter, seed++);
            std::vector<std::uint8_t> left_out(lattice.positions.size(), 0);
            in_solids(lattice.positions, left_out);
            for (const FillRegion<D>& other : earlier)
                other.mark(lattice.positions, true, left_out);
            if (!region.is_whole_lattice())
                region.mark(lattice.positions, false, left_out);
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
            earlier.push_back(region);
        }
    }
    if (wanted && samples.positions.empty())
        throw InputError(k_nothing_filled);
    return samples;
}

template FluidSamples<2> sample_fluid<2>(const Scene&, const SceneSolids<2>&,
                                         const std::vector<Vec2>&, const SolidTest<2>&, AtWalls);
template FluidSamples<3> sample_fluid<3>(const Scene&, const SceneSolids<3>&,
                                         const std::vector<Vec3>&, const SolidTest<3>&, AtWalls);

}  // namespace millrace
