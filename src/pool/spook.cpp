#include "pool/spook.hpp"

#include "spook/density_rows_build.hpp"
#include "spook/density_rows_sweep.hpp"

namespace millrace {

template class DensityRows<SubStep>;

namespace {

constexpr float k_self_contribution = 0.85f, k_s0_self_contribution = 0.65f;
constexpr float k_over_relaxation = 1.5f;
/// In a sub-step of k_step or more, and at least; shorter ones go on from each other's impulses and
/// need fewer.
constexpr int k_iterations = 6, k_least_iterations = 4;
constexpr float k_step = 1.0f / 120;  ///< [s]
/// Of the last sub-step's impulses, to start from. With 0.8 or more what is left of their errors
/// builds up from step to step, and the fluid boils; with half of them 200 layers of particles
/// clump at the bottom.
constexpr float k_start = 0.7f;
constexpr float k_look_ahead = 2;  ///< for contacts, in spacings

SpookKernel kernel_of(const PoolMethod& settings) {
    if (settings.kernels == "poly6")
        return SpookKernel::poly6;
    if (settings.kernels == "poly6h")
        return SpookKernel::poly6h;
    return SpookKernel::spiky;
}

DensitySettings density_settings(const PoolMethod& settings, float spacing) {
    const SpookKernel kernel = kernel_of(settings);
    const float usual = kernel == SpookKernel::spiky ? k_self_contribution : k_s0_self_contribution;
    const float own = settings.self_contribution > 0 ? settings.self_contribution : usual;
    DensitySettings result;
    result.spacing = spacing;
    result.support = smoothing_length(own, spook_constant<2>(kernel), spacing * spacing);
    result.kernel = kernel;
    result.relaxation = {settings.compliance, settings.relaxation_time};
    result.over_relaxation =
        settings.over_relaxation == 0 ? k_over_relaxation : settings.over_relaxation;
    result.warm_start = settings.warm_start ? k_start : 0;
    result.look_ahead = k_look_ahead * spacing;
    return result;
}

}  // namespace

Spook::Spook(const PoolMethod& settings, float spacing)
    : settings_(settings), rows_(density_settings(settings, spacing)) {}

int Spook::solve(SubStep& step) {
    if (step.columns.count() == 0)
        return 0;
    rows_.start(step, step.velocity, step.pressure);
    const int iterations = iterations_in(step.dt);
    for (int k = 0; k < iterations; ++k)
        rows_.sweep(step, k % 2 != 0);
    rows_.finish(step, step.velocity, step.pressure);
    std::copy(rows_.densities().begin(), rows_.densities().end(), step.density.begin());
    return iterations;
}

int Spook::iterations_in(float dt) const {
    if (settings_.iterations > 0)
        return settings_.iterations;
    const float wanted = k_iterations * std::sqrt(std::min(1.0f, dt / k_step));
    return std::max(k_least_iterations, static_cast<int>(std::lround(wanted)));
}

}  // namespace millrace
