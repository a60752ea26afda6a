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

struct Larger {
    MILLRACE_HD float operator()(float a, float b) const { return fmaxf(a, b); }
};

}  // namespace

/// From the accelerations and what was measured after the last step.
template <int D>
typename World<D>::Lengths World<D>::choose_length(double latest, double longest) {
    const float a2 =
        reduce(device_, fluid_.count, 0.0f, SquaredNorm<D>{acceleration_.view()}, Larger{});
    const double max_speed = std::max({max_speed_, objects_.max_speed(time_), emitter_speed()});
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

/// Compression is undone at most at the speed of the flow: that of a wave as long as the fluid is
/// deep, or a quarter spacing in the longest step; of a single particle, wedged below a body that
/// has just landed, at a part of that. For a whole column of compressed fluid, whose
/// surface rises by the sum, the same holds; and its surface may not sink faster than a part of
/// that by the errors that the solver leaves, or there would be no end to it: loose tolerances may
/// compress, never burst.
template <int D>
StepLength World<D>::solver_step(const Lengths& length) const {
    const double dt = length.dt;
    const double slowest = 0.25 * scene_.spacing / TimeStep().max;
    const double speed = 0.5 * std::max(depth_speed_, slowest);
    const double most = 0.3 * speed * dt / scene_.spacing;
    const double rise = compression_ * depth_ / length.natural;
    const double undone = rise > speed ? speed / rise : 1;
    const double sinking = 0.5 * speed * length.natural;
    const double error = depth_ > 0 ? sinking / depth_ : 1;
    return {static_cast<float>(length.kick), static_cast<float>(length.share()),
            static_cast<float>(most), static_cast<float>(undone), static_cast<float>(error)};
}

template World<2>::Lengths World<2>::choose_length(double, double);
template World<3>::Lengths World<3>::choose_length(double, double);
template StepLength World<2>::solver_step(const Lengths&) const;
template StepLength World<3>::solver_step(const Lengths&) const;

}  // namespace millrace
