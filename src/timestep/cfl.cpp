#include "timestep/cfl.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr double k_acceleration_limit = 0.25;
constexpr double k_pressure_limit = 0.7;

}  // namespace

double allowed_time_step(const TimeStep& settings, double spacing, const Motion& motion) {
    if (settings.mode == "fixed")
        return settings.dt;
    double dt = std::min(settings.max, motion.longest);
    if (motion.max_speed > 0)
        dt = std::min(dt, settings.cfl * spacing / motion.max_speed);
    if (motion.max_acceleration > 0)
        dt = std::min(dt, k_acceleration_limit * std::sqrt(spacing / motion.max_acceleration));
    if (motion.pressure_speed > 0)
        dt = std::min(dt, k_pressure_limit * spacing / motion.pressure_speed);
    return std::max(dt, settings.min);
}

double natural_time(double spacing, const Motion& motion) {
    return allowed_time_step(TimeStep(), spacing, motion);
}

double bearable_time_step(double dt, double spacing, const Motion& motion) {
    TimeStep settings;
    settings.max = std::numeric_limits<double>::infinity();
    const double allowed = allowed_time_step(settings, spacing, motion);
    return dt > 2 * allowed ? dt / std::ceil(dt / allowed) : dt;
}

double fit_time_step(double dt, double remaining) {
    if (dt >= remaining)
        return remaining;
    return 2 * dt > remaining ? remaining / 2 : dt;
}

}  // namespace millrace
