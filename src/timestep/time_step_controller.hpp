#pragma once

#include <cstdint>
#include <vector>

#include "timestep/cfl.hpp"
#include "timestep/metropolis.hpp"

namespace millrace {

/// Chooses the length of every step in the mode that the scene asks for. It is asked before a step
/// and told what became of it; it reads no clock.
///
/// In the mode "cfl", a step at whose end the solver had run out of iterations makes the next ones
/// shorter, down to a sixteenth of what the motion allows, until it gets along with its iterations.
class TimeStepController {
  public:
    /// `max_iterations`: those that the solver may take in a step.
    TimeStepController(const TimeStep& settings, double spacing, std::uint64_t seed,
                       int max_iterations);

    /// The next step [s], not yet cut to end at a frame. But for the mode "fixed", it is at most
    /// 1.1 times the last one; the first step is as long as the motion allows.
    double next(const Motion& motion);
    void observe(const StepReport& report);

    /// All that the next steps depend on, for a snapshot. A new controller may be given an empty
    /// one. Throws InputError for one that does not fit.
    std::vector<double> state() const;
    void restore(const std::vector<double>& state);

  private:
    template <class Visit>
    void visit_state(Visit&& visit) {
        visit(last_);
        visit(held_back_);
        search_.visit_state(visit);
    }

    TimeStep settings_;
    double spacing_;
    MetropolisSearch search_;
    int max_iterations_;
    double last_ = 0;       ///< the last step, not cut; 0: none yet
    double held_back_ = 0;  ///< the allowed step is divided by 1 + this, for the solver's sake
};

}  // namespace millrace
