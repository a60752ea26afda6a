#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "boundary/body_coupling.hpp"
#include "neighbors/neighbor_list.hpp"
#include "support/dimensions.hpp"

namespace millrace {
namespace {

constexpr float k_radius = 0.2f;
constexpr std::size_t k_max_cells = 100'000;

/// Particles at random among the samples of a wall and of two objects that move, D-dimensional.
template <int D>
class Meeting {
  public:
    explicit Meeting(int threads) : device_(Device::cpu(threads)) {
        std::mt19937 random{5};
        std::uniform_real_distribution<float> uniform(-0.4f, 0.4f);
        const auto point = [&] {
            Vec<D> x;
            for (int k = 0; k < D; ++k)
                x[k] = uniform(random);
            return x;
        };
        std::vector<BoundaryObject<D>> objects(3);
        for (std::size_t o = 0; o < objects.size(); ++o) {
            for (int k = 0; k < 40; ++k)
                objects[o].samples.push_back(point());
            objects[o].moves = o > 0;
            if (o > 0) {
                objects[o].frame.position = point();
                objects[o].frame.twist.velocity = point();
                for (int k = 0; k < k_spin_size<D>; ++k)
                    objects[o].frame.twist.angular_velocity[k] = 5 * uniform(random);
            }
            frames.push_back(objects[o].frame);
        }
        std::vector<Vec<D>> points(100);
        for (Vec<D>& x : points)
            x = point();
        walls.emplace(device_, objects, k_radius, k_max_cells);

        VectorBuffer<D> given(device_), sorted(device_);
        given.assign(points);
        UniformGrid<D> grid(device_);
        grid.build(device_, given.view(), points.size(), k_radius, k_max_cells);
        for (const std::uint32_t i : grid.order().to_host())
            particles.push_back(points[i]);
        sorted.assign(particles);
        NeighborList<D> neighbors(device_);
        neighbors.build(device_, walls->grid(), walls->position(), sorted.view(), points.size());
        coupling.emplace(device_);
        coupling->find_contacts(device_, points.size(), sorted.view(), neighbors.view(), kernel,
                                *walls, frames);
        sample_positions = walls->host_positions();
        sample_volumes = walls->host_volumes();
    }

    /// f(sample k, its object, x_ik, grad W_ik) for every moving sample near particle i.
    template <class F>
    void for_each_sample(std::size_t i, const F& f) const {
        for (std::size_t k = 0; k < sample_positions.size(); ++k) {
            const Vec<D> x = particles[i] - sample_positions[k];
            const std::uint32_t object = walls->object()[k];
            if (object != k_static_sample && norm(x) < k_radius)
                f(k, object, x, x * kernel.gradient_factor(squared_norm(x)));
        }
    }
    Vec<D> sample_velocity(std::size_t k, const Frame<D>& frame) const {
        return frame.twist.velocity +
               spin_velocity(frame.twist.angular_velocity, sample_positions[k] - frame.position);
    }
    /// Objects that give way to pushes, each in its own way, and coupled: turning moves them too.
    std::vector<ObjectResponse<D>> responses() const {
        constexpr int n = ObjectResponse<D>::k_size;
        std::vector<ObjectResponse<D>> all(frames.size());
        for (std::size_t o = 1; o < all.size(); ++o)
            for (int a = 0; a < n; ++a)
                for (int b = 0; b < n; ++b)
                    all[o].r[a][b] = a == b ? 2.0f + o : 0.1f * (a + b);
        return all;
    }
    std::vector<Twist<D>> twists() const {
        std::vector<Twist<D>> all;
        for (const Frame<D>& frame : frames)
            all.push_back(frame.twist);
        return all;
    }

    Device device_;
    CubicSpline<D> kernel{k_radius};
    std::vector<Frame<D>> frames;
    std::vector<Vec<D>> particles, sample_positions;
    std::vector<float> sample_volumes;
    std::optional<BoundaryParticles<D>> walls;
    std::optional<BodyCoupling<D>> coupling;
};

template <class T>
class BodyCouplingOf : public testing::Test {};
TYPED_TEST_SUITE(BodyCouplingOf, Dimensions);

// What a contact says in two vectors is the sum over the samples, one by one.
TYPED_TEST(BodyCouplingOf, ApproachIsThatOfTheSamples) {
    constexpr int D = TypeParam::value;
    Meeting<D> meeting(2);
    const std::vector<Twist<D>> twists = meeting.twists();
    meeting.coupling->start(meeting.device_, twists, meeting.responses());
    const CouplingView<D> view = meeting.coupling->view();
    std::size_t met = 0;
    for (std::size_t i = 0; i < meeting.particles.size(); ++i) {
        double sum = 0, size = 0;
        meeting.for_each_sample(
            i, [&](std::size_t k, std::uint32_t object, const Vec<D>&, const Vec<D>& gradient) {
                const Vec<D> v = meeting.sample_velocity(k, meeting.frames[object]);
                sum += meeting.sample_volumes[k] * dot(v, gradient);
                size += meeting.sample_volumes[k] * norm(v) * norm(gradient);
                ++met;
            });
        EXPECT_NEAR(view.approach(static_cast<std::uint32_t>(i), twists.data()), sum,
                    1e-5 * size + 1e-6);
    }
    EXPECT_GT(met, 100u);
}

TYPED_TEST(BodyCouplingOf, FrictionAndVelocityAreThoseOfTheObject) {
    constexpr int D = TypeParam::value;
    Meeting<D> meeting(1);
    meeting.coupling->start(meeting.device_, meeting.twists(), meeting.responses());
    const CouplingView<D> view = meeting.coupling->view();
    for (std::size_t i = 0; i < meeting.particles.size(); ++i) {
        std::vector<double> friction(meeting.frames.size(), 0);
        meeting.for_each_sample(
            i, [&](std::size_t k, std::uint32_t object, const Vec<D>& x, const Vec<D>& gradient) {
                friction[object] += meeting.sample_volumes[k] * norm(gradient) / norm(x);
            });
        std::size_t found = 0;
        for (std::uint32_t c = view.offset[i]; c < view.offset[i + 1]; ++c, ++found) {
            const Contact<D>& contact = view.contacts[c];
            EXPECT_EQ(contact.particle, i);
            EXPECT_NEAR(contact.friction, friction[contact.object],
                        1e-5 * friction[contact.object]);
        }
        EXPECT_EQ(found,
                  std::count_if(friction.begin(), friction.end(), [](double f) { return f > 0; }));
    }
    // at a sample, the velocity of its object is that of the sample
    ASSERT_GT(meeting.coupling->contact_count(), 0u);
    const Contact<D>& contact = view.contacts[0];
    for (std::size_t k = 0; k < meeting.sample_positions.size(); ++k)
        if (meeting.walls->object()[k] == contact.object) {
            const Vec<D> expected = meeting.sample_velocity(k, meeting.frames[contact.object]);
            EXPECT_LT(norm(view.velocity_at(contact, meeting.sample_positions[k]) - expected),
                      1e-5f);
        }
}

// The pressures push an object by the forces on its samples, with their torque, and it gives way by
// its response; what it got is told as an impulse, the same for any number of threads.
TYPED_TEST(BodyCouplingOf, PressuresAccelerateObjects) {
    constexpr int D = TypeParam::value;
    constexpr float dt = 0.01f;
    std::vector<std::vector<Push<D, double>>> by_threads;
    for (const int threads : {1, 2, 7}) {
        Meeting<D> meeting(threads);
        const std::vector<ObjectResponse<D>> responses = meeting.responses();
        meeting.coupling->start(meeting.device_, meeting.twists(), responses);
        std::vector<float> unknowns(meeting.particles.size());
        for (std::size_t i = 0; i < unknowns.size(); ++i)
            unknowns[i] = 1 + 0.01f * static_cast<float>(i * i % 17);
        Buffer<float> given(meeting.device_);
        given.assign(unknowns);
        meeting.coupling->accelerate(meeting.device_, given.data());
        meeting.coupling->apply(meeting.device_, dt);

        std::vector<Push<D>> pushes(meeting.frames.size());
        for (std::size_t i = 0; i < unknowns.size(); ++i)
            meeting.for_each_sample(
                i, [&](std::size_t k, std::uint32_t object, const Vec<D>&, const Vec<D>& gradient) {
                    const Vec<D> force = gradient * (unknowns[i] * meeting.sample_volumes[k]);
                    pushes[object].force += force;
                    pushes[object].torque += moment(
                        meeting.sample_positions[k] - meeting.frames[object].position, force);
                });
        const CouplingView<D> view = meeting.coupling->view();
        const std::vector<Push<D, double>> impulses = meeting.coupling->impulses();
        for (std::size_t o = 0; o < pushes.size(); ++o) {
            const Twist<D> a = responses[o].of(pushes[o]);
            const float size = norm(a.velocity) + 1e-3f;
            EXPECT_LT(norm(view.acceleration[o].velocity - a.velocity), 1e-4f * size);
            EXPECT_LT(norm(view.acceleration[o].angular_velocity - a.angular_velocity),
                      1e-4f * size);
            EXPECT_LT(norm(view.predicted[o].velocity - meeting.frames[o].twist.velocity -
                           a.velocity * dt),
                      1e-4f * size * dt + 1e-6f);
            EXPECT_LT(norm(Vec<D>::from(impulses[o].force) - pushes[o].force * dt),
                      1e-4f * norm(pushes[o].force) * dt + 1e-7f);
            EXPECT_LT(norm(Spin<D>::from(impulses[o].torque) - pushes[o].torque * dt),
                      1e-4f * norm(pushes[o].force) * dt + 1e-7f);
        }
        EXPECT_EQ(norm(impulses[0].force), 0) << "a wall is not pushed";
        by_threads.push_back(impulses);
    }
    for (const auto& other : by_threads)
        for (std::size_t o = 0; o < other.size(); ++o) {
            EXPECT_EQ(other[o].force, by_threads[0][o].force);
            EXPECT_EQ(other[o].torque, by_threads[0][o].torque);
        }
}

}  // namespace
}  // namespace millrace
