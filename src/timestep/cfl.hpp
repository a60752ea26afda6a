#pragma once

#include "millrace/scene.hpp"

namespace millrace {

/// The step of the mode that the scene asks for. "fixed": `dt`. "cfl": between `min` and `max`,
///
///     dt <= cfl h / max |v|              no particle moves farther than `cfl` spacings, S1 Eq. 3.7
///     dt <= 0.7 h / sqrt(max p / rho0)   the pressure forces stay stable
///
/// The second limit is ours: a particle that is displaced by x against its neighbours is driven
/// back by about p x / (rho0 h^2), an oscillator of frequency sqrt(p / rho0) / h that semi-implicit
/// Euler follows only in steps shorter than its inverse (docs/methods/time-step.md). It matters in
/// deep, finely resolved water at rest, where nothing moves.
/// `pressure_speed` is sqrt(max p / rho0) [m/s], with at least the pressure that a column as high
/// as the fluid would have.
double choose_time_step(const TimeStep& settings, double spacing, double max_speed,
                        double pressure_speed);

/// Shortens a step so that a series of such steps ends exactly after `remaining` seconds, without
/// a tiny one at the end: what is left is either taken whole or cut in half.
double fit_time_step(double dt, double remaining);

}  // namespace millrace
