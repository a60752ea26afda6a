#include "pressure/pressure_system.hpp"

#include <cmath>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

// Below this part of a full neighbourhood's diagonal the pressure is left at zero (S1 Eq. 3.62).
constexpr float k_least_diagonal = 1e-5f;

template <int D>
struct Prepare {
    FluidView<D> f;
    VectorView<D> predicted;
    float dt;
    typename PressureSystem<D>::Options options;
    float lattice_diagonal, lattice_volume;
    float* weights;
    float* source;
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
        const float volume = f.volume[i], full = lattice_diagonal / f.rest_density[i];
        // -A_ii delta_i^2 / dt^2
        const float bodies = volume * f.moving.diagonal(i);
        const float own =
            squared_norm(g) / f.rest_density[i] + volume * sum_lanes(squares) + bodies;
        const float relative = volume / lattice_volume;
        // Jacobi with less than the particle's own would diverge, as under a heavy lid
        const float diagonal =
            options.lattice_diagonal ? fmaxf(full * relative * relative + bodies, own) : own;
        weights[i] = own > k_least_diagonal * full
                         ? options.relaxation * volume / (dt * dt * diagonal)
                         : 0.0f;
        source[i] =
            -dt * (sum_lanes(approach) + dot(v_i, wall) - f.moving.approach(i, f.moving.predicted));
        gradient_sum.set(i, g);
    }
};

template <int D>
struct Start {
    FluidView<D> f;
    const float* pressure;
    float factor;
    bool rest_density;
    const float* weights;
    float* unknowns;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float delta = rest_density ? 1.0f : f.density[i];
        unknowns[i] = weights[i] > 0 ? f.volume[i] * factor * pressure[i] / (delta * delta) : 0.0f;
    }
};

template <int D>
struct Store {
    FluidView<D> f;
    const float* unknowns;
    bool rest_density;
    float kept, share;
    float* pressure;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        pressure[i] = kept * pressure[i] + share * pressure_of(i);
    }
    MILLRACE_HD float pressure_of(std::uint32_t i) const {
        const float delta = rest_density ? 1.0f : f.density[i];
        return unknowns[i] * delta * delta / f.volume[i];
    }
};

template <int D>
struct StoreStart {
    Store<D> store;
    const float* updated;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float p = updated[i] > 0 ? store.pressure_of(i) : 0.0f, last = store.pressure[i];
        store.pressure[i] = p > last ? last + store.share * (p - last) : p;
    }
};

template <int D>
struct AddDensitySource {
    FluidView<D> f;
    float correction, most, freedom;
    float* source;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float lack = 1.0f - f.density[i];
        source[i] += lack < 0 ? fmaxf(-most, correction * lack) : freedom * lack;
    }
};

template <int D>
struct AddFreedom {
    FluidView<D> f;
    float part;
    float* source;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        source[i] += part * fmaxf(0.0f, 1.0f - f.density[i]);
    }
};

template <int D>
struct DensitySourceFromError {
    FluidView<D> f;
    float correction, most, part, freedom;
    const float* error;
    float* source;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float lack = 1.0f - f.density[i];
        source[i] =
            (lack < 0 ? fmaxf(-most, correction * lack) : (freedom - part) * lack) - error[i];
    }
};

template <int D>
struct Accelerate {
    FluidView<D> f;
    const float* unknowns;
    VectorView<D> gradient_sum;
    VectorView<D> weighted_acceleration;

    MILLRACE_HD void operator()(std::uint32_t i) const {
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                sum += x_ij * (load_lanes(unknowns, j) * f.kernel.gradient_factor(r2));
            });
        const float volume = f.volume[i];
        const Vec<D> own = gradient_sum.get(i) * (unknowns[i] / volume);
        weighted_acceleration.set(i, (sum_lanes(sum) + own) * (-volume / f.rest_density[i]));
    }
};

template <int D>
struct Update {
    FluidView<D> f;
    float dt;
    const float* source;
    const float* weights;
    const float* unknowns;
    VectorView<D> gradient_sum;
    VectorView<D> weighted_acceleration;
    float* error;
    float* updated;

    MILLRACE_HD IterationSums operator()(std::uint32_t i) const {
        Lanes sum(0.0f);
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
                sum += dot(weighted_acceleration.lanes(j), x_ij) * f.kernel.gradient_factor(r2);
            });
        const Vec<D> a_i = weighted_acceleration.get(i) / f.volume[i];
        const float product = dt * dt *
                              (dot(a_i, gradient_sum.get(i)) - sum_lanes(sum) -
                               f.moving.approach(i, f.moving.acceleration));
        const float e = product - source[i], weight = weights[i], q = unknowns[i];
        const float q_next = fmaxf(0.0f, q + weight * e);
        error[i] = e;
        updated[i] = q_next;
        // the natural residual of the complementarity problem: |A p - s| where p > 0, its positive
        // part where p = 0
        const float change = fabsf(q_next - q), residual = weight > 0 ? change / weight : 0.0f;
        const float compression = fmaxf(0.0f, e);
        return {compression, residual, change * residual, compression};
    }
};

struct JoinSums {
    MILLRACE_HD IterationSums operator()(const IterationSums& a, const IterationSums& b) const {
        return {a.compression + b.compression, a.residual + b.residual, a.norm + b.norm,
                fmaxf(a.max, b.max)};
    }
};

template <int D>
struct Apply {
    FluidView<D> f;
    float dt;
    VectorView<D> weighted_acceleration;
    VectorView<D> velocity;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        velocity.set(i, velocity.get(i) + weighted_acceleration.get(i) * (dt / f.volume[i]));
    }
};

}  // namespace

template <int D>
float lattice_diagonal(const CubicSpline<D>& kernel, float spacing) {
    const int reach = static_cast<int>(std::ceil(kernel.support() / spacing));
    double volume = 1, squares = 0;
    for (int k = 0; k < D; ++k)
        volume *= spacing;
    // the sum of the gradients themselves is 0 by symmetry
    const int depth = D == 3 ? reach : 0;
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -depth; z <= depth; ++z) {
                const double r2 = (x * x + y * y + z * z) * double(spacing) * spacing;
                const double factor = kernel.gradient_factor(static_cast<float>(r2));
                squares += factor * factor * r2;
            }
    return static_cast<float>(volume * volume * squares);
}

template <int D>
PressureSystem<D>::PressureSystem(const Device& device, const Options& options)
    : options_(options),
      unknowns_(device),
      updated_(device),
      weights_(device),
      source_(device),
      error_(device),
      gradient_sum_(device),
      weighted_acceleration_(device) {}

template <int D>
void PressureSystem<D>::prepare(const Device& device, const FluidView<D>& fluid,
                                VectorView<D> predicted, float dt) {
    const std::size_t n = fluid.count;
    for (Buffer<float>* buffer : {&unknowns_, &updated_, &weights_, &source_, &error_})
        buffer->resize(n);
    gradient_sum_.resize(n);
    weighted_acceleration_.resize(n);
    float volume = 1;
    for (int k = 0; k < D; ++k)
        volume *= fluid.spacing;
    for_each(
        device, n,
        Prepare<D>{fluid, predicted, dt, options_, lattice_diagonal(fluid.kernel, fluid.spacing),
                   volume, weights_.data(), source_.data(), gradient_sum_.view()});
}

template <int D>
void PressureSystem<D>::start_from(const Device& device, const FluidView<D>& fluid,
                                   const float* pressure, float factor) {
    for_each(device, fluid.count,
             Start<D>{fluid, pressure, factor, options_.rest_density, weights_.data(),
                      unknowns_.data()});
}

template <int D>
void PressureSystem<D>::start_from_zero() {
    unknowns_.zero();
}

template <int D>
void PressureSystem<D>::add_density_source(const Device& device, const FluidView<D>& fluid,
                                           float correction, float most, float freedom) {
    for_each(device, fluid.count,
             AddDensitySource<D>{fluid, correction, most, freedom, source_.data()});
}

template <int D>
void PressureSystem<D>::add_freedom(const Device& device, const FluidView<D>& fluid, float part) {
    for_each(device, fluid.count, AddFreedom<D>{fluid, part, source_.data()});
}

template <int D>
void PressureSystem<D>::density_source_from_error(const Device& device, const FluidView<D>& fluid,
                                                  float correction, float most, float part,
                                                  float freedom) {
    for_each(device, fluid.count,
             DensitySourceFromError<D>{fluid, correction, most, part, freedom, error_.data(),
                                       source_.data()});
}

template <int D>
void PressureSystem<D>::accelerate(const Device& device, const FluidView<D>& fluid) {
    for_each(device, fluid.count,
             Accelerate<D>{fluid, unknowns_.data(), gradient_sum_.view(),
                           weighted_acceleration_.view()});
    if (fluid.coupling)
        fluid.coupling->accelerate(device, unknowns_.data());
}

template <int D>
void PressureSystem<D>::update(const Device& device, const FluidView<D>& fluid, float dt,
                               IterationSums* sums) {
    for_each_reduce(device, fluid.count, IterationSums{},
                    Update<D>{fluid, dt, source_.data(), weights_.data(), unknowns_.data(),
                              gradient_sum_.view(), weighted_acceleration_.view(), error_.data(),
                              updated_.data()},
                    JoinSums{}, sums);
}

template <int D>
void PressureSystem<D>::apply(const Device& device, const FluidView<D>& fluid,
                              VectorView<D> predicted, float dt) {
    for_each(device, fluid.count, Apply<D>{fluid, dt, weighted_acceleration_.view(), predicted});
    if (fluid.coupling)
        fluid.coupling->apply(device, dt);
}

template <int D>
void PressureSystem<D>::store(const Device& device, const FluidView<D>& fluid, float* pressure,
                              float kept, float share) {
    for_each(device, fluid.count,
             Store<D>{fluid, unknowns_.data(), options_.rest_density, kept, share, pressure});
}

template <int D>
void PressureSystem<D>::store_start(const Device& device, const FluidView<D>& fluid,
                                    float* pressure, float share) {
    for_each(
        device, fluid.count,
        StoreStart<D>{{fluid, unknowns_.data(), options_.rest_density, 1 - share, share, pressure},
                      updated_.data()});
}

template <int D>
std::size_t PressureSystem<D>::bytes() const {
    return unknowns_.bytes() + updated_.bytes() + weights_.bytes() + source_.bytes() +
           error_.bytes() + gradient_sum_.bytes() + weighted_acceleration_.bytes();
}

template class PressureSystem<2>;
template class PressureSystem<3>;
template float lattice_diagonal(const CubicSpline<2>&, float);
template float lattice_diagonal(const CubicSpline<3>&, float);

}  // namespace millrace
