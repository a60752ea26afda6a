#pragma once

#include <cstdint>

#include "millrace/scene.hpp"
#include "timestep/performance_model.hpp"

namespace millrace {

/// The temperature at which proposals are accepted at the rate chi (S1 Eq. 3.80):
///
///     T = loss / ln((1 - z) / (chi - z)) where z < chi, else 0,   z = a / (a + r)
///
/// a, r: weights of the proposals that improved and that did not; `loss`: the mean of what the
/// latter would have lost.
double metropolis_temperature(double acceptance, double improving, double worsening, double loss);

/// Searches the step at which the most time is simulated per time of computing: a random walk of
/// proposals, each tried for an episode of some steps and then accepted or not (S1 Algorithm 4;
/// with an acceptance of 0 the greedy search of Algorithm 3).
///
/// What differs from S1, and why, is in docs/methods/time-step.md: after a rejected proposal the
/// step that it was compared with is measured anew; steps that were cut short are not counted;
/// what happened longer ago than the horizon fades instead of ending; losses are relative.
class MetropolisSearch {
  public:
    MetropolisSearch(const TimeStep& settings, std::uint64_t seed);

    /// The step to take now; `limit` is the longest that is allowed [s].
    double step(double limit);
    /// What a step did; it would have had the length `uncut` without a time to end at.
    void observe(const StepReport& report, double uncut);

    double accepted_step() const { return dt_; }
    double temperature() const;

    /// Calls visit with every number of the state, to read or to write it.
    template <class Visit>
    void visit_state(Visit&& visit) {
        for (double* value :
             {&dt_, &proposal_, &proposing_, &draws_, &limit_, &improving_, &worsening_, &losses_,
              &cut_steps_, &longest_cut_, &episode_.steps, &episode_.seconds, &episode_.iterations,
              &reference_.steps, &reference_.seconds, &reference_.iterations})
            visit(*value);
        model_.visit_state(visit);
    }

  private:
    double deviation() const;
    double random();  ///< uniform in [0, 1)
    double normal();
    double draw_proposal();
    void start_episode(bool proposing);
    void end_episode();
    void observe_cut(double dt);
    void observe_failure();

    TimeStep settings_;
    std::uint64_t seed_;
    PerformanceModel model_;

    double dt_ = 0;         ///< the accepted step; 0: none yet
    double proposal_ = 0;   ///< the proposed one; 0: to be drawn
    double proposing_ = 0;  ///< 1: the episode tries the proposal, 0: the accepted step
    double draws_ = 0;      ///< random numbers used so far
    double limit_ = 0;      ///< the last one
    double improving_ = 0, worsening_ = 0, losses_ = 0;  ///< a, r, sum of the relative losses
    double cut_steps_ = 0, longest_cut_ = 0;             ///< since the last whole step
    StepSums episode_;
    StepSums reference_;  ///< of the accepted step
};

}  // namespace millrace
