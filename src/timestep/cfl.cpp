#include "timestep/cfl.hpp"

#include <algorithm>

namespace millrace {

double choose_time_step(const TimeStep& settings, double spacing, double max_speed) {
    if (settings.mode == "fixed")
        return settings.dt;
    const double limit = max_speed > 0 ? settings.cfl * spacing / max_speed : settings.max;
    return std::clamp(limit, settings.min, settings.max);
}

double fit_time_step(double dt, double remaining) {
    if (dt >= remaining)
        return remaining;
    return 2 * dt > remaining ? remaining / 2 : dt;
}

}  // namespace millrace
