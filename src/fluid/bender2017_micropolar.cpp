#include "fluid/bender2017_micropolar.hpp"

#include "exec/parallel.hpp"
#include "fluid/rotation_fit.hpp"

namespace millrace {

namespace {

template <int D>
struct Curl {
    FluidView<D> f;
    Micropolar micropolar;
    VectorView<k_spin_size<D>> curl;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        if (!(micropolar.nu_t[static_cast<int>(f.fluid[i])] > 0.0f)) {
            curl.set(i, Spin<D>::all(0.0f));
            return;
        }
        const RotationFit<D> fit = fit_rotation(f, i);
        curl.set(i, fit.is_lonely() ? f.spin.get(i) * 2.0f : fit.normalized(fit.sum));
    }
};

template <int D>
struct MicropolarForce {
    FluidView<D> f;
    Micropolar micropolar;
    VectorView<D> acceleration;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float own = f.fluid[i], nu_t = micropolar.nu_t[static_cast<int>(own)];
        if (!(nu_t > 0.0f))
            return;
        const Vec<k_spin_size<D>, Lanes> omega_i = spread(f.spin.get(i));
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                     f.kernel.gradient_factor(r2);
                // x x omega = -(omega x x)
                sum += spin_velocity(omega_i - f.spin.lanes(j), x_ij) * weight;
            });
        acceleration.set(i, acceleration.get(i) + sum_lanes(sum) * nu_t);
    }
};

template <int D>
struct TurnSpins {
    FluidView<D> f;
    Micropolar micropolar;
    VectorView<k_spin_size<D>> curl;
    float dt;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const int own = static_cast<int>(f.fluid[i]);
        if (!(micropolar.nu_t[own] > 0.0f))
            return;
        const float rate = dt * micropolar.nu_t[own] / micropolar.inertia[own];
        f.spin.set(i, (f.spin.get(i) + curl.get(i) * rate) * (1.0f / (1.0f + 2.0f * rate)));
    }
};

template <int D>
struct SmoothSpins {
    FluidView<D> f;
    Micropolar micropolar;
    float share;
    VectorView<k_spin_size<D>> next;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float own = f.fluid[i];
        const float alpha = share * micropolar.smoothing[static_cast<int>(own)];
        const Spin<D> omega = f.spin.get(i);
        const Vec<k_spin_size<D>, Lanes> omega_i = spread(omega);
        const Lanes delta_i(f.density[i]);
        Vec<k_spin_size<D>, Lanes> sum = Vec<k_spin_size<D>, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>&, Lanes r2) {
                // lanes without a neighbour may hold stale densities
                const Lanes delta = max(delta_i + load_lanes(f.density, j), Lanes(1e-6f));
                const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                     Lanes(2.0f) / delta * f.kernel.w(r2);
                sum += (f.spin.lanes(j) - omega_i) * weight;
            });
        next.set(i, omega + sum_lanes(sum) * alpha);
    }
};

template <int D>
struct Take {
    VectorView<k_spin_size<D>> from, to;
    MILLRACE_HD void operator()(std::uint32_t i) const { to.set(i, from.get(i)); }
};

}  // namespace

template <int D>
void compute_vorticity(const Device& device, const FluidView<D>& fluid,
                       const Micropolar& micropolar, VectorView<k_spin_size<D>> curl) {
    for_each(device, fluid.count, Curl<D>{fluid, micropolar, curl});
}

template <int D>
void add_micropolar(const Device& device, const FluidView<D>& fluid, const Micropolar& micropolar,
                    VectorView<D> acceleration) {
    for_each(device, fluid.count, MicropolarForce<D>{fluid, micropolar, acceleration});
}

template <int D>
void advance_spins(const Device& device, const FluidView<D>& fluid, const Micropolar& micropolar,
                   VectorView<k_spin_size<D>> curl, float dt, float share,
                   VectorView<k_spin_size<D>> next) {
    for_each(device, fluid.count, TurnSpins<D>{fluid, micropolar, curl, dt});
    for_each(device, fluid.count, SmoothSpins<D>{fluid, micropolar, share, next});
    for_each(device, fluid.count, Take<D>{next, fluid.spin});
}

template void compute_vorticity(const Device&, const FluidView<2>&, const Micropolar&,
                                VectorView<1>);
template void compute_vorticity(const Device&, const FluidView<3>&, const Micropolar&,
                                VectorView<3>);
template void add_micropolar(const Device&, const FluidView<2>&, const Micropolar&, VectorView<2>);
template void add_micropolar(const Device&, const FluidView<3>&, const Micropolar&, VectorView<3>);
template void advance_spins(const Device&, const FluidView<2>&, const Micropolar&, VectorView<1>,
                            float, float, VectorView<1>);
template void advance_spins(const Device&, const FluidView<3>&, const Micropolar&, VectorView<3>,
                            float, float, VectorView<3>);

}  // namespace millrace
