#include "timestep/time_step_controller.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr double k_growth = 1.1;

}  // namespace

TimeStepController::TimeStepController(const TimeStep& settings, double spacing, std::uint64_t seed)
    : settings_(settings), spacing_(spacing), search_(settings, seed) {}

double TimeStepController::next(const Motion& motion) {
    double dt = allowed_time_step(settings_, spacing_, motion);
    if (settings_.mode == "fixed")
        return last_ = dt;
    if (settings_.mode == "metropolis")
        dt = search_.step(dt);
    if (last_ > 0)
        dt = std::min(dt, std::max(k_growth * last_, settings_.min));
    return last_ = dt;
}

void TimeStepController::observe(const StepReport& report) {
    if (settings_.mode == "metropolis")
        search_.observe(report, last_);
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
