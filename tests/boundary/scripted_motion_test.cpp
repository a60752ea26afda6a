#include "boundary/scripted_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace millrace {
namespace {

WallMotion motion(const std::string& type) {
    WallMotion m;
    m.type = type;
    m.axis = {1, 2, -1};
    m.amplitude = 0.3;
    m.period = 1.7;
    m.phase = 25;
    m.velocity = {0.4, -0.2, 0.9};
    m.center = {0.5, -1, 2};
    m.rpm = 40;
    m.keyframes = {{0.2, {0, 0, 0}, {}},
                   {1.0, {1, 0, 2}, {{0, 1, 0}, 80}},
                   {2.0, {0, -1, 0}, {{1, 1, 0}, 200}}};
    m.from = 0.3;
    m.until = 1.8;
    return m;
}

Vec3d point_at(const WallMotion& m, double time, const Vec3d& start) {
    const BodyState frame = motion_at(m, time);
    return rotate(frame.rotation, start) + frame.position;
}

Vec3d velocity_at(const WallMotion& m, double time, const Vec3d& start) {
    const BodyState frame = motion_at(m, time);
    return frame.velocity +
           cross(frame.angular_velocity, point_at(m, time, start) - frame.position);
}

// The velocity of every point of a wall is the derivative of its place.
TEST(ScriptedMotion, VelocitiesAreDerivatives) {
    const double eps = 1e-5;
    for (const std::string type : {"sine", "linear", "rotate", "keyframes"}) {
        const WallMotion m = motion(type);
        for (const double time : {0.1, 0.5, 0.93, 1.3, 1.75, 2.5})
            for (const Vec3d& x : {Vec3d{0, 0, 0}, Vec3d{1, -2, 0.5}}) {
                const Vec3d slope =
                    (point_at(m, time + eps, x) - point_at(m, time - eps, x)) * (0.5 / eps);
                EXPECT_LT(norm(slope - velocity_at(m, time, x)), 1e-6) << type << " at " << time;
            }
    }
}

TEST(ScriptedMotion, RestsBeforeAndAfter) {
    for (const std::string type : {"sine", "linear", "rotate"}) {
        const WallMotion m = motion(type);
        const Vec3d x{1, -2, 0.5};
        EXPECT_LT(norm(point_at(m, 0, x) - x), 1e-12) << type;
        EXPECT_LT(norm(point_at(m, m.from, x) - x), 1e-12) << type;
        EXPECT_LT(norm(point_at(m, 5, x) - point_at(m, m.until, x)), 1e-12) << type;
        EXPECT_EQ(norm(velocity_at(m, 0.1, x)), 0) << type;
        EXPECT_EQ(norm(velocity_at(m, 5, x)), 0) << type;
        EXPECT_GT(norm(velocity_at(m, 1, x)), 0.01) << type;
    }
}

TEST(ScriptedMotion, TurnsAboutItsCentreAsOftenAsItSays) {
    WallMotion m = motion("rotate");
    m.axis = {0, 0, 2};
    const Vec3d center{0.5, -1, 2}, x{1.5, -1, 2};
    EXPECT_LT(norm(point_at(m, 1, center) - center), 1e-12);
    // 40 turns a minute: a quarter in 0.375 s, counter-clockwise seen from +z
    EXPECT_LT(norm(point_at(m, m.from + 0.375, x) - Vec3d{0.5, 0, 2}), 1e-12);
    EXPECT_LT(norm(point_at(m, m.from + 1.5, x) - x), 1e-12);
}

TEST(ScriptedMotion, SineSwingsByItsAmplitude) {
    WallMotion m = motion("sine");
    m.phase = 0;
    m.until = 1e9;
    const double axis = std::sqrt(6.0);
    const Vec3d far = point_at(m, m.from + 1.7 / 4, {0, 0, 0});
    EXPECT_NEAR(dot(far, Vec3d{1, 2, -1}) / axis, 0.3, 1e-12);
    EXPECT_LT(norm(point_at(m, m.from + 1.7, {0, 0, 0})), 1e-12);
}

TEST(ScriptedMotion, PassesThroughItsKeyframes) {
    WallMotion m = motion("keyframes");
    m.from = 0;
    m.until = 1e9;
    m.center = {0, 0, 0};
    const Vec3d x{1, 0, 0};
    EXPECT_LT(norm(point_at(m, 0, x) - x), 1e-12);
    const double a = 80 * 3.14159265358979 / 180;
    EXPECT_LT(norm(point_at(m, 1.0, x) - Vec3d{1 + std::cos(a), 0, 2 - std::sin(a)}), 1e-9);
    // halfway between the first two: half the way, half the turn
    const Vec3d half = point_at(m, 0.6, x);
    EXPECT_LT(norm(half - Vec3d{0.5 + std::cos(a / 2), 0, 1 - std::sin(a / 2)}), 1e-9);
    EXPECT_LT(norm(point_at(m, 9, x) - point_at(m, 2, x)), 1e-12);
}

}  // namespace
}  // namespace millrace
