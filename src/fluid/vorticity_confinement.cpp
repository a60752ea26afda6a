#include "fluid/vorticity_confinement.hpp"

#include "exec/parallel.hpp"
#include "fluid/rotation_fit.hpp"

namespace millrace {

namespace {

template <int D>
struct Curl {
    FluidView<D> f;
    Confinement confinement;
    VectorView<k_spin_size<D>> curl;
    float* curl_size;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        Spin<D> c = Spin<D>::all(0.0f);
        if (confinement.strength[static_cast<int>(f.fluid[i])] > 0.0f) {
            const RotationFit<D> fit = fit_rotation(f, i);
            if (!fit.is_lonely())
                c = fit.normalized(fit.sum);
        }
        curl.set(i, c);
        curl_size[i] = norm(c);
    }
};

template <int D>
struct ConfinementForce {
    FluidView<D> f;
    Confinement confinement;
    VectorView<k_spin_size<D>> curl;
    const float* curl_size;
    VectorView<D> acceleration;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float own = f.fluid[i], strength = confinement.strength[static_cast<int>(own)];
        const float size = curl_size[i];
        if (!(strength > 0.0f) || !(size > 0.0f))
            return;
        const Lanes size_i(size);
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                     f.kernel.gradient_factor(r2);
                sum += x_ij * ((load_lanes(curl_size, j) - size_i) * weight);
            });
        const Vec<D> eta = sum_lanes(sum);
        const Vec<D> n = eta / (norm(eta) + 0.1f * size / f.spacing);
        // N x c = -(c x N)
        acceleration.set(i, acceleration.get(i) - spin_velocity(curl.get(i), n) * strength);
    }
};

}  // namespace

template <int D>
void add_vorticity_confinement(const Device& device, const FluidView<D>& fluid,
                               const Confinement& confinement, VectorView<k_spin_size<D>> curl,
                               float* curl_size, VectorView<D> acceleration) {
    for_each(device, fluid.count, Curl<D>{fluid, confinement, curl, curl_size});
    for_each(device, fluid.count,
             ConfinementForce<D>{fluid, confinement, curl, curl_size, acceleration});
}

template void add_vorticity_confinement(const Device&, const FluidView<2>&, const Confinement&,
                                        VectorView<1>, float*, VectorView<2>);
template void add_vorticity_confinement(const Device&, const FluidView<3>&, const Confinement&,
                                        VectorView<3>, float*, VectorView<3>);

}  // namespace millrace
