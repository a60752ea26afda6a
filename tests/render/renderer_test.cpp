#include "render/renderer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/primitives.hpp"
#include "support/pixels.hpp"

namespace millrace {
namespace {

using namespace test;

constexpr int k_width = 320, k_height = 240;

/// A tank of 2 x 2 x 2 metres seen straight from the front, its middle in the middle.
Scene make_scene() {
    Scene scene;
    scene.spacing = 0.2;
    Boundary tank;
    tank.shape = Box{{-1, -1, -1}, {1, 1, 1}};
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries = {tank};
    return scene;
}

Renderer make_renderer(const Scene& scene, const std::vector<ObjectMesh>& objects = {}) {
    const Box bounds = std::get<Box>(scene.boundaries[0].shape);
    const double aspect = static_cast<double>(k_width) / k_height;
    const View view = perspective_view({{0, 0, 5}, {0, 0, 0}, 40}, {{0, 1, 0}}, aspect, bounds);
    return {scene, view, bounds, k_width, k_height, objects};
}

constexpr Vector k_red{0.9, 0.1, 0.05};

/// The tank with a red body that is called "body".
Scene scene_with_body() {
    Scene scene = make_scene();
    scene.bodies.emplace_back().name = "body";
    scene.bodies[0].color = k_red;
    return scene;
}

ObjectMesh red_body(const TriangleMesh& surface) {
    return {"body", true, false, k_red, surface};
}

BodyFrame body_at(const Vector& position, const std::array<double, 4>& rotation = {1, 0, 0, 0}) {
    BodyView view;
    view.name = "body";
    view.position = position;
    view.rotation = rotation;
    return {0, {view}};
}

/// Pixels a metre in the plane z = 0.
const double k_scale = k_height / 2.0 / (5 * std::tan(20 * M_PI / 180));

/// The pixel of a point of the plane z = 0.
Pixel at_place(const Image& image, double x, double y) {
    return at(image, static_cast<int>(k_width / 2.0 + k_scale * x),
              static_cast<int>(k_height / 2.0 - k_scale * y));
}

using Floats = std::vector<float>;

TEST(Renderer, ASphereIsWhereItShouldBeAndAsLargeAsItShouldBe) {
    Renderer renderer = make_renderer(make_scene());
    const Image empty = renderer.draw({}, {});
    ASSERT_EQ(empty.width, k_width);
    ASSERT_EQ(empty.height, k_height);
    const Image image = renderer.draw(Floats{0.5f, 0.25f, 0}, Floats{0});
    const Difference d = compare(image, empty);
    // tan 20 degrees at 5 m: 65.9 pixels a metre; the radius is 0.55 spacings
    const double scale = k_height / 2.0 / (5 * std::tan(20 * M_PI / 180));
    const double x = k_width / 2.0 + 0.5 * scale, y = k_height / 2.0 - 0.25 * scale;
    EXPECT_NEAR((d.left + d.right + 1) / 2.0, x, 1);
    EXPECT_NEAR((d.top + d.bottom + 1) / 2.0, y, 2);
    EXPECT_NEAR(d.right + 1 - d.left, 2 * 0.11 * scale, 2);
    EXPECT_TRUE(is_blue(at(image, static_cast<int>(x), static_cast<int>(y))));
}

TEST(Renderer, ValuesGiveTheColours) {
    Renderer renderer = make_renderer(make_scene());
    const auto draw = [&](float value) { return renderer.draw(Floats{0, 0, 0}, Floats{value}); };
    const Difference sphere = compare(draw(0), draw(1));  // without its shadow
    ASSERT_GT(sphere.count, 20);
    for (const float value : {0.f, 1.f, 100.f, -100.f, NAN}) {
        const Pixel p =
            at(draw(value), (sphere.left + sphere.right) / 2, (sphere.top + sphere.bottom) / 2);
        EXPECT_TRUE(value >= 1 ? is_white(p) : is_blue(p))
            << value << ": " << p.r << " " << p.g << " " << p.b;
    }
}

TEST(Renderer, TheNearerSphereHidesTheOtherWhateverTheOrder) {
    Renderer renderer = make_renderer(make_scene());
    for (const bool near_first : {true, false}) {
        const float first = near_first ? 0.5f : -0.5f;
        const Image image = renderer.draw(Floats{0, 0, first, 0, 0, -first},
                                          near_first ? Floats{0, 1} : Floats{1, 0});
        EXPECT_TRUE(is_blue(at(image, k_width / 2, k_height / 2)));
    }
}

// Two spheres at the same depth that overlap by half: the border is the plane between them.
TEST(Renderer, SpheresCutEachOtherInTheMiddle) {
    Renderer renderer = make_renderer(make_scene());
    const Image image = renderer.draw(Floats{-0.05f, 0, 0, 0.05f, 0, 0}, Floats{0, 1});
    EXPECT_TRUE(is_blue(at(image, k_width / 2 - 2, k_height / 2)));
    EXPECT_TRUE(is_white(at(image, k_width / 2 + 1, k_height / 2)));
}

TEST(Renderer, ASphereThrowsAShadowOnTheGround) {
    Renderer renderer = make_renderer(make_scene());
    const Image empty = renderer.draw({}, {});
    Floats block, values;
    for (int i = 0; i < 125; ++i) {
        for (const int index : {i % 5, i / 5 % 5, i / 25})
            block.push_back(0.2f * static_cast<float>(index - 2));
        values.push_back(0);
    }
    const Image image = renderer.draw(block, values);
    int darker = 0;
    for (int y = k_height * 3 / 4; y < k_height; ++y)  // below the block there is only ground
        for (int x = 0; x < k_width; ++x)
            darker += at(image, x, y).g + 8 < at(empty, x, y).g;
    EXPECT_GT(darker, 200);
}

TEST(Renderer, SameInputSamePicture) {
    const Floats positions{0, 0, 0, 0.1f, 0.1f, 0.1f, -0.5f, 0.3f, 0.2f};
    const Floats values{0, 0.5f, 1};
    Renderer a = make_renderer(make_scene());
    const Image first = a.draw(positions, values);
    EXPECT_EQ(first.rgb, a.draw(positions, values).rgb);
    Renderer b = make_renderer(make_scene());
    EXPECT_EQ(first.rgb, b.draw(positions, values).rgb);
}

TEST(Renderer, LeavesOutParticlesThatAreNowhere) {
    Renderer renderer = make_renderer(make_scene());
    const Image empty = renderer.draw({}, {});
    const Image image = renderer.draw(
        Floats{NAN, 0, 0, INFINITY, 0, 0, 0, 0, 5, 0, 0, 1e30f, 0, 0, 9}, Floats{1, 1, 1, 1, 1});
    EXPECT_EQ(compare(image, empty).count, 0);
}

TEST(Renderer, SolidBoxIsSeen) {
    Scene scene = make_scene();
    Renderer without = make_renderer(scene);
    const Image empty = without.draw({}, {});
    Boundary block;
    block.shape = Box{{-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}};
    scene.boundaries.push_back(block);
    const Image image = make_renderer(scene).draw({}, {});
    EXPECT_GT(compare(image, empty).count, 1000);
}

TEST(Renderer, ABodyHasItsColourWhereItsPosePutsIt) {
    // a bar along x
    Renderer renderer = make_renderer(
        scene_with_body(), {red_body(box_mesh({{-0.5, -0.1, -0.1}}, {{0.5, 0.1, 0.1}}))});
    const Image at_rest = renderer.draw({}, {}, body_at({0, 0, 0}));
    EXPECT_TRUE(is_red(at_place(at_rest, 0.4, 0)));
    EXPECT_FALSE(is_red(at_place(at_rest, 0, 0.4)));
    const Image moved = renderer.draw({}, {}, body_at({0.3, 0.5, 0}));
    EXPECT_TRUE(is_red(at_place(moved, 0.7, 0.5)));
    EXPECT_FALSE(is_red(at_place(moved, 0, 0)));
    const double half = std::sqrt(0.5);  // a quarter of a turn about z
    const Image turned = renderer.draw({}, {}, body_at({0, 0, 0}, {half, 0, 0, half}));
    EXPECT_TRUE(is_red(at_place(turned, 0, 0.4)));
    EXPECT_FALSE(is_red(at_place(turned, 0.4, 0)));
    const Image nowhere = renderer.draw({}, {});
    EXPECT_FALSE(is_red(at_place(nowhere, 0.4, 0)));
}

TEST(Renderer, BodiesAndParticlesHideEachOther) {
    Renderer renderer = make_renderer(
        scene_with_body(), {red_body(box_mesh({{-0.3, -0.3, -0.1}}, {{0.3, 0.3, 0.1}}))});
    const BodyFrame frame = body_at({0, 0, 0});
    const Image before = renderer.draw(Floats{0, 0, 0.5f}, Floats{0}, frame);
    EXPECT_TRUE(is_blue(at_place(before, 0, 0)));
    EXPECT_TRUE(is_red(at_place(before, 0.25, 0.25)));
    const Image behind = renderer.draw(Floats{0, 0, -0.5f}, Floats{0}, frame);
    EXPECT_TRUE(is_red(at_place(behind, 0, 0)));
    Scene scene = scene_with_body();
    Boundary wall;
    wall.shape = Box{{-1, -1, 0.5}, {1, 1, 0.6}};
    wall.color = {0.1, 0.8, 0.1};
    scene.boundaries.push_back(wall);
    const Image walled =
        make_renderer(scene, {red_body(box_mesh({{-0.3, -0.3, -0.1}}, {{0.3, 0.3, 0.1}}))})
            .draw({}, {}, frame);
    const Pixel p = at_place(walled, 0, 0);
    EXPECT_TRUE(p.g > p.r + 40 && p.g > p.b + 40) << p.r << " " << p.g << " " << p.b;
}

TEST(Renderer, ABodyThrowsAShadow) {
    Renderer renderer =
        make_renderer(scene_with_body(), {red_body(sphere_mesh({{0, 0, 0}}, 0.5, 0.1))});
    const Image empty = renderer.draw({}, {});
    const Image image = renderer.draw({}, {}, body_at({0, 0, 0}));
    int darker = 0;
    for (int y = k_height * 3 / 4; y < k_height; ++y)
        for (int x = 0; x < k_width; ++x)
            darker += at(image, x, y).g + 8 < at(empty, x, y).g;
    EXPECT_GT(darker, 200);
}

// A sheet that faces away is lit as one that faces the eye.
TEST(Renderer, BothSidesOfAnOpenSurfaceAreAlike) {
    TriangleMesh sheet;
    sheet.vertices = {{{-0.5, -0.5, 0}}, {{0.5, -0.5, 0}}, {{0.5, 0.5, 0}}, {{-0.5, 0.5, 0}}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    Scene scene = make_scene();
    scene.boundaries.emplace_back().name = "coast";
    scene.boundaries[1].color = k_red;
    const Image front = make_renderer(scene, {{"coast", false, false, k_red, sheet}}).draw({}, {});
    const Image back =
        make_renderer(scene, {{"coast", false, false, k_red, turned_over(sheet)}}).draw({}, {});
    EXPECT_TRUE(is_red(at_place(front, 0.1, 0.1)));
    EXPECT_EQ(compare(front, back).count, 0);
}

TEST(Renderer, OneSeesIntoARoundTank) {
    Scene scene = make_scene();
    scene.boundaries.emplace_back().name = "bowl";
    const ObjectMesh bowl{"bowl",
                          false,
                          true,
                          {0.6, 0.6, 0.6},
                          cylinder_mesh({{0, -0.8, 0}}, {{0, 0.8, 0}}, 0.7, 0.1)};
    Renderer renderer = make_renderer(scene, {bowl});
    const Image image = renderer.draw(Floats{0, 0, 0}, Floats{0});
    EXPECT_TRUE(is_blue(at_place(image, 0, 0)));
    const Image without = make_renderer(scene).draw(Floats{0, 0, 0}, Floats{0});
    EXPECT_GT(compare(image, without).count, 100);  // its rims
}

TEST(Renderer, AScriptedWallIsWhereItsMotionPutsIt) {
    Scene scene = make_scene();
    Boundary paddle;
    paddle.name = "paddle";
    paddle.shape = Box{{-0.1, -0.3, -0.1}, {0.1, 0.3, 0.1}};
    paddle.position = {-0.5, 0, 0};
    paddle.color = k_red;
    scene.boundaries.push_back(paddle);
    Renderer renderer = make_renderer(scene);
    EXPECT_TRUE(is_red(at_place(renderer.draw({}, {}), -0.5, 0)));
    BodyFrame frame;
    frame.walls = body_at({1, 0.2, 0}).bodies;
    frame.walls[0].name = "paddle";
    const Image moved = renderer.draw({}, {}, frame);
    EXPECT_FALSE(is_red(at_place(moved, -0.5, 0)));
    EXPECT_TRUE(is_red(at_place(moved, 0.5, 0.2)));
}

TEST(Renderer, APlaneIsSeenFromItsFreeSideOnly) {
    Scene scene = make_scene();
    Boundary slope;
    slope.shape = Plane{{0, 0, -0.5}, {0, 0.1, 1}};
    slope.color = k_red;
    scene.boundaries.push_back(slope);
    EXPECT_TRUE(is_red(at_place(make_renderer(scene).draw({}, {}), 0.3, 0.3)));
    std::get<Plane>(scene.boundaries[1].shape).normal = {0, -0.1, -1};
    EXPECT_FALSE(is_red(at_place(make_renderer(scene).draw({}, {}), 0.3, 0.3)));
}

}  // namespace
}  // namespace millrace
