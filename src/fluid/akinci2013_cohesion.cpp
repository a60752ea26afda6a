#include "fluid/akinci2013_cohesion.hpp"

#include <numbers>

#include "exec/parallel.hpp"
#include "fluid/same_fluid.hpp"

namespace millrace {

namespace {

// Measured: with them a cube becomes a ball, and a drop of any support swings at about the rate
// that sigma asks for. More area for the same cohesion throws particles off; more cohesion for the
// same area, and the drop freezes.
constexpr double k_cohesion = 0.3, k_area = 13;

/// int_0^1 q^(D+1) C(q) dq: from 64 q^3 (1-q)^3 over the whole range, and once more, less 1, below
/// q = 1/2.
template <int D>
constexpr double cohesion_integral() {
    constexpr int k_steps = 2000;
    double sum = 0;
    for (int k = 0; k < k_steps; ++k) {
        const double q = (k + 0.5) / k_steps;
        double power = 1;
        for (int e = 0; e <= D; ++e)
            power *= q;
        const double hump = 64 * q * q * q * (1 - q) * (1 - q) * (1 - q);
        sum += power * (q > 0.5 ? hump : 2 * hump - 1) / k_steps;
    }
    return sum;
}

template <int D>
struct Cohesion {
    FluidView<D> f;
    Tension tension;
    float cohesion, area;
    VectorView<D> normals, acceleration;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float own = f.fluid[i], sigma = tension.sigma[static_cast<int>(own)];
        if (!(sigma > 0.0f))
            return;
        const float support = f.kernel.support();
        float volume = 1;
        for (int k = 0; k < D; ++k)
            volume *= support;
        const Vec<D, Lanes> n_i = spread(normals.get(i));
        const Lanes delta_i(f.density[i]), inverse_support2(1.0f / (support * support)),
            least(1e-6f), one(1.0f);
        const Lanes attract(cohesion / support), smooth(area * volume * support);
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                const Lanes q2 = min(r2 * inverse_support2, one);  // C is 0 from there on
                const Lanes inverse_q = rsqrt(max(q2, least));
                const Lanes q = q2 * inverse_q, hump = q * (one - q);
                const Lanes outer = Lanes(64.0f) * hump * hump * hump;
                const Lanes c = select(q < Lanes(0.5f), outer + outer - one, outer);
                const Lanes weight = same_fluid(f.fluid, j, own) * load_lanes(f.volume, j) *
                                     Lanes(2.0f) / max(delta_i + load_lanes(f.density, j), least);
                // a lane without a neighbour may hold any point: its r2 is beyond the support
                sum += x_ij * (weight * attract * c * inverse_q) +
                       (n_i - normals.lanes(j)) * (weight * smooth * f.kernel.w(r2));
            });
        const float factor = -sigma / (f.rest_density[i] * volume * support * support);
        acceleration.set(i, acceleration.get(i) + sum_lanes(sum) * factor);
    }
};

}  // namespace

template <int D>
void add_akinci2013_cohesion(const Device& device, const FluidView<D>& fluid,
                             const Tension& tension, VectorView<D> normals,
                             VectorView<D> acceleration) {
    constexpr double c_d = D == 2 ? 1.0 / 3 : std::numbers::pi / 8;
    constexpr double k_c = 1 / (c_d * cohesion_integral<D>());
    for_each(device, fluid.count,
             Cohesion<D>{fluid, tension, static_cast<float>(k_cohesion * k_c),
                         static_cast<float>(k_area), normals, acceleration});
}

template void add_akinci2013_cohesion(const Device&, const FluidView<2>&, const Tension&,
                                      VectorView<2>, VectorView<2>);
template void add_akinci2013_cohesion(const Device&, const FluidView<3>&, const Tension&,
                                      VectorView<3>, VectorView<3>);

}  // namespace millrace
