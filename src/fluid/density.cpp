#include "fluid/density.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <int D>
struct Density {
    FluidView<D> f;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x_i = f.position.get(i);
        Lanes delta(0.0f);
        f.fluid_neighbors.for_each(i, x_i, [&](LaneIndex j, const Vec<D, Lanes>&, Lanes r2) {
            delta += load_lanes(f.volume, j) * f.kernel.w(r2);
        });
        f.wall_neighbors.for_each(i, x_i, [&](LaneIndex k, const Vec<D, Lanes>&, Lanes r2) {
            delta += load_lanes(f.wall_volume, k) * f.kernel.w(r2);
        });
        f.density[i] = sum_lanes(delta);
    }
};

}  // namespace

template <int D>
void compute_density(const Device& device, const FluidView<D>& fluid) {
    for_each(device, fluid.count, Density<D>{fluid});
}

template void compute_density(const Device&, const FluidView<2>&);
template void compute_density(const Device&, const FluidView<3>&);

}  // namespace millrace
