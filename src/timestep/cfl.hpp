#pragma once

#include "millrace/scene.hpp"

namespace millrace {

/// The step of the mode that the scene asks for. "cfl": no particle moves farther than `cfl`
/// spacings, dt = lambda h / max |v| (S1 Eq. 3.7), between `min` and `max`. "fixed": `dt`.
double choose_time_step(const TimeStep& settings, double spacing, double max_speed);

/// Shortens a step so that a series of such steps ends exactly after `remaining` seconds, without
/// a tiny one at the end: what is left is either taken whole or cut in half.
double fit_time_step(double dt, double remaining);

}  // namespace millrace
