#include "fluid/color_field_tension.hpp"

#include "exec/parallel.hpp"
#include "fluid/same_fluid.hpp"

namespace millrace {

namespace {

constexpr float k_least_normal = 0.2f;       // per spacing; a flat surface has 0.5
constexpr float k_largest_curvature = 0.5f;  // per spacing: a radius of two spacings

// kappa_i n_i, 0 away from the surface
template <int D>
struct CurvatureVector {
    FluidView<D> f;
    Tension tension;
    VectorView<D> normals, curvature;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        curvature.set(i, Vec<D>::all(0.0f));
        const float own = f.fluid[i];
        const Vec<D> n = normals.get(i);
        const float least2 = k_least_normal * k_least_normal / (f.spacing * f.spacing);
        if (!(tension.sigma[static_cast<int>(own)] > 0.0f) || squared_norm(n) < least2)
            return;
        const Vec<D, Lanes> direction_i = spread(n / norm(n));
        Lanes divergence(0.0f), ways(0.0f);
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                const Vec<D, Lanes> n_j = normals.lanes(j);
                const Lanes n2 = squared_norm(n_j);
                const Lanes at_surface = select(n2 < Lanes(least2), Lanes(0.0f), Lanes(1.0f));
                const Vec<D, Lanes> direction_j = n_j * rsqrt(max(n2, Lanes(least2)));
                const Lanes weight = at_surface * same_fluid(f.fluid, j, own) *
                                     load_lanes(f.volume, j) * f.kernel.gradient_factor(r2);
                divergence += dot(direction_j - direction_i, x_ij) * weight;
                ways += r2 * weight;
            });
        const float way = -sum_lanes(ways);
        if (!(way > 0.0f))
            return;
        const float largest = (D - 1) * k_largest_curvature / f.spacing;
        const float kappa = fmaxf(-largest, fminf(-D * sum_lanes(divergence) / way, largest));
        curvature.set(i, n * kappa);
    }
};

template <int D>
struct ColorFieldTension {
    FluidView<D> f;
    Tension tension;
    VectorView<D> curvature, acceleration;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float own = f.fluid[i], sigma = tension.sigma[static_cast<int>(own)];
        if (!(sigma > 0.0f))
            return;
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>&, Lanes r2) {
                // lanes without a neighbour may hold stale densities
                const Lanes delta = max(load_lanes(f.density, j), Lanes(1e-6f));
                sum += curvature.lanes(j) * (same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) /
                                             delta * f.kernel.w(r2));
            });
        acceleration.set(i, acceleration.get(i) + sum_lanes(sum) * (sigma / f.rest_density[i]));
    }
};

}  // namespace

template <int D>
void add_color_field_tension(const Device& device, const FluidView<D>& fluid,
                             const Tension& tension, VectorView<D> normals, VectorView<D> curvature,
                             VectorView<D> acceleration) {
    for_each(device, fluid.count, CurvatureVector<D>{fluid, tension, normals, curvature});
    for_each(device, fluid.count, ColorFieldTension<D>{fluid, tension, curvature, acceleration});
}

template void add_color_field_tension(const Device&, const FluidView<2>&, const Tension&,
                                      VectorView<2>, VectorView<2>, VectorView<2>);
template void add_color_field_tension(const Device&, const FluidView<3>&, const Tension&,
                                      VectorView<3>, VectorView<3>, VectorView<3>);

}  // namespace millrace
