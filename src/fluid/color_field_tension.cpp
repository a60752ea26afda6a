#include "fluid/color_field_tension.hpp"

#include "exec/parallel.hpp"
#include "fluid/same_fluid.hpp"
#include "fluid/surface_curvature.hpp"

namespace millrace {

namespace {

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
        if (!(tension.sigma[static_cast<int>(own)] > 0.0f) || !is_at_surface(n, f.spacing))
            return;
        CurvatureSum<D> sum(n, f.spacing);
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                sum.add(normals.lanes(j), x_ij, r2,
                        same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                            f.kernel.gradient_factor(r2));
            });
        curvature.set(i, n * sum.curvature());
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
