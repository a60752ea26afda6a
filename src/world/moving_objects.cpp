#include "world/moving_objects.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/scripted_motion.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

template <int D>
Twist<D> twist_of(const BodyState& state) {
    Twist<D> twist;
    for (int k = 0; k < D; ++k)
        twist.velocity[k] = static_cast<float>(state.velocity[k]);
    for (int k = 0; k < k_spin_size<D>; ++k)
        twist.angular_velocity[k] = static_cast<float>(state.angular_velocity[D == 3 ? k : 2]);
    return twist;
}

template <int D>
Frame<D> frame_of(const BodyState& state) {
    Frame<D> frame;
    const Mat3d rotation = to_matrix(state.rotation);
    for (int k = 0; k < D; ++k) {
        frame.position[k] = static_cast<float>(state.position[k]);
        for (int l = 0; l < D; ++l)
            frame.rotation(k, l) = static_cast<float>(rotation(k, l));
    }
    frame.twist = twist_of<D>(state);
    return frame;
}

double speed_of(const BodyState& state, double radius) {
    return norm(state.velocity) + norm(state.angular_velocity) * radius;
}

Vec3d at_most(const Vec3d& v, double limit) {
    const double length = norm(v);
    return length > limit ? v * (limit / length) : v;
}

}  // namespace

template <int D>
MovingObjects<D>::MovingObjects(const Scene& scene, const RigidDescription& description,
                                const std::vector<double>& radii,
                                std::unique_ptr<RigidEngine> engine)
    : radii_(radii), gravity_(description.gravity), engine_(std::move(engine)) {
    for (const Boundary& boundary : scene.boundaries) {
        motions_.push_back(boundary.motion);
        any_ = any_ || boundary.motion;
    }
    for (const BodyDescription& body : description.bodies)
        masses_.push_back(body.mass);
    if (!description.bodies.empty()) {
        any_ = true;
        held_.resize(masses_.size());
        pushes_.resize(masses_.size());
    }
    frames_.resize(motions_.size() + masses_.size());
}

template <int D>
std::span<const BodyState> MovingObjects<D>::bodies() const {
    return engine_ ? engine_->states() : std::span<const BodyState>();
}

template <int D>
std::span<const Frame<D>> MovingObjects<D>::frames(double time) {
    for (std::size_t w = 0; w < motions_.size(); ++w)
        if (motions_[w])
            frames_[w] = frame_of<D>(motion_at(*motions_[w], time));
    const std::span<const BodyState> states = bodies();
    for (std::size_t b = 0; b < states.size(); ++b)
        frames_[motions_.size() + b] = frame_of<D>(states[b]);
    return frames_;
}

template <int D>
double MovingObjects<D>::max_speed(double time) const {
    return std::max(max_wall_speed(time), max_body_speed());
}

template <int D>
double MovingObjects<D>::max_wall_speed(double time) const {
    double fastest = 0;
    for (std::size_t w = 0; w < motions_.size(); ++w)
        if (motions_[w])
            fastest = std::max(fastest, speed_of(motion_at(*motions_[w], time), radii_[w]));
    return fastest;
}

template <int D>
double MovingObjects<D>::max_body_speed() const {
    double fastest = 0;
    const std::span<const BodyState> states = bodies();
    for (std::size_t b = 0; b < states.size(); ++b)
        fastest = std::max(fastest, speed_of(states[b], radii_[motions_.size() + b]));
    return fastest;
}

template <int D>
typename MovingObjects<D>::Acceleration MovingObjects<D>::give_way(std::size_t body,
                                                                   const Wrench& wrench) const {
    const Response& response = engine_->responses()[body];
    Acceleration a;
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            a.linear[k] +=
                response.r[k][l] * wrench.force[l] + response.r[k][3 + l] * wrench.torque[l];
            a.angular[k] += response.r[3 + k][l] * wrench.force[l] +
                            response.r[3 + k][3 + l] * wrench.torque[l];
        }
    return a;
}

template <int D>
void MovingObjects<D>::predict(double time, double dt, std::vector<Twist<D>>& twists,
                               std::vector<ObjectResponse<D>>& responses) const {
    twists.assign(frames_.size(), {});
    responses.assign(frames_.size(), {});
    for (std::size_t w = 0; w < motions_.size(); ++w)
        if (motions_[w])
            twists[w] = twist_of<D>(motion_at(*motions_[w], time + dt / 2));
    const std::span<const BodyState> states = bodies();
    for (std::size_t b = 0; b < states.size(); ++b) {
        const std::size_t object = motions_.size() + b;
        const Acceleration fall = give_way(b, {gravity_ * masses_[b], Vec3d::all(0)});
        BodyState next = states[b];
        next.velocity += (fall.linear + held_[b].linear) * dt;
        next.angular_velocity += (fall.angular + held_[b].angular) * dt;
        twists[object] = twist_of<D>(next);
        const Response& response = engine_->responses()[b];
        const auto place = [](int k) { return k < D ? k : D == 3 ? k : 5; };
        for (int k = 0; k < ObjectResponse<D>::k_size; ++k)
            for (int l = 0; l < ObjectResponse<D>::k_size; ++l)
                responses[object].r[k][l] = static_cast<float>(response.r[place(k)][place(l)]);
    }
}

template <int D>
void MovingObjects<D>::step(double time, double dt, double share,
                            std::span<const Push<D, double>> impulses) {
    if (!engine_)
        return;
    std::vector<BodyState> walls(motions_.size());
    for (std::size_t w = 0; w < motions_.size(); ++w)
        if (motions_[w])
            walls[w] = motion_at(*motions_[w], time + dt);
    const std::size_t n = masses_.size();
    std::vector<BodyState> before(engine_->states().begin(), engine_->states().end());
    std::vector<Acceleration> free(n);
    std::vector<double> linear_limit(n), angular_limit(n);
    for (std::size_t b = 0; b < n; ++b) {
        const Push<D, double>& impulse = impulses[motions_.size() + b];
        Wrench wrench;
        for (int k = 0; k < D; ++k)
            wrench.force[k] = impulse.force[k] / dt;
        for (int k = 0; k < k_spin_size<D>; ++k)
            wrench.torque[D == 3 ? k : 2] = impulse.torque[k] / dt;
        pushes_[b] = wrench;
        const Acceleration fluid = give_way(b, wrench);
        const Acceleration fall = give_way(b, {gravity_ * masses_[b], Vec3d::all(0)});
        free[b] = {fluid.linear + fall.linear, fluid.angular + fall.angular};
        linear_limit[b] = 2 * (norm(gravity_) + norm(fluid.linear));
        angular_limit[b] = 2 * (norm(fluid.angular) +
                                norm(gravity_) / std::max(radii_[motions_.size() + b], 1e-9));
    }
    engine_->step(dt, pushes_, walls);
    const std::span<const BodyState> states = engine_->states();
    for (std::size_t b = 0; b < n; ++b) {
        const Vec3d linear = at_most(
            (states[b].velocity - before[b].velocity) * (1 / dt) - free[b].linear, linear_limit[b]);
        const Vec3d angular = at_most(
            (states[b].angular_velocity - before[b].angular_velocity) * (1 / dt) - free[b].angular,
            angular_limit[b]);
        held_[b].linear += (linear - held_[b].linear) * share;
        held_[b].angular += (angular - held_[b].angular) * share;
    }
}

template <int D>
std::vector<double> MovingObjects<D>::save() const {
    std::vector<double> numbers;
    const auto put = [&](const Vec3d& v) { numbers.insert(numbers.end(), v.c, v.c + 3); };
    const std::span<const BodyState> states = bodies();
    for (std::size_t b = 0; b < states.size(); ++b) {
        put(states[b].position);
        numbers.push_back(states[b].rotation.s);
        put(states[b].rotation.v);
        put(states[b].velocity);
        put(states[b].angular_velocity);
        put(held_[b].linear);
        put(held_[b].angular);
    }
    return numbers;
}

template <int D>
void MovingObjects<D>::restore(const std::vector<double>& numbers) {
    constexpr std::size_t k_numbers = 19;
    if (numbers.size() != k_numbers * masses_.size())
        throw InputError("snapshot: it holds other bodies than the scene");
    std::size_t at = 0;
    const auto take = [&] {
        at += 3;
        return Vec3d{numbers[at - 3], numbers[at - 2], numbers[at - 1]};
    };
    std::vector<BodyState> states(masses_.size());
    for (std::size_t b = 0; b < states.size(); ++b) {
        states[b].position = take();
        states[b].rotation.s = numbers[at++];
        states[b].rotation.v = take();
        states[b].velocity = take();
        states[b].angular_velocity = take();
        held_[b].linear = take();
        held_[b].angular = take();
    }
    if (engine_)
        engine_->restore(states);
}

template class MovingObjects<2>;
template class MovingObjects<3>;

}  // namespace millrace
