#include "pressure/pressure_iteration.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

// beta = |g|^2 / |g of the last iteration|^2; Q <- (Q - g + beta d)+, d <- beta d - g.
// beta > 1 means that the method does not get ahead: it starts anew from the gradient.
struct Conjugate {
    const IterationSums* now;
    const IterationSums* last;  ///< null in the first iteration
    const float* unknowns;
    float* updated;
    float* direction;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float ratio = last && last->norm > 0 ? now->norm / last->norm : 0.0f;
        const float beta = ratio < 1 ? ratio : 0.0f;
        const float old = last ? beta * direction[i] : 0.0f;
        direction[i] = updated[i] - unknowns[i] + old;
        updated[i] = fmaxf(0.0f, updated[i] + old);
    }
};

}  // namespace

template <int D>
PressureIteration<D>::PressureIteration(const Device& device, LinearSolver solver)
    : solver_(solver), direction_(device), sums_(device, 2) {}

template <int D>
IterationResult PressureIteration<D>::solve(const Device& device, const FluidView<D>& fluid,
                                            PressureSystem<D>& system, float dt,
                                            const StoppingRule& rule) {
    const std::size_t n = fluid.count;
    const bool nncg = solver_ == LinearSolver::nncg;
    if (nncg)
        direction_.resize(n);
    IterationResult result;
    int next_check = rule.min_iterations > 1 ? rule.min_iterations : 1;
    for (;;) {
        system.accelerate(device, fluid);
        const bool first = ++result.iterations == 1;
        IterationSums* const now = sums_.data() + result.iterations % 2;
        system.update(device, fluid, dt, now);
        const bool check =
            result.iterations >= next_check || result.iterations >= rule.max_iterations;
        if (check) {
            IterationSums sums;
            device.download(&sums, now, sizeof sums);
            result.avg_error = double(sums.compression) / static_cast<double>(n);
            result.max_error = sums.max;
            const double excess =
                (double(sums.residual) - sums.compression) / static_cast<double>(n);
            result.converged =
                excess <= 0.5 * rule.avg_error && result.avg_error <= rule.avg_error &&
                result.max_error <= rule.max_error && result.iterations >= rule.min_iterations;
            if (result.converged || result.iterations >= rule.max_iterations)
                return result;
            next_check = result.iterations + 1 + result.iterations / 8;
        }
        if (nncg) {
            const IterationSums* const last = sums_.data() + (result.iterations + 1) % 2;
            for_each(device, n,
                     Conjugate{now, first ? nullptr : last, system.unknowns().data(),
                               system.updated().data(), direction_.data()});
        }
        std::swap(system.unknowns(), system.updated());
    }
}

template <int D>
std::size_t PressureIteration<D>::bytes() const {
    return direction_.bytes() + sums_.bytes();
}

template class PressureIteration<2>;
template class PressureIteration<3>;

}  // namespace millrace
