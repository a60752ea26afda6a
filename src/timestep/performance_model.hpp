#pragma once

#include "millrace/simulation.hpp"

namespace millrace {

/// What some steps did, summed; weights may make the numbers broken.
struct StepSums {
    double steps = 0;
    double seconds = 0;     ///< simulated
    double iterations = 0;  ///< of the pressure and the divergence solver

    void add(const StepReport& report);
};

/// Predicts what steps cost (S1 Eq. 3.73-3.76), so that single noisy times do not count:
///
///     T = K T_const + T_iter sum l        with  T_const = sum T_const,k / K,
///     P = sum dt / T                            T_iter  = sum l T_iter,k / sum l
///
/// over the steps so far, but for the first two; older ones than about a thousand fade. T_iter,k l
/// is the time of the pressure stage, T_const,k that of all others.
class PerformanceModel {
  public:
    /// Costs in seconds that are given once and for all; both 0: they are measured.
    PerformanceModel(double cost_constant, double cost_iteration);

    void observe(const StepReport& report);
    double constant_cost() const;   ///< T_const [s]
    double iteration_cost() const;  ///< T_iter [s]
    /// P: simulated seconds per second of computing.
    double performance(const StepSums& sums) const;

    template <class Visit>
    void visit_state(Visit&& visit) {
        visit(steps_);
        visit(iterations_);
        visit(constant_seconds_);
        visit(pressure_seconds_);
    }

  private:
    double given_constant_, given_iteration_;
    double steps_ = 0, iterations_ = 0, constant_seconds_ = 0, pressure_seconds_ = 0;
};

}  // namespace millrace
