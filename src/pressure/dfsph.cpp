#include "pressure/dfsph.hpp"

#include <algorithm>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

constexpr float k_freedom = 0.1f;
constexpr float k_density_start = 0.5f;

// Between the solves: the pressures of the last step's density solve are needed for a start, and
// those of the divergence solve are all the pressure that there is so far.
struct SplitPressure {
    float* pressure;  ///< in: both; out: that of the density solve
    const float* divergence_pressure;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        pressure[i] = fmaxf(0.0f, pressure[i] - divergence_pressure[i]);
    }
};

struct Copy {
    const float* from;
    float* to;
    MILLRACE_HD void operator()(std::uint32_t i) const { to[i] = from[i]; }
};

}  // namespace

template <int D>
Dfsph<D>::Dfsph(const Device& device, const PressureSettings& settings)
    : settings_(settings),
      system_(device, {settings.relaxation, false, settings.rest_density}),
      iteration_(device, settings.linear_solver) {}

template <int D>
PressureResult Dfsph<D>::solve(const Device& device, const FluidView<D>& fluid,
                               VectorView<D> predicted, const StepLength& step) {
    const std::size_t n = fluid.count;
    if (n == 0)
        return {};
    system_.prepare(device, fluid, predicted, step.dt);
    for_each(device, n, SplitPressure{fluid.pressure, fluid.divergence_pressure});

    IterationResult divergence;
    const float freedom = k_freedom * step.correction;
    if (settings_.divergence_iterations > 0) {
        system_.add_freedom(device, fluid, freedom);
        if (settings_.warm_start)
            system_.start_from(device, fluid, fluid.divergence_pressure, 1);
        else
            system_.start_from_zero();
        const StoppingRule rule{settings_.divergence_error, settings_.stop.max_error, 1,
                                settings_.divergence_iterations};
        divergence = iteration_.solve(device, fluid, system_, step.dt, rule);
        system_.apply(device, fluid, predicted, step.dt);
        system_.store(device, fluid, fluid.divergence_pressure, false);
        system_.density_source_from_error(device, fluid, step.correction, step.most, freedom);
    } else {
        system_.add_density_source(device, fluid, step.correction, step.most);
    }

    if (settings_.warm_start)
        system_.start_from(device, fluid, fluid.pressure,
                           k_density_start * step.warm_scale * step.warm_scale);
    else
        system_.start_from_zero();
    StoppingRule rule = settings_.stop;
    rule.min_iterations = std::max(1, rule.min_iterations - divergence.iterations);
    const IterationResult density = iteration_.solve(device, fluid, system_, step.dt, rule);
    system_.apply(device, fluid, predicted, step.dt);
    for_each(device, n, Copy{fluid.divergence_pressure, fluid.pressure});
    system_.store(device, fluid, fluid.pressure, true);
    return {density.iterations, divergence.iterations, density.avg_error, density.max_error,
            density.converged};
}

template class Dfsph<2>;
template class Dfsph<3>;

}  // namespace millrace
