#include "pressure/pressure_iteration.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

// Where the packing is irregular, a Jacobi step with S1's omega may be too long for single places:
// a mode swings there, its residual makes the whole method start anew every time, and nothing gets
// ahead. So each new start shortens the steps, to half at most.
constexpr float k_shorter = 0.7f, k_shortest = 0.5f;

// beta = |g|^2 / |g of the last iteration|^2; Q <- (Q - s g + beta d)+, d <- beta d - s g.
// beta > 1 means that the method does not get ahead: it starts anew from the gradient, with a
// smaller s.
struct Conjugate {
    const IterationSums* now;
    const IterationSums* last;  ///< null in the first iteration
    const float* unknowns;
    float* updated;
    float* direction;
    const float* scale;  ///< s of the last iteration
    float* next_scale;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float ratio = last && last->norm > 0 ? now->norm / last->norm : 0.0f;
        const float beta = ratio < 1 ? ratio : 0.0f;
        const float old = last ? beta * direction[i] : 0.0f;
        const float s = !last ? 1.0f : (ratio < 1 ? *scale : fmaxf(k_shortest, k_shorter * *scale));
        if (i == 0)
            *next_scale = s;
        direction[i] = s * (updated[i] - unknowns[i]) + old;
        updated[i] = fmaxf(0.0f, unknowns[i] + direction[i]);
    }
};

}  // namespace

template <int D>
PressureIteration<D>::PressureIteration(const Device& device, LinearSolver solver)
    : solver_(solver), direction_(device), scales_(device, 2), sums_(device, 2) {}

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
                               system.updated().data(), direction_.data(),
                               scales_.data() + (result.iterations + 1) % 2,
                               scales_.data() + result.iterations % 2});
        }
        std::swap(system.unknowns(), system.updated());
    }
}

template <int D>
std::size_t PressureIteration<D>::bytes() const {
    return direction_.bytes() + scales_.bytes() + sums_.bytes();
}

template class PressureIteration<2>;
template class PressureIteration<3>;

}  // namespace millrace
