#include "geometry/solid.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "geometry/primitives.hpp"
#include "geometry/shape_measures.hpp"

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;

SolidBody<3> made(const Body& body) {
    std::vector<std::string> warnings;
    return make_body<3>(body, 0.02, "bodies[0]", warnings);
}

SolidBody<2> made_flat(const Body& body) {
    std::vector<std::string> warnings;
    return make_body<2>(body, 0.02, "bodies[0]", warnings);
}

/// Every shape of space, all turned and off the origin.
std::vector<PlacedShape<3>> shapes_of_space() {
    const Mat3d turn = to_matrix(Quaterniond::from_axis_angle({{1, 2, 3}}, 0.7));
    return {PlacedBox<3>{{{-0.2, -0.3, -0.4}}, {{0.3, 0.5, 0.2}}, turn, {{0.5, -0.2, 0.1}}},
            PlacedBall<3>{{{0.1, 0.2, -0.3}}, 0.4},
            PlacedCylinder{{{0, 0.1, 0}}, {{0.3, 0.5, 0.4}}, 0.25},
            PlacedCapsule{{{0.2, 0.1, 0}}, {{-0.3, 0.5, 0.4}}, 0.15},
            PlacedMesh(box_mesh({{-0.5, 0.1, 0}}, {{0.2, 0.4, 0.3}}))};
}

// The formulas of volume, area, mass and bounds are those of the triangles that stand for a shape.
TEST(Solid, MeasuresAreThoseOfTheSurface) {
    for (const PlacedShape<3>& shape : shapes_of_space()) {
        const TriangleMesh surface = triangles_of(shape, 0.005);
        EXPECT_NEAR(volume_of<3>(shape) / signed_volume(surface), 1, 2e-3);
        EXPECT_NEAR(surface_area<3>(shape) / area(surface), 1, 2e-3);
        const MassProperties exact = mass_properties<3>(shape, 500);
        const MassProperties summed = mass_properties(surface, 500);
        EXPECT_NEAR(exact.mass / summed.mass, 1, 2e-3);
        EXPECT_LT(norm(exact.center - summed.center), 1e-3);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                EXPECT_NEAR(exact.inertia(i, j), summed.inertia(i, j), 5e-3 * summed.inertia(0, 0));
        const Bounds box = bounds(surface);
        const auto found = bounds_of<3>(shape);
        ASSERT_TRUE(found);
        double farthest = 0;
        for (const Vec3d& x : surface.vertices)
            farthest = std::max(farthest, norm(x));
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(found->low[k], box.min[k], 3e-3);
            EXPECT_NEAR(found->high[k], box.max[k], 3e-3);
        }
        EXPECT_NEAR(radius_of<3>(shape), farthest, 3e-3);
    }
}

// What is inside by the shape is what lies behind its surface by the distance.
TEST(Solid, InsideAndDistanceAgree) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-0.9, 0.9);
    for (const PlacedShape<3>& shape : shapes_of_space())
        for (const bool hollow : {false, true}) {
            Solid<3> solid;
            solid.shape = shape;
            solid.hollow = hollow;
            const SolidParts<3> parts = solid.distances(3, 0.5, 0.02);
            std::vector<Vec3> places;
            for (int n = 0; n < 500; ++n)
                places.push_back(
                    Vec3::from(Vec3d{{number(random), number(random), number(random)}}));
            std::vector<std::uint8_t> inside(places.size(), 0);
            solid.mark_inside(places, {}, inside);
            if (!solid.has_inside()) {  // a hollow box
                EXPECT_EQ(std::count(inside.begin(), inside.end(), 1), 0);
                continue;
            }
            for (std::size_t i = 0; i < places.size(); ++i) {
                const float distance = parts[0]->at(places[i]).distance;
                if (std::abs(distance) > 0.01f) {
                    EXPECT_EQ(inside[i] != 0, distance < 0) << shape.index() << ' ' << distance;
                }
            }
        }
}

TEST(Solid, FlatBodiesHaveTheMassOfTheirArea) {
    Body disc;
    disc.shape = BodySphere{0.5};
    disc.density = 200;
    const SolidBody<2> round = made_flat(disc);
    EXPECT_NEAR(round.mass, 200 * k_pi * 0.25, 1e-9);
    EXPECT_NEAR(round.inertia(2, 2), round.mass * 0.25 / 2, 1e-9);
    Body l;
    l.shape = Polygon{{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}};
    l.density = 10;
    const SolidBody<2> made_l = made_flat(l);
    EXPECT_NEAR(made_l.mass, 30, 1e-9);
    EXPECT_NEAR(made_l.center[0], 2.5 / 3, 1e-9);
    double inertia = 3.0 / 6;  // of three squares, and their ways from the centre
    for (const auto& [x, y] : {std::pair{0.5, 0.5}, {1.5, 0.5}, {0.5, 1.5}})
        inertia += (x - 2.5 / 3) * (x - 2.5 / 3) + (y - 2.5 / 3) * (y - 2.5 / 3);
    EXPECT_NEAR(made_l.inertia(2, 2), 10 * inertia, 1e-9);
}

// Mass, centre and inertia that are given take the place of the shape's.
TEST(Solid, MassCentreAndInertiaCanBeGiven) {
    Body box;
    box.shape = BodyBox{{1, 2, 3}};
    box.position = {5, 0, 0};
    box.mass = 12;
    EXPECT_NEAR(made(box).inertia(0, 0), 12 * (4 + 9) / 12.0, 1e-12);
    box.center_of_mass = Vector{0.1, -0.5, 0};
    const SolidBody<3> low = made(box);
    EXPECT_NEAR(low.state.position[0], 5.1, 1e-12);
    EXPECT_NEAR(low.state.position[1], -0.5, 1e-12);
    EXPECT_NEAR(low.inertia(0, 0), 12 * (4 + 9) / 12.0 + 12 * 0.25, 1e-12);  // Steiner
    EXPECT_NEAR(low.inertia(0, 1), 12 * 0.1 * 0.5, 1e-12);
    const auto around = bounds_of<3>(low.solid.shape);
    EXPECT_NEAR(around->low[1], -0.5, 1e-12);  // seen from the centre of mass
    EXPECT_NEAR(around->high[1], 1.5, 1e-12);
    box.inertia = Vector{3, 4, 5};
    EXPECT_EQ(made(box).inertia(1, 1), 4);
    EXPECT_EQ(made(box).inertia(0, 1), 0);
    Body flat;
    flat.shape = BodyBox{{1, 1, 0}};
    flat.inertia = Vector{0, 0, 7};
    EXPECT_EQ(made_flat(flat).inertia(2, 2), 7);
}

TEST(Solid, WallsArePlacedOnce) {
    Boundary wall;
    wall.shape = Box{{0, 0, 0}, {1, 1, 1}};
    wall.open = {"+x"};
    wall.scale = {-2, 1, 1};
    wall.rotation = {{0, 0, 1}, 90};
    wall.position = {0, 0, 5};
    const Solid<3> solid = make_wall<3>(wall, 0.1);
    const auto& box = std::get<PlacedBox<3>>(solid.shape);
    EXPECT_TRUE(box.is_open(0, 0)) << "the scale mirrors the open face";
    EXPECT_FALSE(box.is_open(0, 1));
    EXPECT_LT(norm(box.center() - Vec3d{{-0.5, -1, 5.5}}), 1e-12);
    EXPECT_EQ(solid.surface().triangles.size(), 10u) << "without the open face";
    wall.shape = Sphere{{0, 0, 0}, 1};
    EXPECT_TRUE(std::holds_alternative<PlacedMesh>(make_wall<3>(wall, 0.1).shape))
        << "an ellipsoid";
    wall.scale = {2, -2, 2};
    EXPECT_NEAR(std::get<PlacedBall<3>>(make_wall<3>(wall, 0.1).shape).radius, 2, 1e-12);
    Boundary nothing;
    EXPECT_THROW(make_wall<3>(nothing, 0.1), std::exception);
}

}  // namespace
}  // namespace millrace
