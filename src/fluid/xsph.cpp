#include "fluid/xsph.hpp"

#include "exec/parallel.hpp"
#include "fluid/same_fluid.hpp"

namespace millrace {

namespace {

template <int D>
struct Smooth {
    FluidView<D> f;
    XsphStrength strength;
    VectorView<D> velocity, smoothed;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> v = velocity.get(i);
        const float own = f.fluid[i], alpha = strength.alpha[static_cast<int>(own)];
        if (!(alpha > 0.0f)) {
            smoothed.set(i, v);
            return;
        }
        const Vec<D, Lanes> v_i = spread(v);
        const Lanes delta_i(f.density[i]);
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>&, Lanes r2) {
                // lanes without a neighbour may hold stale densities
                const Lanes delta = max(delta_i + load_lanes(f.density, j), Lanes(1e-6f));
                const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                     Lanes(2.0f) / delta * f.kernel.w(r2);
                sum += (velocity.lanes(j) - v_i) * weight;
            });
        smoothed.set(i, v + sum_lanes(sum) * alpha);
    }
};

template <int D>
struct Copy {
    VectorView<D> from, to;
    MILLRACE_HD void operator()(std::uint32_t i) const { to.set(i, from.get(i)); }
};

}  // namespace

template <int D>
void smooth_velocities(const Device& device, const FluidView<D>& fluid,
                       const XsphStrength& strength, VectorBuffer<D>& smoothed,
                       VectorView<D> velocity) {
    smoothed.resize(fluid.count);
    for_each(device, fluid.count, Smooth<D>{fluid, strength, velocity, smoothed.view()});
    for_each(device, fluid.count, Copy<D>{smoothed.view(), velocity});
}

template void smooth_velocities(const Device&, const FluidView<2>&, const XsphStrength&,
                                VectorBuffer<2>&, VectorView<2>);
template void smooth_velocities(const Device&, const FluidView<3>&, const XsphStrength&,
                                VectorBuffer<3>&, VectorView<3>);

}  // namespace millrace
