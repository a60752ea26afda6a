#include "pressure/pcisph.hpp"

namespace millrace {

template <int D>
Pcisph<D>::Pcisph(const Device& device, const PressureSettings& settings)
    : settings_(settings),
      system_(device, {settings.relaxation, true, settings.rest_density}),
      iteration_(device, LinearSolver::jacobi) {}

template <int D>
PressureResult Pcisph<D>::solve(const Device& device, const FluidView<D>& fluid,
                                VectorView<D> predicted, const StepLength& step) {
    if (fluid.count == 0)
        return {};
    system_.prepare(device, fluid, predicted, step.dt);
    system_.add_density_source(device, fluid, step.correction(), step.most, step.freedom);
    system_.start_from_zero();
    const IterationResult solved =
        iteration_.solve(device, fluid, system_, step.dt, step.allowed(settings_.stop));
    system_.apply(device, fluid, predicted, step.dt);
    system_.store(device, fluid, fluid.pressure, 1 - step.share, step.share);
    return {solved.iterations, 0, solved.avg_error, solved.max_error, solved.converged};
}

template class Pcisph<2>;
template class Pcisph<3>;

}  // namespace millrace
