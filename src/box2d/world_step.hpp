#pragma once

#include <box2d/box2d.h>

namespace millrace {

/// Steps a world whose steps may have any length. Box2D starts a step from the impulses of the last
/// one times dt / last_dt, as if they came from steady forces; those of a blow do not, and after a
/// short step they would throw bodies about. So a step that is much longer than the last one starts
/// from nothing, and iterates longer for that: a pile would be soft otherwise.
class WorldStep {
  public:
    void operator()(b2World& world, float dt, int velocity_iterations, int position_iterations) {
        constexpr float k_longest = 2.5f;  // over the last step; a frame may drop out
        constexpr int k_cold = 4;          // times as many iterations
        const bool warm = world.GetWarmStarting(), cold = last_dt_ > 0 && dt > k_longest * last_dt_;
        world.SetWarmStarting(warm && !cold);
        world.Step(dt, (cold ? k_cold : 1) * velocity_iterations, position_iterations);
        world.SetWarmStarting(warm);
        last_dt_ = dt;
    }

  private:
    float last_dt_ = 0;  // [s]
};

}  // namespace millrace
