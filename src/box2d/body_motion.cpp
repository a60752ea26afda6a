#include "box2d/body_motion.hpp"

#include <box2d/box2d.h>

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr float k_impact = 2;           // changes beyond this many times gravity are blows
constexpr float k_balance = 0.01f;      // of its weight: what a sleeping body bears
constexpr float k_least_speed = 1e-4f;  // that a push must cause to wake a body [m/s]

float length(const Point2& a) {
    return std::sqrt(a.x * a.x + a.y * a.y);
}

Point2 operator-(const Point2& a, const Point2& b) {
    return {a.x - b.x, a.y - b.y};
}

// The radius of gyration [m]: what turns by an angle moves by this times the angle.
float gyration(const b2Body& body) {
    const b2Vec2& c = body.GetLocalCenter();
    return std::sqrt(std::max(0.0f, body.GetInertia() / body.GetMass() - b2Dot(c, c)));
}

}  // namespace

BodyMotion::Acceleration BodyMotion::of_gravity(const b2Body& body) {
    const b2Vec2 a = body.GetGravityScale() * body.GetWorld()->GetGravity() -
                     body.GetLinearDamping() * body.GetLinearVelocity();
    return {{a.x, a.y}, -body.GetAngularDamping() * body.GetAngularVelocity()};
}

void BodyMotion::visit(auto& self, auto&& visitor) {
    for (auto* v :
         {&self.velocity_, &self.measured_.linear, &self.estimate_.linear, &self.held_.impulse})
        visitor(v->x), visitor(v->y);
    for (auto* x : {&self.dt_, &self.angular_velocity_, &self.measured_.angular,
                    &self.estimate_.angular, &self.held_.angular_impulse})
        visitor(*x);
}

void BodyMotion::save(std::vector<double>& numbers) const {
    visit(*this, [&](float number) { numbers.push_back(number); });
}

void BodyMotion::restore(std::span<const double> numbers) {
    std::size_t next = 0;
    visit(*this, [&](float& number) { number = static_cast<float>(numbers[next++]); });
}

void BodyMotion::estimate(const b2Body& body, SolidState& state) {
    if (body.GetType() != b2_dynamicBody)
        return;
    if (body.IsAwake()) {
        estimate_ = of_gravity(body);
        if (dt_ > 0) {
            // a = (v - v_pushed) / dt: forces, contacts and joints together. They count if they are
            // like gravity, or like they were one step before; a blow is neither.
            const Acceleration last = measured_, free = estimate_;
            measured_ = {
                {(state.velocity.x - velocity_.x) / dt_, (state.velocity.y - velocity_.y) / dt_},
                (state.angular_velocity - angular_velocity_) / dt_};
            const float limit = k_impact * std::max(1.0f, body.GetWorld()->GetGravity().Length());
            const float radius = gyration(body);
            const auto lasts = [&](const Acceleration& a) {
                return length(measured_.linear - a.linear) <= limit &&
                       radius * std::abs(measured_.angular - a.angular) <= limit;
            };
            if (lasts(free) || lasts(last))
                estimate_ = measured_;
        }
    } else if (dt_ == 0) {
        estimate_ = {};
    }
    state.acceleration = estimate_.linear;
    state.angular_acceleration = estimate_.angular;
}

void BodyMotion::apply(const SolidPush& push, float dt, b2Body& body) {
    if (!std::isfinite(push.impulse.x + push.impulse.y + push.angular_impulse))
        return;
    if (dt_ > 0 && dt != dt_) {  // of the same force
        const float longer = dt / dt_;
        held_.impulse = {held_.impulse.x * longer, held_.impulse.y * longer};
        held_.angular_impulse *= longer;
    }
    if (!body.IsAwake()) {
        // It sleeps on while the fluid holds it as it did when it fell asleep.
        const float weight = body.GetGravityScale() * body.GetWorld()->GetGravity().Length();
        const float bearable =
            body.GetMass() * std::max(k_balance * std::abs(weight) * dt, k_least_speed);
        if (length(push.impulse - held_.impulse) <= bearable &&
            (body.IsFixedRotation() ||
             std::abs(push.angular_impulse - held_.angular_impulse) <= bearable * gyration(body))) {
            dt_ = dt;
            velocity_ = {};
            angular_velocity_ = 0;
            return;
        }
    }
    body.ApplyLinearImpulseToCenter({push.impulse.x, push.impulse.y}, true);
    body.ApplyAngularImpulse(push.angular_impulse, true);
    held_ = push;
    dt_ = dt;
    velocity_ = {body.GetLinearVelocity().x, body.GetLinearVelocity().y};
    angular_velocity_ = body.GetAngularVelocity();
}

}  // namespace millrace
