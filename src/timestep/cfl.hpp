#pragma once

#include <limits>

#include "millrace/scene.hpp"

namespace millrace {

/// What bounds the next step.
struct Motion {
    double max_speed = 0;  ///< [m/s]
    /// sqrt(max p / rho0) [m/s], with at least the pressure that a column as high as the fluid
    /// would have
    double pressure_speed = 0;
    double max_acceleration = 0;  ///< of all forces but pressure [m/s^2]
    /// what the forces and the pressure method bear [s]
    double longest = std::numeric_limits<double>::infinity();
};

/// The step that the scene allows. "fixed": `dt`. Otherwise, between `min` and `max`,
///
///     dt <= cfl h / max |v|              no particle moves farther than `cfl` spacings, S1 Eq. 3.7
///     dt <= 0.25 sqrt(h / max |a|)       nor is accelerated beyond that, Ihmsen et al. 2010
///     dt <= 0.7 h / sqrt(max p / rho0)   the pressure forces stay stable
///
/// The third limit is ours: a particle that is displaced by x against its neighbours is driven
/// back by about p x / (rho0 h^2), an oscillator of frequency sqrt(p / rho0) / h that semi-implicit
/// Euler follows only in steps shorter than its inverse (docs/methods/time-step.md). It matters in
/// deep, finely resolved water at rest, where nothing moves.
double allowed_time_step(const TimeStep& settings, double spacing, const Motion& motion);

/// The flow's own time: the step that its motion allows with the usual limits (those of a TimeStep
/// that nobody has changed), whatever steps the scene wants. In it a solver may undo compression
/// and leave the errors that the scene allows; a shorter step does its share.
double natural_time(double spacing, const Motion& motion);

/// A fixed step, or a part of it where it is more than twice what the motion allows with the usual
/// limits, without `max`.
double bearable_time_step(double dt, double spacing, const Motion& motion);

/// Shortens a step so that a series of such steps ends exactly after `remaining` seconds, without
/// a tiny one at the end: what is left is either taken whole or cut in half.
double fit_time_step(double dt, double remaining);

}  // namespace millrace
