#pragma once

#include <span>
#include <vector>

#include "millrace/pool.hpp"

class b2Body;

namespace millrace {

/// What a body does besides what the fluid does to it.
class BodyMotion {
  public:
    /// Fills in what the body will be accelerated by without the fluid, as it was in the last step
    /// of the world. What lies on the ground, or hangs on a rope, is not accelerated by gravity.
    void estimate(const b2Body& body, SolidState& state);
    /// Applies what the fluid did to the body within dt, and wakes it if it must move.
    void apply(const SolidPush& push, float dt, b2Body& body);

    static constexpr std::size_t k_numbers = 13;
    /// Appends what it remembers as k_numbers plain numbers.
    void save(std::vector<double>& numbers) const;
    void restore(std::span<const double> numbers);

  private:
    struct Acceleration {
        Point2 linear;
        float angular = 0;
    };
    static Acceleration of_gravity(const b2Body& body);
    static void visit(auto& self, auto&& visitor);

    float dt_ = 0;  // of the last push; 0: there was none
    Point2 velocity_;
    float angular_velocity_ = 0;  // with the last push
    Acceleration measured_, estimate_;
    SolidPush held_;  // the last push while it was awake, for the time dt_
};

}  // namespace millrace
