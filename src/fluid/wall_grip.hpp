#pragma once

namespace millrace {

/// What the viscous pull of a wall's samples must be multiplied with for fluid that does not slip
/// to rest at the surface that the user wrote, not at the samples, which lie deeper.
///
/// A plane shear flow v = gamma y over a wall at y = 0 needs the shear stress mu gamma there. The
/// samples, at the depth d, pull on the layers of particles at y_n = (n + 1/2) h with
///
///     tau = g sum_n K(y_n + d) y_n gamma,
///     K(r) = 2 mu V_k / h  sum_k |F_k|
///
/// over the samples k of a plane, on average over their sideways shifts x_k; g makes both equal.
/// `support` is in spacings.
template <int D>
double wall_grip(double support);

}  // namespace millrace
