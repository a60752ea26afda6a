#include "fluid/standard_viscosity.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <int D>
struct StandardViscosity {
    FluidView<D> f;
    VectorView<D> acceleration;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x_i = f.position.get(i);
        const Vec<D, Lanes> v_i = spread(f.velocity.get(i));
        const Lanes mu_i(f.mu[i]), delta_i(f.density[i]);
        const Lanes epsilon(0.01f * f.spacing * f.spacing);
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(i, x_i, [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
            const Lanes mu_ij = mu_i + load_lanes(f.mu, j);             // both means without
            const Lanes delta_ij = delta_i + load_lanes(f.density, j);  // the factor 1/2
            const Lanes approach = dot(v_i - f.velocity.lanes(j), x_ij);
            // lanes without a neighbour may hold stale densities: no division by zero there
            const Lanes weight = mu_ij / max(delta_ij, Lanes(1e-6f));
            sum += x_ij * (weight * load_lanes(f.volume, j) * approach / (r2 + epsilon) *
                           f.kernel.gradient_factor(r2));
        });
        const float factor = 2.0f * (D + 2) / f.rest_density[i];
        acceleration.set(i, acceleration.get(i) + factor * sum_lanes(sum));
    }
};

}  // namespace

template <int D>
void add_standard_viscosity(const Device& device, const FluidView<D>& fluid,
                            VectorView<D> acceleration) {
    for_each(device, fluid.count, StandardViscosity<D>{fluid, acceleration});
}

template void add_standard_viscosity(const Device&, const FluidView<2>&, VectorView<2>);
template void add_standard_viscosity(const Device&, const FluidView<3>&, VectorView<3>);

}  // namespace millrace
