#include "spook/stepper.hpp"

#include <algorithm>
#include <cassert>

namespace millrace {

std::uint32_t SpookStepper::add(const Constraint& constraint) {
    assert(constraint.particles.size() <= 4);
    constraints_.push_back(constraint);
    impulses_.push_back(0);
    return static_cast<std::uint32_t>(constraints_.size() - 1);
}

holonomic::Value SpookStepper::value(std::uint32_t constraint) const {
    const Constraint& c = constraints_[constraint];
    Vec3d places[4];
    for (std::size_t p = 0; p < c.particles.size(); ++p)
        places[p] = particles_[c.particles[p]].position;
    return c.function({places, c.particles.size()});
}

void SpookStepper::step(double dt, const Workers& workers) {
    add_bodies(dt);
    add_rows(dt);
    system_.start();
    solve(workers);
    integrate(dt);
}

/// M v = M v_k + dt f, without constraints (S2 Eq. 18).
void SpookStepper::add_bodies(double dt) {
    std::vector<SpookBody>& bodies = system_.bodies();
    bodies.resize(particles_.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Particle& particle = particles_[i];
        bodies[i].inverse_mass = 1 / particle.mass;
        bodies[i].velocity = particle.velocity;
        if (bodies[i].inverse_mass > 0)
            bodies[i].velocity += settings_.gravity * dt;
    }
}

/// An equality is the row of RowFactors. A one-sided constraint holds G v + Sigma lambda >= target
/// with lambda >= 0: from above, g > 0, it may close the gap, target = -g / dt; else it undoes the
/// error, target = -undo g. There xi G v_k is left out: it would let in what has just arrived.
void SpookStepper::add_rows(double dt) {
    system_.clear();
    for (std::uint32_t k = 0; k < constraints_.size(); ++k) {
        const Constraint& constraint = constraints_[k];
        const holonomic::Value value = this->value(k);
        const RowFactors factors(constraint.relaxation, dt);
        SpookBlock blocks[4];
        double rate = 0;
        for (std::size_t p = 0; p < constraint.particles.size(); ++p) {
            blocks[p] = {.body = constraint.particles[p], .linear = value.gradients[p]};
            rate += dot(value.gradients[p], particles_[constraint.particles[p]].velocity);
        }
        ConstraintSystem::Row row;
        row.sigma = factors.sigma;
        row.target = -factors.undo * value.g + factors.xi * rate;
        if (constraint.one_sided) {
            row.target = value.g > 0 ? -value.g / dt : -factors.undo * value.g;
            row.least = 0;
        }
        row.impulse = settings_.warm_start ? impulses_[k] : 0;
        system_.add(row, {blocks, constraint.particles.size()});
    }
}

void SpookStepper::solve(const Workers& workers) {
    residuals_.assign(1, system_.residual());
    const auto most = static_cast<std::size_t>(settings_.iterations);
    bool changed = true;
    while (changed && residuals_.back() > settings_.tolerance && residuals_.size() <= most) {
        const std::size_t before = residuals_.size();
        solve_some(workers);
        changed = residuals_.size() > before;
    }
    for (std::uint32_t k = 0; k < constraints_.size(); ++k)
        impulses_[k] = system_.row(k).impulse;
}

/// Conjugate gradients, and a sweep where that does not suffice. Sweeps go forwards only: there and
/// back, the last colour would be swept twice, and a chain has no more than two.
void SpookStepper::solve_some(const Workers& workers) {
    const bool one_sided = std::any_of(constraints_.begin(), constraints_.end(),
                                       [](const Constraint& c) { return c.one_sided; });
    if (settings_.conjugate_gradients) {
        const int done = static_cast<int>(residuals_.size()) - 1 + (one_sided ? 1 : 0);
        const int most = settings_.iterations - done;
        system_.solve_equalities(most, 0.1 * settings_.tolerance / residuals_.back(), &residuals_);
    }
    if (!settings_.conjugate_gradients || one_sided) {
        system_.sweep(workers, true);
        residuals_.push_back(system_.residual());
    }
}

/// q_(k+1) = q_k + dt v_(k+1) (S2 Eq. 13).
void SpookStepper::integrate(double dt) {
    for (std::size_t i = 0; i < particles_.size(); ++i) {
        particles_[i].velocity = system_.bodies()[i].velocity;
        particles_[i].position += particles_[i].velocity * dt;
    }
}

}  // namespace millrace
