#include "timestep/time_step_controller.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr double k_growth = 1.1;
constexpr double k_whole = 0.999;  ///< a step shorter than this part of the uncut one was cut
// how much longer and shorter the steps become for the solver's sake
constexpr double k_failure = 1.25, k_success = 1.02, k_most_held_back = 15;
constexpr double k_at_ease = 0.6;  ///< part of its iterations with which it may try longer steps

}  // namespace

TimeStepController::TimeStepController(const TimeStep& settings, double spacing, std::uint64_t seed,
                                       int max_iterations)
    : settings_(settings),
      spacing_(spacing),
      search_(settings, seed),
      max_iterations_(max_iterations) {}

double TimeStepController::next(const Motion& motion) {
    double dt = allowed_time_step(settings_, spacing_, motion);
    if (settings_.mode == "fixed")
        return last_ = dt;
    if (settings_.mode == "metropolis")
        dt = search_.step(dt);
    else
        dt = std::max(dt / (1 + held_back_), settings_.min);
    if (last_ > 0)
        dt = std::min(dt, std::max(k_growth * last_, settings_.min));
    return last_ = dt;
}

void TimeStepController::observe(const StepReport& report) {
    if (settings_.mode == "metropolis")
        return search_.observe(report, last_);
    if (!report.converged)
        held_back_ = std::min(k_failure * (1 + held_back_) - 1, k_most_held_back);
    else if (report.iterations < k_at_ease * max_iterations_ && report.dt > k_whole * last_)
        held_back_ = std::max((1 + held_back_) / k_success - 1, 0.0);
}

std::vector<double> TimeStepController::state() const {
    std::vector<double> values;
    TimeStepController copy = *this;
    copy.visit_state([&](double value) { values.push_back(value); });
    return values;
}

void TimeStepController::restore(const std::vector<double>& state) {
    TimeStepController restored(*this);
    std::size_t used = 0;
    restored.visit_state([&](double& value) {
        value = used < state.size() ? state[used] : 0;
        ++used;
    });
    const bool fits = state.empty() || (state.size() == used &&
                                        std::all_of(state.begin(), state.end(),
                                                    [](double x) { return std::isfinite(x); }));
    if (!fits)
        throw InputError("snapshot: the state of the time step does not fit");
    *this = restored;
}

}  // namespace millrace
