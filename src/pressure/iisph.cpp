#include "pressure/iisph.hpp"

namespace millrace {

template <int D>
Iisph<D>::Iisph(const Device& device, const PressureSettings& settings)
    : settings_(settings),
      system_(device, {settings.relaxation, false, settings.rest_density}),
      iteration_(device, settings.linear_solver) {}

template <int D>
PressureResult Iisph<D>::solve(const Device& device, const FluidView<D>& fluid,
                               VectorView<D> predicted, const StepLength& step) {
    if (fluid.count == 0)
        return {};
    system_.prepare(device, fluid, predicted, step.dt);
    system_.add_density_source(device, fluid, step.correction(), step.most, step.freedom);
    if (settings_.warm_start)
        system_.start_from(device, fluid, fluid.divergence_pressure, 0.5f);
    else
        system_.start_from_zero();
    const IterationResult solved =
        iteration_.solve(device, fluid, system_, step.dt, step.allowed(settings_.stop));
    system_.apply(device, fluid, predicted, step.dt);
    system_.store(device, fluid, fluid.pressure, 1 - step.share, step.share);
    system_.store_start(device, fluid, fluid.divergence_pressure, step.share);
    return {solved.iterations, 0, solved.avg_error, solved.max_error, solved.converged};
}

template class Iisph<2>;
template class Iisph<3>;

}  // namespace millrace
