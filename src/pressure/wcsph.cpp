#include "pressure/wcsph.hpp"

#include "exec/parallel.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

template <int D>
struct EquationOfState {
    FluidView<D> f;
    float sound_speed, gamma;
    bool rest_density;
    float* unknowns;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float compressed = fmaxf(f.density[i], 1.0f);
        const float p = f.rest_density[i] * sound_speed * sound_speed / gamma *
                        (portable::pow(compressed, gamma) - 1.0f);
        const float delta = rest_density ? 1.0f : f.density[i];
        f.pressure[i] = p;
        unknowns[i] = f.volume[i] * p / (delta * delta);
    }
};

// v* <- v* + dt a with a of S1 Eq. 4.8; see PressureSystem.
template <int D>
struct Accelerate {
    FluidView<D> f;
    const float* unknowns;
    float dt;
    VectorView<D> velocity;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x_i = f.position.get(i);
        const Lanes own(unknowns[i] / f.volume[i]);
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(i, x_i, [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
            sum += x_ij * ((load_lanes(unknowns, j) + load_lanes(f.volume, j) * own) *
                           f.kernel.gradient_factor(r2));
        });
        f.wall_neighbors.for_each(i, x_i, [&](LaneIndex k, const Vec<D, Lanes>& x_ik, Lanes r2) {
            sum += x_ik * (load_lanes(f.wall_volume, k) * own * f.kernel.gradient_factor(r2));
        });
        velocity.set(i, velocity.get(i) + sum_lanes(sum) * (-dt / f.rest_density[i]));
    }
};

struct ErrorSum {
    double sum;
    float max;
};
struct Compression {
    const float* density;
    MILLRACE_HD ErrorSum operator()(std::uint32_t i) const {
        const float e = fmaxf(0.0f, density[i] - 1.0f);
        return {e, e};
    }
};
struct JoinErrors {
    MILLRACE_HD ErrorSum operator()(ErrorSum a, ErrorSum b) const {
        return {a.sum + b.sum, fmaxf(a.max, b.max)};
    }
};

}  // namespace

template <int D>
Wcsph<D>::Wcsph(const Device& device, const PressureSettings& settings)
    : settings_(settings), unknowns_(device) {}

template <int D>
PressureResult Wcsph<D>::solve(const Device& device, const FluidView<D>& fluid,
                               VectorView<D> predicted, const StepLength& step) {
    PressureResult result;
    if (fluid.count == 0)
        return result;
    unknowns_.resize(fluid.count);
    for_each(device, fluid.count,
             EquationOfState<D>{fluid, settings_.sound_speed, settings_.gamma,
                                settings_.rest_density, unknowns_.data()});
    for_each(device, fluid.count, Accelerate<D>{fluid, unknowns_.data(), step.dt, predicted});
    if (fluid.coupling) {
        fluid.coupling->accelerate(device, unknowns_.data());
        fluid.coupling->apply(device, step.dt);
    }
    const ErrorSum errors =
        reduce(device, fluid.count, ErrorSum{0, 0}, Compression{fluid.density}, JoinErrors{});
    result.avg_error = errors.sum / static_cast<double>(fluid.count);
    result.max_error = errors.max;
    return result;
}

template <int D>
double Wcsph<D>::longest_step(double spacing, double max_speed, double cfl) const {
    return cfl * spacing / (settings_.sound_speed + max_speed);
}

template class Wcsph<2>;
template class Wcsph<3>;

}  // namespace millrace
