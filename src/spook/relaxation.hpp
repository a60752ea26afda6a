#pragma once

namespace millrace {

/// How a constraint g = 0 is held (S2 Eq. 12): by the force G^T lambda with
/// epsilon lambda + g + tau G v = 0.
struct Relaxation {
    /// epsilon: 0 is rigid. Of an energy 1/2 g^2 / epsilon, so that its unit is that of g^2 over a
    /// joule.
    double compliance = 0;
    double steps = 2;  ///< tau over natural steps: how slowly errors are undone
};

/// The row of a constraint in a step of dt (S2 Eq. 15-20, with Sigma as in Eq. 15):
///
///     G v + Sigma lambda = -undo g + xi G v_k
///     xi = 1 / (1 + 4 tau / T),   undo = 4 xi / T,   Sigma = epsilon undo / dt
///
/// where T is the natural step, of which one that was cut short is a part: it undoes its part of an
/// error and no more.
template <class Real>
struct RowFactors {
    Real xi, undo, sigma;

    RowFactors(const Relaxation& relaxation, Real dt) : RowFactors(relaxation, dt, dt) {}
    RowFactors(const Relaxation& relaxation, Real dt, Real natural)
        : xi(1 / (1 + 4 * static_cast<Real>(relaxation.steps))),
          undo(4 * xi / natural),
          sigma(static_cast<Real>(relaxation.compliance) * undo / dt) {}
};

}  // namespace millrace
