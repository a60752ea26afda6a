#include "pressure/iisph.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

// Below this part of a full neighbourhood's diagonal the pressure is left at zero (S1 Eq. 3.62).
constexpr float k_least_diagonal = 1e-5f;

// The whole set of equations is written for the relative density delta = rho / rho0 and the
// volumes V = m / rho0. With P = p / delta^2 and g_i = sum_j V_j grad W_ij + sum_k V_k grad W_ik:
//
//     a_i     = -1/rho0_i ( sum_j V_j P_j grad W_ij + P_i g_i )                       S1 Eq. 4.8
//     (A p)_i = dt^2 ( a_i . g_i - sum_j V_j a_j . grad W_ij )                        S1 Eq. 3.39
//     A_ii    = -dt^2/delta_i^2 ( |g_i|^2 / rho0_i
//                                 + V_i sum_j V_j / rho0_j |grad W_ij|^2 )            S1 Eq. 3.60
//     s_i     = 1 - delta_i - dt ( sum_j V_j v*_ij . grad W_ij
//                                  + sum_k V_k v*_i . grad W_ik )                     S1 Eq. 3.35
//
// A step that was cut short undoes only a part of the compression 1 - delta_i < 0 that is there:
// to undo it all in a tiny step would take speeds that grow as 1/dt.
//
// g_i does not change during the iterations, so that they need not look at the walls again.

template <int D>
struct Prepare {
    FluidView<D> f;
    VectorView<D> predicted;
    float dt, correction;
    bool warm_start;
    float relaxation;
    float least_diagonal;
    float* diagonal;
    float* source;
    float* weighted_pressure;
    VectorView<D> gradient_sum;

    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x_i = f.position.get(i);
        const Vec<D> v_i = predicted.get(i);
        const Vec<D, Lanes> v_i_lanes = spread(v_i);
        const Vec<D, Lanes> zero = Vec<D, Lanes>::all(Lanes(0.0f));
        Vec<D, Lanes> fluid_sum = zero, wall_sum = zero;
        Lanes squares(0.0f), approach(0.0f);
        f.fluid_neighbors.for_each(i, x_i, [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
            const Lanes v_j = load_lanes(f.volume, j);
            const Lanes factor = f.kernel.gradient_factor(r2);
            const Vec<D, Lanes> v_grad_w = x_ij * (v_j * factor);
            fluid_sum += v_grad_w;
            // lanes without a neighbour may hold no density at all
            squares +=
                dot(v_grad_w, x_ij) * factor / max(load_lanes(f.rest_density, j), Lanes(1e-6f));
            approach += dot(v_i_lanes - predicted.lanes(j), v_grad_w);
        });
        f.wall_neighbors.for_each(i, x_i, [&](LaneIndex k, const Vec<D, Lanes>& x_ik, Lanes r2) {
            wall_sum += x_ik * (load_lanes(f.wall_volume, k) * f.kernel.gradient_factor(r2));
        });
        const Vec<D> wall = sum_lanes(wall_sum);
        const Vec<D> g = sum_lanes(fluid_sum) + wall;
        const float delta = f.density[i], volume = f.volume[i];
        const float a_ii = -dt * dt / (delta * delta) *
                           (squared_norm(g) / f.rest_density[i] + volume * sum_lanes(squares));
        const float lack = delta > 1.0f ? correction * (1.0f - delta) : 1.0f - delta;
        const float s = lack - dt * (sum_lanes(approach) + dot(v_i, wall));

        const float p = warm_start ? 0.5f * f.pressure[i]  // S1 Eq. 3.63
                        : -a_ii > least_diagonal
                            ? fmaxf(0.0f, relaxation * s / a_ii)  // S1 Eq. 3.64
                            : 0.0f;
        f.pressure[i] = p;
        weighted_pressure[i] = volume * p / (delta * delta);
        diagonal[i] = a_ii;
        source[i] = s;
        gradient_sum.set(i, g);
    }
};

template <int D>
struct Accelerate {
    FluidView<D> f;
    const float* weighted_pressure;
    VectorView<D> gradient_sum;
    VectorView<D> weighted_acceleration;

    MILLRACE_HD void operator()(std::uint32_t i) const {
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                sum += x_ij * (load_lanes(weighted_pressure, j) * f.kernel.gradient_factor(r2));
            });
        const float volume = f.volume[i];
        const Vec<D> own = gradient_sum.get(i) * (weighted_pressure[i] / volume);
        weighted_acceleration.set(i, (sum_lanes(sum) + own) * (-volume / f.rest_density[i]));
    }
};

template <int D>
struct PredictError {
    FluidView<D> f;
    float dt;
    const float* source;
    VectorView<D> gradient_sum;
    VectorView<D> weighted_acceleration;
    float* error;

    MILLRACE_HD void operator()(std::uint32_t i) const {
        Lanes sum(0.0f);
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                sum += dot(weighted_acceleration.lanes(j), x_ij) * f.kernel.gradient_factor(r2);
            });
        const Vec<D> a_i = weighted_acceleration.get(i) / f.volume[i];
        const float product = dt * dt * (dot(a_i, gradient_sum.get(i)) - sum_lanes(sum));
        error[i] = product - source[i];
    }
};

// p <- (p + omega (s - A p) / A_ii)+ (S1 Eq. 3.62 with the sign of A_ii)
template <int D>
struct Relax {
    FluidView<D> f;
    float relaxation;
    float least_diagonal;
    const float* diagonal;
    const float* error;
    float* weighted_pressure;

    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float a_ii = diagonal[i], delta = f.density[i];
        const float p = -a_ii > least_diagonal
                            ? fmaxf(0.0f, f.pressure[i] - relaxation * error[i] / a_ii)
                            : 0.0f;
        f.pressure[i] = p;
        weighted_pressure[i] = f.volume[i] * p / (delta * delta);
    }
};

template <int D>
struct Accept {
    FluidView<D> f;
    float dt;
    VectorView<D> weighted_acceleration;
    VectorView<D> velocity;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        velocity.set(i, velocity.get(i) + weighted_acceleration.get(i) * (dt / f.volume[i]));
    }
};

struct ErrorSum {
    double sum;
    float max;
};

struct Compression {
    const float* error;
    MILLRACE_HD ErrorSum operator()(std::uint32_t i) const {
        const float e = fmaxf(0.0f, error[i]);
        return {e, e};
    }
};

struct JoinErrors {
    MILLRACE_HD ErrorSum operator()(ErrorSum a, ErrorSum b) const {
        return {a.sum + b.sum, fmaxf(a.max, b.max)};
    }
};

// |A_ii| of a particle in the middle of a lattice, per dt^2 and unit rest density: the sum of
// V^2 |grad W|^2 is about |grad W|^2 V at one spacing times a handful of neighbours.
template <int D>
float full_diagonal(const FluidView<D>& f) {
    const float h = f.spacing;
    float volume = 1;
    for (int k = 0; k < D; ++k)
        volume *= h;
    const float gradient = f.kernel.gradient_factor(h * h) * h * volume;
    return 2 * D * gradient * gradient;
}

}  // namespace

template <int D>
Iisph<D>::Iisph(const Device& device, const PressureSettings& settings)
    : settings_(settings),
      diagonal_(device),
      source_(device),
      error_(device),
      weighted_pressure_(device),
      gradient_sum_(device),
      weighted_acceleration_(device) {}

namespace {

template <int D>
float least_diagonal(const FluidView<D>& f, float dt) {
    // rest densities of liquids are within a few powers of ten of water's
    return k_least_diagonal * dt * dt * full_diagonal(f) / 1000.0f;
}

}  // namespace

template <int D>
void Iisph<D>::prepare(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                       float dt, float correction) {
    const std::size_t n = fluid.count;
    diagonal_.resize(n);
    source_.resize(n);
    error_.resize(n);
    weighted_pressure_.resize(n);
    gradient_sum_.resize(n);
    weighted_acceleration_.resize(n);
    for_each(device, n,
             Prepare<D>{fluid, predicted, dt, correction, settings_.warm_start,
                        settings_.relaxation, least_diagonal(fluid, dt), diagonal_.data(),
                        source_.data(), weighted_pressure_.data(), gradient_sum_.view()});
}

template <int D>
void Iisph<D>::accelerate(const Device& device, const FluidView<D>& fluid) {
    for_each(device, fluid.count,
             Accelerate<D>{fluid, weighted_pressure_.data(), gradient_sum_.view(),
                           weighted_acceleration_.view()});
}

template <int D>
void Iisph<D>::predict_error(const Device& device, const FluidView<D>& fluid, float dt) {
    for_each(device, fluid.count,
             PredictError<D>{fluid, dt, source_.data(), gradient_sum_.view(),
                             weighted_acceleration_.view(), error_.data()});
}

template <int D>
void Iisph<D>::relax(const Device& device, const FluidView<D>& fluid, float dt) {
    for_each(device, fluid.count,
             Relax<D>{fluid, settings_.relaxation, least_diagonal(fluid, dt), diagonal_.data(),
                      error_.data(), weighted_pressure_.data()});
}

template <int D>
PressureResult Iisph<D>::solve(const Device& device, const FluidView<D>& fluid,
                               VectorView<D> predicted, float dt, float correction) {
    PressureResult result;
    const std::size_t n = fluid.count;
    if (n == 0)
        return result;
    prepare(device, fluid, predicted, dt, correction);
    for (;;) {
        accelerate(device, fluid);
        predict_error(device, fluid, dt);
        const ErrorSum errors =
            reduce(device, n, ErrorSum{0, 0}, Compression{error_.data()}, JoinErrors{});
        ++result.iterations;
        result.avg_error = errors.sum / static_cast<double>(n);
        result.max_error = errors.max;
        result.converged = result.avg_error <= settings_.avg_error &&
                           result.max_error <= settings_.max_error &&
                           result.iterations >= settings_.min_iterations;
        if (result.converged || result.iterations >= settings_.max_iterations)
            break;
        relax(device, fluid, dt);
    }
    // Pressures and accelerations belong together, and to the error that was measured last.
    for_each(device, n, Accept<D>{fluid, dt, weighted_acceleration_.view(), predicted});
    return result;
}

template <int D>
std::size_t Iisph<D>::bytes() const {
    return diagonal_.bytes() + source_.bytes() + error_.bytes() + weighted_pressure_.bytes() +
           gradient_sum_.bytes() + weighted_acceleration_.bytes();
}

template class Iisph<2>;
template class Iisph<3>;

}  // namespace millrace
