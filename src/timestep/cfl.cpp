#include "timestep/cfl.hpp"

#include <algorithm>

namespace millrace {

namespace {

constexpr double k_pressure_limit = 0.7;

}  // namespace

double choose_time_step(const TimeStep& settings, double spacing, double max_speed,
                        double pressure_speed) {
    if (settings.mode == "fixed")
        return settings.dt;
    double dt = settings.max;
    if (max_speed > 0)
        dt = std::min(dt, settings.cfl * spacing / max_speed);
    if (pressure_speed > 0)
        dt = std::min(dt, k_pressure_limit * spacing / pressure_speed);
    return std::max(dt, settings.min);
}

double fit_time_step(double dt, double remaining) {
    if (dt >= remaining)
        return remaining;
    return 2 * dt > remaining ? remaining / 2 : dt;
}

}  // namespace millrace
