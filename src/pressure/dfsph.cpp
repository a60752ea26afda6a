#include "pressure/dfsph.hpp"

#include <algorithm>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

constexpr float k_freedom = 0.1f;
constexpr float k_density_start = 0.5f;

// What the density solve of the last step brought.
struct DensityPart {
    const float* pressure;  ///< of both
    const float* divergence_pressure;
    float* part;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        part[i] = fmaxf(0.0f, pressure[i] - divergence_pressure[i]);
    }
};

}  // namespace

template <int D>
Dfsph<D>::Dfsph(const Device& device, const PressureSettings& settings)
    : settings_(settings),
      system_(device, {settings.relaxation, false, settings.rest_density}),
      density_part_(device),
      iteration_(device, settings.linear_solver) {}

template <int D>
PressureResult Dfsph<D>::solve(const Device& device, const FluidView<D>& fluid,
                               VectorView<D> predicted, const StepLength& step) {
    const std::size_t n = fluid.count;
    if (n == 0)
        return {};
    system_.prepare(device, fluid, predicted, step.dt);
    density_part_.resize(n);
    for_each(device, n,
             DensityPart{fluid.pressure, fluid.divergence_pressure, density_part_.data()});

    IterationResult divergence;
    const float freedom = k_freedom * step.correction();
    if (settings_.divergence_iterations > 0) {
        system_.add_freedom(device, fluid, freedom);
        if (settings_.warm_start)
            system_.start_from(device, fluid, fluid.divergence_pressure, 1);
        else
            system_.start_from_zero();
        const StoppingRule rule{settings_.divergence_error, settings_.stop.max_error, 1,
                                settings_.divergence_iterations};
        divergence = iteration_.solve(device, fluid, system_, step.dt, step.allowed(rule));
        system_.apply(device, fluid, predicted, step.dt);
        system_.store_start(device, fluid, fluid.divergence_pressure, step.share);
        system_.store(device, fluid, fluid.pressure, 1 - step.share, step.share);
        system_.density_source_from_error(device, fluid, step.correction(), step.most, freedom,
                                          step.freedom);
    } else {
        system_.add_density_source(device, fluid, step.correction(), step.most, step.freedom);
    }
    const float kept = settings_.divergence_iterations > 0 ? 1 : 1 - step.share;

    if (settings_.warm_start)
        // short steps undo little at once, and what they did says nothing about the next
        system_.start_from(device, fluid, density_part_.data(), k_density_start * step.share);
    else
        system_.start_from_zero();
    StoppingRule rule = step.allowed(settings_.stop);
    rule.min_iterations = std::max(1, rule.min_iterations - divergence.iterations);
    const IterationResult density = iteration_.solve(device, fluid, system_, step.dt, rule);
    system_.apply(device, fluid, predicted, step.dt);
    system_.store(device, fluid, fluid.pressure, kept, step.share);
    return {density.iterations, divergence.iterations, density.avg_error, density.max_error,
            density.converged};
}

template class Dfsph<2>;
template class Dfsph<3>;

}  // namespace millrace
