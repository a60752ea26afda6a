// How long a step of a World is, and what of its errors it undoes (docs/methods/time-step.md).
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "exec/parallel.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

template <int D>
struct SquaredNorm {
    VectorView<D> vectors;
    MILLRACE_HD float operator()(std::uint32_t i) const { return squared_norm(vectors.get(i)); }
};

// How fast the surface of a column may rise and sink by what a solve undoes and leaves, as parts of
// sqrt(g height): in water that moves as fast, and in water at rest. Tubes of 143 and 200 layers at
// rest reach 0.08 and 0.25 m/s with k_breath = 0.1, 0.34 and 0.69 without such a limit. Half of it
// needs 2.7 times the iterations for the same. Rising must not be the faster one at rest: with 0.15
// beside 0.1 the first tube reaches 0.5 m/s, since no compression is left then that carries the
// load evenly; nor the slower one by much, or compression gathers, up to 2 %.
constexpr double k_breath = 0.1, k_fastest_rise = 0.5, k_fastest_sinking = 0.25;

struct Larger {
    MILLRACE_HD float operator()(float a, float b) const { return fmaxf(a, b); }
};

}  // namespace

/// From the accelerations and what was measured after the last step.
template <int D>
typename World<D>::Lengths World<D>::choose_length(double latest, double longest) {
    const float a2 =
        reduce(device_, fluid_.count, 0.0f, SquaredNorm<D>{acceleration_.view()}, Larger{});
    const double max_speed =
        std::max({max_speed_, objects_.max_speed(time_), emitters_.speed(time_)});
    Motion motion{
        max_speed, std::max(depth_speed_, pressure_speed_), std::sqrt(a2),
        std::min(forces_.longest_step(),
                 pressure_->longest_step(scene_.spacing, max_speed, scene_.time_step.cfl))};
    constexpr double k_hurry = 1.5;
    double uncut = time_step_.next(motion);
    // an impact here or there does not hurry the rest
    motion.pressure_speed = std::min(motion.pressure_speed, k_hurry * depth_speed_);
    if (scene_.time_step.mode == "fixed")
        uncut = in_parts(uncut, bearable_time_step(uncut, scene_.spacing, motion));
    uncut = std::min(uncut, longest);
    const double dt = fit_time_step(uncut, latest - time_);
    const double kick = pressure_->is_explicit() && step_ > 0 ? 0.5 * (last_dt_ + dt) : dt;
    return {dt, uncut, natural_time(scene_.spacing, motion), kick};
}

/// A fixed step that is longer than the flow bears is taken in parts, and that is said.
template <int D>
double World<D>::in_parts(double dt, double bearable) {
    if (dt <= bearable)
        return dt;
    if (!takes_parts_) {
        takes_parts_ = true;
        char text[160];
        std::snprintf(text, sizeof text,
                      "time_step.dt: from t = %.3g s on, the flow does not bear steps of %.3g s; "
                      "they are taken in parts, the first of %.2g s",
                      time_, dt, bearable);
        warnings_.push_back(text);
    }
    return bearable;
}

/// Compression of a single particle, wedged below a body that has just landed, is undone at a part
/// of the speed of the flow at most: that of a wave as long as the fluid is deep, or a quarter
/// spacing in the longest step. The surface of a whole column rises by the sum of what its layers
/// undo, and sinks by the sum of the errors that the solver leaves in them. Neither may be faster
/// than the water moves anyway: otherwise a column at rest would breathe, the more so the more
/// layers it has, and loose tolerances would burst.
template <int D>
StepLength World<D>::solver_step(const Lengths& length) const {
    const double slowest = 0.25 * scene_.spacing / TimeStep().max;
    const double speed = std::max(depth_speed_, slowest);
    const double most = 0.15 * speed * length.dt / scene_.spacing;
    const double moving = std::max(rms_speed_, k_breath * speed);
    const double rise = compression_ * depth_ / length.natural;
    const double fastest_rise = std::min(moving, k_fastest_rise * speed);
    const double undone = rise > fastest_rise ? fastest_rise / rise : 1;
    const double sinking = std::min(moving, k_fastest_sinking * speed);
    const double error = depth_ > 0 ? sinking * length.natural / depth_ : 1;
    return {static_cast<float>(length.kick), static_cast<float>(length.share()),
            static_cast<float>(most), static_cast<float>(undone), static_cast<float>(error)};
}

template World<2>::Lengths World<2>::choose_length(double, double);
template World<3>::Lengths World<3>::choose_length(double, double);
template StepLength World<2>::solver_step(const Lengths&) const;
template StepLength World<3>::solver_step(const Lengths&) const;

}  // namespace millrace
