#include "particles/emitter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace millrace {
namespace {

Emitter disc(double radius) {
    Emitter e;
    e.position = {1, 2, 3};
    e.direction = {0, -2, 0};
    e.speed = 3;
    e.radius = radius;
    e.from = 0.5;
    e.until = 1.5;
    return e;
}

// What flows out is area x speed, within the roughness of a disc made of particles.
TEST(Emitter, FlowsAsMuchAsItShould) {
    const double h = 0.05;
    const Emitter e = disc(0.5);
    EmitterState<3> state(e, h);
    const NozzleFrame<3> frame = nozzle_frame<3>(e);
    double count = 0;
    for (double t = 0; t < 2; t += 0.0017)
        count += static_cast<double>(state.emit(t, frame).size());
    const double length = 3 * 1.0 + 2 * h;  // with the two layers in the nozzle at the start
    EXPECT_NEAR(count * h * h * h, std::numbers::pi * 0.25 * length, 0.05 * count * h * h * h);
    EXPECT_NEAR(count, count_emitted<3>(e, h, 10), 0.02 * count);
    EXPECT_EQ(state.emitted(), count);
}

TEST(Emitter, NothingBeforeOrAfterItsTime) {
    const Emitter e = disc(0.2);
    EmitterState<3> state(e, 0.05);
    const NozzleFrame<3> frame = nozzle_frame<3>(e);
    EXPECT_TRUE(state.emit(0.49, frame).empty());
    EXPECT_FALSE(state.emit(0.5, frame).empty());
    state.emit(1.5, frame);
    EXPECT_TRUE(state.emit(4.0, frame).empty());
}

// Layers follow each other so that every particle has a spacing cubed, whatever the steps are and
// however the opening fits the spacing.
TEST(Emitter, LayersFollowEachOtherEvenly) {
    const double h = 0.1;
    Emitter square = disc(0);
    square.size = {0.17, 0.2, 0};
    square.up = {1, 0, 0};
    for (const Emitter& e : {disc(0.05), disc(0.3), square}) {
        EmitterState<3> state(e, h);
        const NozzleFrame<3> frame = nozzle_frame<3>(e);
        const std::size_t across = state.emit(0.5, frame).size();
        std::vector<double> front;  // where a layer has got by the end, carried by the flow
        const double end = 1.4;
        double t = 0.5;
        for (int k = 0; t < end; ++k, t += k % 3 == 0 ? 0.11 : 0.013)
            for (const Vec3& x : state.emit(t, frame)) {
                const double at = 2 - x[1] + 3 * (end - t);
                if (front.empty() || std::abs(front.back() - at) > 1e-4)
                    front.push_back(at);
            }
        const double area = e.radius > 0 ? std::numbers::pi * e.radius * e.radius : 0.17 * 0.2;
        ASSERT_GT(front.size(), 15u);
        for (std::size_t k = 1; k < front.size(); ++k) {
            const double distance = front[k - 1] - front[k];
            const double per_layer =
                static_cast<double>(state.emitted() - across) / static_cast<double>(front.size());
            EXPECT_NEAR(distance * area, per_layer * h * h * h, 0.01 * distance * area);
        }
    }
}

TEST(Emitter, StopsAtItsMost) {
    Emitter e = disc(0.2);
    e.max_particles = 100;
    EmitterState<3> state(e, 0.05);
    const NozzleFrame<3> frame = nozzle_frame<3>(e);
    std::uint64_t count = 0;
    for (double t = 0; t < 2; t += 0.01)
        count += state.emit(t, frame).size();
    EXPECT_LE(count, 100u);
    EXPECT_GT(count, 40u);
    EXPECT_TRUE(state.spent());
    EmitterState<3> resumed(e, 0.05);
    resumed.restore(state.emitted());
    EXPECT_TRUE(resumed.emit(1.4, frame).empty());
}

TEST(Emitter, RectangleLiesAcrossTheFlow) {
    Emitter e;
    e.direction = {1, 0, 0};
    e.up = {0.5, 1, 0};
    e.size = {0.4, 0.2, 0};
    EmitterState<3> state(e, 0.05);
    const std::vector<Vec3> first = state.emit(0, nozzle_frame<3>(e));
    ASSERT_EQ(first.size(), 2u * 8 * 4);
    for (const Vec3& x : first) {
        EXPECT_LE(std::abs(x[1]), 0.1f);
        EXPECT_LE(std::abs(x[2]), 0.2f);
        EXPECT_TRUE(state.hold_zone(nozzle_frame<3>(e)).contains(x));
    }
    EXPECT_FALSE(state.hold_zone(nozzle_frame<3>(e)).contains({0.01f, 0, 0}));
    EXPECT_FALSE(state.hold_zone(nozzle_frame<3>(e)).contains({-0.05f, 0.12f, 0}));
}

// The walls of a nozzle leave its mouth open and let nothing else through: every way out of the
// held fluid but the mouth passes within a spacing of a sample.
TEST(Emitter, NozzleIsClosedButForItsMouth) {
    const double h = 0.05, depth = 0.6 * h;
    Emitter square;
    square.size = {0.3, 0.2, 0};
    for (const Emitter& e : {disc(0.2), square}) {
        const NozzleFrame<3> frame = nozzle_frame<3>(e);
        const std::vector<Vec3> samples = nozzle_samples<3>(e, h, depth);
        const auto nearest = [&](const Vec3d& local) {
            const Vec3 at = Vec3::from(frame.axes * local + frame.position);
            double least = 1e9;
            for (const Vec3& x : samples)
                least = std::min(least, double(norm(x - at)));
            return least;
        };
        EXPECT_GT(nearest({0, 0, 0}), 2 * h) << "the mouth";
        const double a = e.radius > 0 ? e.radius + depth : 0.15 + depth;
        const double b = e.radius > 0 ? e.radius + depth : 0.1 + depth;
        for (int k = 0; k < 60; ++k) {
            const double angle = 2 * std::numbers::pi * k / 60, s = -2 * h * (k % 7) / 7;
            const double c = std::cos(angle), d = std::sin(angle);
            const double scale = e.radius > 0 ? 1 : 1 / std::max(std::abs(c), std::abs(d));
            EXPECT_LT(nearest({s, a * c * scale, b * d * scale}), 0.75 * h);
            EXPECT_LT(nearest({-2 * h - depth, 0.5 * a * c, 0.5 * b * d}), 0.75 * h);
        }
    }
}

}  // namespace
}  // namespace millrace
