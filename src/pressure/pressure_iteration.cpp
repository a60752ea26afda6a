#include "pressure/pressure_iteration.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

struct ErrorSum {
    double compression, residual;
    float max;
};

// The natural residual of the complementarity problem: |A p - s| where p > 0, its positive part
// where p = 0.
struct Errors {
    const float* error;
    const float* unknowns;
    const float* updated;
    const float* weights;
    MILLRACE_HD ErrorSum operator()(std::uint32_t i) const {
        const float e = fmaxf(0.0f, error[i]);
        const float change = fabsf(updated[i] - unknowns[i]);
        return {e, weights[i] > 0 ? change / weights[i] : 0.0f, e};
    }
};

struct JoinErrors {
    MILLRACE_HD ErrorSum operator()(ErrorSum a, ErrorSum b) const {
        return {a.compression + b.compression, a.residual + b.residual, fmaxf(a.max, b.max)};
    }
};

// |g|^2 in the norm of the diagonal, g_i = Q_i - (Q_i + omega_i e_i)+.
struct GradientNorm {
    const float* unknowns;
    const float* updated;
    const float* weights;
    MILLRACE_HD double operator()(std::uint32_t i) const {
        const double g = double(updated[i]) - unknowns[i];
        return weights[i] > 0 ? g * g / weights[i] : 0.0;
    }
};

struct Add {
    MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

// beta = |g|^2 / |g of the last iteration|^2; Q <- (Q - g + beta d)+, d <- beta d - g.
// beta > 1 means that the method does not get ahead: it starts anew from the gradient.
struct Conjugate {
    const double* norm;
    const double* last_norm;  ///< null in the first iteration
    const float* unknowns;
    float* updated;
    float* direction;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const double ratio = last_norm && *last_norm > 0 ? *norm / *last_norm : 0;
        const float beta = ratio < 1 ? static_cast<float>(ratio) : 0.0f;
        const float old = last_norm ? beta * direction[i] : 0.0f;
        direction[i] = updated[i] - unknowns[i] + old;
        updated[i] = fmaxf(0.0f, updated[i] + old);
    }
};

}  // namespace

template <int D>
PressureIteration<D>::PressureIteration(const Device& device, LinearSolver solver)
    : solver_(solver), direction_(device), norms_(device) {
    if (solver_ == LinearSolver::nncg)
        norms_.resize(2);
}

template <int D>
void PressureIteration<D>::conjugate(const Device& device, const FluidView<D>& fluid,
                                     PressureSystem<D>& system, int iteration) {
    direction_.resize(fluid.count);
    double* norm = norms_.data() + iteration % 2;
    const double* last_norm = iteration > 1 ? norms_.data() + (iteration + 1) % 2 : nullptr;
    reduce_into(
        device, fluid.count, 0.0,
        GradientNorm{system.unknowns().data(), system.updated().data(), system.weights().data()},
        Add{}, norm);
    for_each(device, fluid.count,
             Conjugate{norm, last_norm, system.unknowns().data(), system.updated().data(),
                       direction_.data()});
}

template <int D>
IterationResult PressureIteration<D>::solve(const Device& device, const FluidView<D>& fluid,
                                            PressureSystem<D>& system, float dt,
                                            const StoppingRule& rule) {
    IterationResult result;
    int next_check = rule.min_iterations > 1 ? rule.min_iterations : 1;
    for (;;) {
        system.accelerate(device, fluid);
        system.update(device, fluid, dt);
        ++result.iterations;
        if (result.iterations >= next_check || result.iterations >= rule.max_iterations) {
            const ErrorSum errors = reduce(device, fluid.count, ErrorSum{0, 0, 0},
                                           Errors{system.error().data(), system.unknowns().data(),
                                                  system.updated().data(), system.weights().data()},
                                           JoinErrors{});
            const double n = fluid.count;
            result.avg_error = errors.compression / n;
            result.max_error = errors.max;
            result.converged =
                errors.residual / n <= rule.avg_error && result.avg_error <= rule.avg_error &&
                result.max_error <= rule.max_error && result.iterations >= rule.min_iterations;
            if (result.converged || result.iterations >= rule.max_iterations)
                return result;
            next_check = result.iterations + 1 + result.iterations / 8;
        }
        if (solver_ == LinearSolver::nncg)
            conjugate(device, fluid, system, result.iterations);
        std::swap(system.unknowns(), system.updated());
    }
}

template <int D>
std::size_t PressureIteration<D>::bytes() const {
    return direction_.bytes() + norms_.bytes();
}

template class PressureIteration<2>;
template class PressureIteration<3>;

}  // namespace millrace
