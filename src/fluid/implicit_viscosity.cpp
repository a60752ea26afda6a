#include "fluid/implicit_viscosity.hpp"

#include <cmath>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

// Places of the scalars: |r|^2 and |d|^2 after an even and after an odd number of iterations, and
// p . (1 - dt a) p. All products weigh the particles by their masses.
constexpr int k_norms = 0, k_curvature = 4, k_scalars = 5;

struct Norms {
    double residual2, change2;
};

template <int D>
struct Start {
    ViscousOperator<D> viscosity;
    VectorView<D> velocity;
    float dt;
    VectorView<D> change, residual, direction;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        // what moving walls pull comes in here alone
        const Vec<D> r = viscosity.acceleration(i, velocity) * dt;
        change.set(i, Vec<D>::all(0.0f));
        residual.set(i, r);
        direction.set(i, r);
    }
};

// The linear part of the operator: for walls that move, it takes them at rest.
template <int D>
struct Multiply {
    ViscousOperator<D> viscosity;
    float dt;
    VectorView<D> direction, product;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        product.set(i, direction.get(i) - viscosity.acceleration(i, direction) * dt);
    }
};

/// alpha = |r|^2 / p . (1 - dt a) p;  d += alpha p;  r -= alpha (1 - dt a) p
template <int D>
struct Advance {
    const Norms* norms;
    const double* curvature;
    VectorView<D> change, residual, direction, product;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        // rounding may have used up the residual
        const float alpha =
            *curvature > 0 ? static_cast<float>(norms->residual2 / *curvature) : 0.0f;
        change.set(i, change.get(i) + direction.get(i) * alpha);
        residual.set(i, residual.get(i) - product.get(i) * alpha);
    }
};

/// p = r + |r|^2 / |r before|^2 p
template <int D>
struct Turn {
    const Norms *before, *now;
    VectorView<D> residual, direction;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float beta =
            before->residual2 > 0 ? static_cast<float>(now->residual2 / before->residual2) : 0.0f;
        direction.set(i, residual.get(i) + direction.get(i) * beta);
    }
};

template <int D>
struct Apply {
    VectorView<D> change, velocity;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        velocity.set(i, velocity.get(i) + change.get(i));
    }
};

template <int D>
struct WeightedNorms {
    FluidView<D> f;
    VectorView<D> residual, change;
    MILLRACE_HD Norms operator()(std::uint32_t i) const {
        const double mass = double(f.rest_density[i]) * f.volume[i];
        return {mass * squared_norm(residual.get(i)), mass * squared_norm(change.get(i))};
    }
};

struct JoinNorms {
    MILLRACE_HD Norms operator()(const Norms& a, const Norms& b) const {
        return {a.residual2 + b.residual2, a.change2 + b.change2};
    }
};

template <int D>
struct WeightedProduct {
    FluidView<D> f;
    VectorView<D> a, b;
    MILLRACE_HD double operator()(std::uint32_t i) const {
        return double(f.rest_density[i]) * f.volume[i] * dot(a.get(i), b.get(i));
    }
};

struct Add {
    MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

}  // namespace

template <int D>
ViscosityResult ImplicitViscosity<D>::solve(const Device& device, const FluidView<D>& fluid,
                                            const WallFriction<D>& walls, VectorView<D> velocity,
                                            float dt, int max_iterations) {
    ViscosityResult result;
    const std::size_t n = fluid.count;
    if (n == 0)
        return result;
    change_.resize(n);
    residual_.resize(n);
    direction_.resize(n);
    product_.resize(n);
    scalars_.resize(k_scalars);
    const VectorView<D> d = change_.view(), r = residual_.view(), p = direction_.view(),
                        product = product_.view();
    const ViscousOperator<D> viscosity{fluid, walls};
    Norms* norms = reinterpret_cast<Norms*>(scalars_.data() + k_norms);
    double* curvature = scalars_.data() + k_curvature;
    const auto measure = [&](int place) {
        reduce_into(device, n, Norms{0, 0}, WeightedNorms<D>{fluid, r, d}, JoinNorms{},
                    norms + place);
    };
    for_each(device, n, Start<D>{viscosity, velocity, dt, d, r, p});
    measure(0);
    // a look at the norms makes the GPU wait for the host
    const int between_looks = device.on_gpu() ? 8 : 1;
    result.converged = false;
    for (;;) {
        const bool last = result.iterations >= max_iterations;
        if (last || result.iterations % between_looks == 0) {
            Norms now;
            device.download(&now, norms + result.iterations % 2, sizeof now);
            result.converged = now.residual2 <= k_tolerance * k_tolerance * now.change2;
            result.error = now.residual2 > 0 ? std::sqrt(now.residual2 / now.change2) : 0;
            if (result.converged || last || !std::isfinite(now.residual2))
                break;
        }
        for_each(device, n, Multiply<D>{{fluid, walls.at_rest()}, dt, p, product});
        reduce_into(device, n, 0.0, WeightedProduct<D>{fluid, p, product}, Add{}, curvature);
        const Norms* before = norms + result.iterations % 2;
        for_each(device, n, Advance<D>{before, curvature, d, r, p, product});
        ++result.iterations;
        measure(result.iterations % 2);
        for_each(device, n, Turn<D>{before, norms + result.iterations % 2, r, p});
    }
    for_each(device, n, Apply<D>{d, velocity});
    return result;
}

template <int D>
std::size_t ImplicitViscosity<D>::bytes() const {
    return change_.bytes() + residual_.bytes() + direction_.bytes() + product_.bytes() +
           scalars_.bytes();
}

template class ImplicitViscosity<2>;
template class ImplicitViscosity<3>;

}  // namespace millrace
