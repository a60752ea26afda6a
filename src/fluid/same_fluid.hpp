#pragma once

#include "exec/lanes.hpp"

namespace millrace {

/// 1 in the lanes whose particles belong to the fluid of this number, 0 in the others.
MILLRACE_HD inline Lanes same_fluid(const float* fluid, LaneIndex j, float number) {
    const Lanes difference = load_lanes(fluid, j) - Lanes(number);
    return select(difference * difference < Lanes(0.25f), Lanes(1.0f), Lanes(0.0f));
}

}  // namespace millrace
