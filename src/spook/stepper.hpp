#pragma once

#include <functional>
#include <span>
#include <vector>

#include "spook/constraint_system.hpp"
#include "spook/holonomic.hpp"
#include "spook/relaxation.hpp"

namespace millrace {

/// Particles under gravity and holonomic constraints, moved by SPOOK (S2 Eq. 12-20).
class SpookStepper {
  public:
    struct Particle {
        Vec3d position = Vec3d::all(0);  ///< [m]
        Vec3d velocity = Vec3d::all(0);  ///< [m/s]
        double mass = 1;                 ///< [kg]; infinite: nothing changes its velocity
    };
    struct Constraint {
        std::vector<std::uint32_t> particles;  ///< at most four
        /// g and its gradients, from the positions of the particles.
        std::function<holonomic::Value(std::span<const Vec3d>)> function;
        Relaxation relaxation{};
        bool one_sided = false;  ///< g >= 0 instead of g = 0: it pushes and never pulls
    };
    struct Settings {
        Vec3d gravity = Vec3d::all(0);     ///< [m/s^2]
        int iterations = 100;              ///< at most, in a step
        double tolerance = 1e-10;          ///< for the residual, in the unit of G v
        bool warm_start = true;            ///< from the impulses of the last step
        bool conjugate_gradients = false;  ///< for equalities; sweeps only for what is one-sided
    };

    Settings& settings() { return settings_; }
    std::vector<Particle>& particles() { return particles_; }
    const std::vector<Particle>& particles() const { return particles_; }

    /// Returns the number of the constraint. The particles must be there by the next step.
    std::uint32_t add(const Constraint& constraint);
    std::size_t constraints() const { return constraints_.size(); }
    /// Where the particles are now.
    holonomic::Value value(std::uint32_t constraint) const;
    /// lambda of the last step: the force times dt.
    double impulse(std::uint32_t constraint) const { return impulses_[constraint]; }

    void step(double dt, const Workers& workers = {});
    /// Of the last step: at first, and after every iteration.
    const std::vector<double>& residuals() const { return residuals_; }

  private:
    void add_bodies(double dt);
    void add_rows(double dt);
    void solve(const Workers& workers);
    void solve_some(const Workers& workers);
    void integrate(double dt);

    Settings settings_;
    std::vector<Particle> particles_;
    std::vector<Constraint> constraints_;
    std::vector<double> impulses_, residuals_;
    ConstraintSystem system_;
};

}  // namespace millrace
