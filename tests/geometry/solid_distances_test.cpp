#include "geometry/solid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/primitives.hpp"
#include "math/scene_vectors.hpp"
#include "support/distance_oracle.hpp"

namespace millrace {
namespace {

constexpr double k_spacing = 0.05, k_thickness = 0.3, k_reach = 0.4, k_edge = 0.02;

template <int D>
SolidParts<D> parts_of(const Boundary& wall) {
    return make_wall<D>(wall, k_edge).distances(k_thickness, k_reach, k_spacing);
}

/// Seen from another origin.
template <int D>
SolidParts<D> parts_of(const Body& body, const Vec3d& center = {0, 0, 0}) {
    Vec<D, double> by;
    for (int k = 0; k < D; ++k)
        by[k] = -center[k];
    Solid<D> solid;
    solid.shape = moved<D>(placed_shape<D>(body), by);
    return solid.distances(k_thickness, k_reach, k_spacing);
}

/// To the nearest of all parts.
template <int D>
float distance(const SolidParts<D>& parts, const Vec<D>& x) {
    float nearest = 1e30f;
    for (const auto& part : parts)
        nearest = std::min(nearest, part->at(x).distance);
    return nearest;
}

Boundary turned_wall() {
    Boundary wall;
    wall.rotation = {{1, 2, 3}, 40};
    wall.position = {0.3, -0.2, 0.5};
    return wall;
}

Boundary turned_flat_wall() {
    Boundary wall;
    wall.rotation = {{0, 0, 1}, 30};
    wall.position = {0.3, -0.2, 0};
    return wall;
}

TriangleMesh placed(const TriangleMesh& mesh, const Boundary& wall) {
    return transformed(mesh, to_vec3d(wall.scale), to_quaternion(wall.rotation),
                       to_vec3d(wall.position));
}

std::vector<Vec2d> placed(const std::vector<Vector>& points, const Boundary& wall) {
    std::vector<Vec2d> corners;
    for (const Vector& p : points) {
        const Vec3d scaled{p[0] * wall.scale[0], p[1] * wall.scale[1], 0};
        const Vec3d x = rotate(to_quaternion(wall.rotation), scaled) + to_vec3d(wall.position);
        corners.push_back({x[0], x[1]});
    }
    return corners;
}

template <int D>
void expect_exact(const SolidParts<D>& parts, const DistanceOracle<D>& oracle) {
    ASSERT_EQ(parts.size(), 1u);
    expect_agreement(*parts[0], oracle, 0.3f);
    expect_normals_are_gradients(*parts[0], 0.3f);
    EXPECT_GT(parts[0]->bytes(), 0u);
}

TEST(SignedDistanceOfShapes, OfABoxWall) {
    Boundary wall = turned_wall();
    wall.shape = Box{{-0.5, -0.2, 0.1}, {0.3, 0.4, 0.8}};
    wall.scale = {1, -1.5, 0.5};
    expect_exact(parts_of<3>(wall),
                 oracle_of(placed(box_mesh({-0.5, -0.2, 0.1}, {0.3, 0.4, 0.8}), wall), k_edge));
    Boundary flat = turned_flat_wall();
    flat.shape = Box{{-0.5, -0.2, 0}, {0.3, 0.4, 0}};
    flat.scale = {-2, 1, 1};
    const std::vector<Vector> corners{
        {-0.5, -0.2, 0}, {0.3, -0.2, 0}, {0.3, 0.4, 0}, {-0.5, 0.4, 0}};
    expect_exact(parts_of<2>(flat), oracle_of(placed(corners, flat), k_edge));
}

TEST(SignedDistanceOfShapes, OfABoxRoundsItsCornersOutsideOnly) {
    Boundary wall;
    wall.shape = Box{{-1, -1, -1}, {1, 1, 1}};
    const auto box = std::move(parts_of<3>(wall)[0]);
    EXPECT_FLOAT_EQ(box->at({1.3f, 1.4f, 0}).distance, 0.5f);
    EXPECT_FLOAT_EQ(box->at({1.3f, 1.4f, 0}).normal[1], 0.8f);
    EXPECT_FLOAT_EQ(box->at({-3, 0.9f, 0}).distance, 2);
    EXPECT_FLOAT_EQ(box->at({-0.75f, 0.5f, 0}).distance, -0.25f);
    EXPECT_EQ(box->at({-0.75f, 0.5f, 0}).normal, (Vec3{-1, 0, 0}));
}

TEST(SignedDistanceOfShapes, OfABallWall) {
    Boundary wall = turned_wall();
    wall.shape = Sphere{{0.1, 0.2, -0.3}, 0.4};
    wall.scale = {1.5, 1.5, -1.5};
    expect_exact(parts_of<3>(wall),
                 oracle_of(placed(sphere_mesh({0.1, 0.2, -0.3}, 0.4, k_edge), wall), 2 * k_edge));
    Boundary flat = turned_flat_wall();
    flat.shape = Sphere{{0.1, 0.2, 0}, 0.4};
    flat.scale = {0.5, -0.5, 1};
    std::vector<Vector> corners;
    for (int i = 0; i < 200; ++i) {
        const double angle = i * std::numbers::pi / 100;
        corners.push_back({0.1 + 0.4 * std::cos(angle), 0.2 + 0.4 * std::sin(angle), 0});
    }
    expect_exact(parts_of<2>(flat), oracle_of(placed(corners, flat), k_edge));
}

TEST(SignedDistanceOfShapes, OfACylinderWall) {
    Boundary oblique = turned_wall();
    oblique.shape = Cylinder{{0.1, 0.2, -0.3}, {0.3, 0.6, 0.2}, 0.2};
    oblique.scale = {1.2, 1.2, 1.2};
    const TriangleMesh mesh = cylinder_mesh({0.1, 0.2, -0.3}, {0.3, 0.6, 0.2}, 0.2, k_edge);
    expect_exact(parts_of<3>(oblique), oracle_of(placed(mesh, oblique), 2 * k_edge));

    Boundary stretched = turned_wall();
    stretched.shape = Cylinder{{0.1, 0.2, -0.3}, {0.1, 0.2, 0.2}, 0.2};
    stretched.scale = {0.8, -0.8, 1.5};
    const TriangleMesh upright = cylinder_mesh({0.1, 0.2, -0.3}, {0.1, 0.2, 0.2}, 0.2, k_edge);
    expect_exact(parts_of<3>(stretched), oracle_of(placed(upright, stretched), 2 * k_edge));
}

TEST(SignedDistanceOfShapes, OfAPlane) {
    Boundary wall;
    wall.shape = Plane{{0.1, 0.2, 0.3}, {0, 3, 0}};
    const auto floor = std::move(parts_of<3>(wall)[0]);
    EXPECT_FLOAT_EQ(floor->at({5, 0.7f, -8}).distance, 0.5f);
    EXPECT_FLOAT_EQ(floor->at({5, -0.3f, -8}).distance, -0.5f);
    EXPECT_EQ(floor->at({5, -0.3f, -8}).normal, (Vec3{0, 1, 0}));
    Vec3 min, max;
    floor->bounds(min, max);
    EXPECT_NEAR(max[1], 0.2, 1e-6);
    EXPECT_LT(min[1], -1e8);
    EXPECT_GT(max[0], 1e8);

    Boundary slope = turned_flat_wall();
    slope.shape = Plane{{0.4, 0, 0}, {1, 1, 0}};
    slope.scale = {2, 1, 1};
    const auto solid = std::move(parts_of<2>(slope)[0]);
    // two points of the line stay on it, and a point that was solid stays solid
    for (const Vec2d& x : placed({{0.4, 0, 0}, {0, 0.4, 0}}, slope))
        EXPECT_NEAR(solid->at(Vec2::from(x)).distance, 0, 1e-6);
    EXPECT_LT(solid->at(Vec2::from(placed({{0, 0, 0}}, slope)[0])).distance, -0.1f);
}

TEST(SignedDistanceOfShapes, OfPolygons) {
    Boundary wall = turned_flat_wall();
    wall.scale = {1.2, -0.8, 1};
    std::vector<Vector> bucket{{0, 0, 0},     {0.9, 0, 0},   {0.9, 0.6, 0}, {0.6, 0.6, 0},
                               {0.6, 0.3, 0}, {0.3, 0.3, 0}, {0.3, 0.6, 0}, {0, 0.6, 0}};
    std::vector<Vector> star;
    for (int i = 0; i < 100; ++i) {
        const double angle = i * std::numbers::pi / 50, radius = i % 4 < 2 ? 0.5 : 0.4;
        star.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    }
    for (std::vector<Vector>* points : {&bucket, &star})
        for (int sense = 0; sense < 2; ++sense) {
            std::reverse(points->begin(), points->end());
            wall.shape = Polygon{*points};
            const SolidParts<2> parts = parts_of<2>(wall);
            expect_agreement(*parts[0], oracle_of(placed(*points, wall), k_edge / 2), 0.3f);
        }
    wall.shape = Polygon{bucket};
    expect_normals_are_gradients(*parts_of<2>(wall)[0], 0.3f);
}

TEST(SignedDistanceOfShapes, OnAnEdgeOfAPolygonTheNormalIsThatOfTheEdge) {
    Boundary wall;
    wall.shape = Polygon{{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}};
    const auto square = std::move(parts_of<2>(wall)[0]);
    EXPECT_EQ(square->at({1, 0.25f}).distance, 0);
    EXPECT_EQ(square->at({1, 0.25f}).normal, (Vec2{1, 0}));
    EXPECT_EQ(square->at({0.25f, 0}).normal, (Vec2{0, -1}));
}

TEST(SignedDistanceOfShapes, OfAChainHasTwoSides) {
    Boundary wall;
    wall.shape = Chain{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}};
    const SolidParts<2> parts = parts_of<2>(wall);
    const float half = static_cast<float>(k_spacing / 4);
    EXPECT_FLOAT_EQ(parts[0]->at({0.5f, 0.2f}).distance, 0.2f - half);
    EXPECT_EQ(parts[0]->at({0.5f, 0.2f}).normal, (Vec2{0, 1}));
    EXPECT_FLOAT_EQ(parts[0]->at({0.5f, -0.2f}).distance, 0.2f - half);
    EXPECT_EQ(parts[0]->at({0.5f, -0.2f}).normal, (Vec2{0, -1}));
    EXPECT_FLOAT_EQ(parts[0]->at({0.5f, 0}).distance, -half);
    EXPECT_FLOAT_EQ(std::abs(parts[0]->at({0.5f, 0}).normal[1]), 1);
    EXPECT_FLOAT_EQ(parts[0]->at({-0.3f, 0.4f}).distance, 0.5f - half);
    expect_normals_are_gradients(*parts[0], 0.3f);
}

TEST(SignedDistanceOfShapes, OfBodiesIsAboutTheCentreOfMass) {
    const Vec3d center{0.05, -0.1, 0.2};
    Body box, ball, cylinder, capsule;
    box.shape = BodyBox{{0.4, 0.6, 0.8}};
    ball.shape = BodySphere{0.4};
    cylinder.shape = BodyCylinder{0.2, 0.9};
    capsule.shape = BodyCapsule{0.2, 0.9};
    const Vec3d half{0.2, 0.3, 0.4}, up{0, 0.45, 0}, straight{0, 0.25, 0};
    expect_exact(parts_of<3>(box, center),
                 oracle_of(box_mesh(-half - center, half - center), k_edge));
    expect_exact(parts_of<3>(ball, center), oracle_of(sphere_mesh(-center, 0.4, k_edge), k_edge));
    expect_exact(parts_of<3>(cylinder, center),
                 oracle_of(cylinder_mesh(-up - center, up - center, 0.2, k_edge), k_edge));
    expect_exact(
        parts_of<3>(capsule, center),
        oracle_of(capsule_mesh(-straight - center, straight - center, 0.2, k_edge), k_edge));
}

TEST(SignedDistanceOfShapes, OfFlatBodies) {
    const Vec3d center{0.5, 0.25, 0};
    Body box, circle, triangle;
    box.shape = BodyBox{{2, 1, 0}};
    circle.shape = BodySphere{0.5};
    triangle.shape = Polygon{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    EXPECT_FLOAT_EQ(parts_of<2>(box)[0]->at({1.3f, 0.9f}).distance, 0.5f);
    EXPECT_FLOAT_EQ(parts_of<2>(box, center)[0]->at({0.8f, 0.65f}).distance, 0.5f);
    EXPECT_FLOAT_EQ(parts_of<2>(circle, center)[0]->at({-0.5f, 0.75f}).distance, 0.5f);
    EXPECT_FLOAT_EQ(parts_of<2>(triangle, center)[0]->at({-0.25f, -0.5f}).distance, 0.25f);
}

TEST(SignedDistanceOfShapes, InTheMiddleOfRoundShapesNormalsAreSound) {
    Body ball, cylinder, capsule, round;
    ball.shape = BodySphere{0.4};
    cylinder.shape = BodyCylinder{0.2, 0.9};
    capsule.shape = BodyCapsule{0.2, 0.9};
    round.shape = BodyCapsule{0.2, 0.4};
    for (const Body& body : {ball, cylinder, capsule, round}) {
        const auto sample = parts_of<3>(body)[0]->at({0, 0, 0});
        EXPECT_FLOAT_EQ(sample.distance,
                        std::holds_alternative<BodySphere>(body.shape) ? -0.4f : -0.2f);
        EXPECT_FLOAT_EQ(norm(sample.normal), 1);
    }
}

TEST(SignedDistanceOfShapes, OfARoundTankIsWhatLiesOutside) {
    Boundary wall = turned_wall();
    wall.shape = Cylinder{{0, 0, 0}, {0, 1, 0}, 0.5};
    const auto solid = std::move(parts_of<3>(wall)[0]);
    wall.inside = true;
    const auto tank = std::move(parts_of<3>(wall)[0]);
    for (const Vec3& x : places_around(*solid, static_cast<float>(k_thickness) * 0.999f, 200)) {
        EXPECT_EQ(tank->at(x).distance, -solid->at(x).distance);
        EXPECT_EQ(tank->at(x).normal, -solid->at(x).normal);
    }
    Vec3 min, max, tank_min, tank_max;
    solid->bounds(min, max);
    tank->bounds(tank_min, tank_max);
    EXPECT_NEAR(max[1] + k_thickness, tank_max[1], 1e-6);
    EXPECT_NEAR(min[0] - k_thickness, tank_min[0], 1e-6);
    EXPECT_GT(tank->at({tank_max[0] + 0.01f, 0, 0}).distance, k_reach);
}

TEST(SignedDistanceOfShapes, ATankHasASlabBehindEveryClosedFace) {
    Boundary wall;
    wall.shape = Box{{0, 0, 0}, {2, 1, 1}};
    wall.inside = true;
    wall.open = {"+y"};
    const SolidParts<3> parts = parts_of<3>(wall);
    EXPECT_EQ(parts.size(), 5u);
    const float t = static_cast<float>(k_thickness);
    EXPECT_FLOAT_EQ(distance(parts, {0.1f, 0.5f, 0.5f}), 0.1f);
    EXPECT_FLOAT_EQ(distance(parts, {1, 0.05f, 0.5f}), 0.05f);
    EXPECT_NEAR(distance(parts, {2.1f, 0.5f, 0.5f}), -0.1, 1e-6);
    EXPECT_FLOAT_EQ(distance(parts, {1, 1.5f, 0.5f}), std::hypot(0.5f, 0.5f)) << "the open face";
    EXPECT_FLOAT_EQ(distance(parts, {2.1f, 1.2f, 0.5f}), 0.2f) << "above the rim";
    EXPECT_NEAR(distance(parts, {2 + t / 2, 1, 0.5f}), 0, 1e-6) << "on the rim";
    EXPECT_NEAR(distance(parts, {2 + t, 0.5f, 0.5f}), 0, 1e-6) << "the back";
    for (float x = 0.01f; x < t; x += 0.02f)
        for (float y = 0.01f; y < t; y += 0.02f)
            EXPECT_LT(distance(parts, {-x, -y, 0.5f}), 0) << "no gap at a closed edge";
}

TEST(SignedDistanceOfShapes, ATankIsTurnedAndMirrored) {
    for (const double mirror : {1.0, -1.0}) {
        Boundary wall = turned_flat_wall();
        wall.shape = Box{{0, 0, 0}, {1, 1, 0}};
        wall.open = {"+x", "+y"};
        wall.scale = {mirror, 1, 1};
        const SolidParts<2> parts = parts_of<2>(wall);
        EXPECT_EQ(parts.size(), 2u);
        const auto at = [&](double x, double y) {
            return distance(parts, Vec2::from(placed({{x, y, 0}}, wall)[0]));
        };
        EXPECT_NEAR(at(0.2, 0.5), 0.2, 1e-6);
        EXPECT_NEAR(at(-0.1, 0.5), -0.1, 1e-6);
        EXPECT_NEAR(at(0.9, 0.3), 0.3, 1e-6) << "no slab at the open side";
        EXPECT_NEAR(at(1.4, -0.1), 0.4, 1e-6) << "the floor ends at the rim";
        EXPECT_LT(at(-0.1, -0.1), -0.05) << "the closed corner";
    }
}

}  // namespace
}  // namespace millrace
