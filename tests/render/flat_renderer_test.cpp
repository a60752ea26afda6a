#include "render/flat_renderer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "render/flat_objects.hpp"
#include "render/flat_particles.hpp"
#include "support/pixels.hpp"

namespace millrace {
namespace {

using namespace test;

constexpr int k_width = 480, k_height = 320;
constexpr Vector k_red{0.9, 0.1, 0.05};

/// A tank of 4 m x 2 m without a lid.
Scene make_scene(double spacing = 0.1) {
    Scene scene;
    scene.dimension = 2;
    scene.spacing = spacing;
    scene.fluids.emplace_back();
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {4, 2, 0}};
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries = {tank};
    return scene;
}

/// A scene, how it is drawn, and where its points are in the picture.
class Stage {
  public:
    explicit Stage(const Scene& scene, FluidStyle style = FluidStyle::surface, bool shaded = true)
        : scene_(scene),
          view_(flat_view(std::get<Box>(scene.boundaries[0].shape), 1.0 * k_width / k_height)),
          renderer_(scene, view_, std::get<Box>(scene.boundaries[0].shape), k_width, k_height,
                    flat_objects(scene), style, shaded) {}

    Image draw(const ParticleFrame& frame, const BodyFrame& bodies = {},
               const std::string& field = "") {
        return renderer_.draw(flat_particles(frame, scene_.fluids, field, {0, 1}), bodies);
    }
    Pixel at_place(const Image& image, double x, double y) const {
        return at(image, static_cast<int>(pixel(0, x)), static_cast<int>(k_height - pixel(1, y)));
    }
    double metres_a_pixel() const { return 2 / view_.projection[5] / k_height; }

  private:
    double pixel(int axis, double x) const {
        const double eye = x + view_.view[12 + axis];
        return (0.5 + 0.5 * view_.projection[5 * axis] * eye) * (axis == 0 ? k_width : k_height);
    }

    Scene scene_;
    View view_;
    FlatRenderer renderer_;
};

ParticleFrame particles(const std::vector<Vec2>& places, float speed = 0) {
    ParticleFrame frame;
    frame.dimension = 2;
    std::vector<float> velocity;
    for (const Vec2& x : places) {
        frame.positions.insert(frame.positions.end(), {x[0], x[1], 0});
        velocity.insert(velocity.end(), {speed, 0, 0});
    }
    frame.fields = {{"velocity", 3, velocity}};
    return frame;
}

/// A block of water on a lattice; its faces are half a spacing from the outer particles.
std::vector<Vec2> block(double x0, double y0, double x1, double y1, double spacing = 0.1) {
    std::vector<Vec2> places;
    for (double y = y0 + spacing / 2; y < y1; y += spacing)
        for (double x = x0 + spacing / 2; x < x1; x += spacing)
            places.push_back({{static_cast<float>(x), static_cast<float>(y)}});
    return places;
}

BodyFrame body_at(double x, double y, double degrees) {
    BodyView view;
    view.name = "body";
    view.position = {x, y, 0};
    const double half = degrees * M_PI / 360;
    view.rotation = {std::cos(half), 0, 0, std::sin(half)};
    return {0, {view}, {}};
}

Scene scene_with_body(auto shape) {
    Scene scene = make_scene();
    scene.bodies.emplace_back();
    scene.bodies[0].name = "body";
    scene.bodies[0].color = k_red;
    shape(scene.bodies[0]);
    return scene;
}

/// The part of the picture that became another, in square metres.
double changed_area(const Stage& stage, const Image& a, const Image& b) {
    return compare(a, b).count * stage.metres_a_pixel() * stage.metres_a_pixel();
}

TEST(FlatRenderer, ShowsTankAndDiscInTheirPlaces) {
    Stage stage(make_scene(), FluidStyle::particles);
    const Image empty = stage.draw(particles({}));
    const Image image = stage.draw(particles({{{1, 0.5}}}), {}, "velocity");
    EXPECT_TRUE(is_blue(stage.at_place(image, 1, 0.5)));
    const Difference disc = compare(image, empty);
    EXPECT_NEAR(disc.right + 1 - disc.left, 0.124 / stage.metres_a_pixel(), 2);
    EXPECT_NEAR(disc.bottom + 1 - disc.top, 0.124 / stage.metres_a_pixel(), 2);
    EXPECT_GT(stage.at_place(empty, 2, -0.02).r, 120);       // the floor
    EXPECT_GT(stage.at_place(empty, -0.02, 1).r, 120);       // a wall
    EXPECT_LT(stage.at_place(empty, 2, 2.02).light(), 240);  // no lid
    EXPECT_LT(stage.at_place(empty, 2, 1).light(), 240);
}

TEST(FlatRenderer, ValuesGiveTheColours) {
    for (const FluidStyle style : {FluidStyle::particles, FluidStyle::surface}) {
        Stage stage(make_scene(), style, false);
        for (const float value : {0.f, 1.f, 100.f, NAN}) {
            const Image image = stage.draw(particles({{{1, 1}}}, value), {}, "velocity");
            const Pixel p = stage.at_place(image, 1, 1);
            EXPECT_TRUE(value >= 1 ? is_white(p) : is_blue(p))
                << value << ": " << p.r << " " << p.g << " " << p.b;
        }
    }
}

TEST(FlatRenderer, SameInputSamePictureAndNothingThatIsNowhere) {
    for (const FluidStyle style : {FluidStyle::particles, FluidStyle::surface}) {
        Stage a(make_scene(), style);
        const auto frame = particles({{{1, 1}}, {{1.1f, 1}}, {{NAN, 1}}, {{2, INFINITY}}}, 2);
        const Image first = a.draw(frame);
        EXPECT_EQ(first.rgb, a.draw(frame).rgb);
        Stage b(make_scene(), style);
        EXPECT_EQ(first.rgb, b.draw(particles({{{1, 1}}, {{1.1f, 1}}}, 2)).rgb);
    }
}

TEST(FlatRenderer, ASurfaceClosesTheGapsAndKeepsTheArea) {
    Stage stage(make_scene());
    const Image empty = stage.draw(particles({}));
    std::vector<Vec2> places = block(1, 0.5, 2.5, 1.5);  // in the air
    for (std::size_t i = 0; i < places.size(); ++i)      // not on a perfect lattice
        places[i] += {{0.015f * std::sin(7.f * static_cast<float>(i)),
                       0.015f * std::cos(5.f * static_cast<float>(i))}};
    const Image image = stage.draw(particles(places));
    for (double x = 1.1; x < 2.4; x += 0.023)
        for (double y = 0.6; y < 1.4; y += 0.023)
            EXPECT_TRUE(is_blue(stage.at_place(image, x, y))) << x << " " << y;
    EXPECT_NEAR(changed_area(stage, image, empty), 1.5, 0.03 * 1.5);
    // a surface lies half a spacing from the particles
    for (const auto& [x, y] : {std::pair{0.95, 1.0}, {2.55, 1.0}, {1.7, 0.45}, {1.7, 1.55}})
        EXPECT_LT(stage.at_place(image, x, y).light(), 240) << x << " " << y;
}

TEST(FlatRenderer, ASingleParticleIsADrop) {
    Stage stage(make_scene());
    const double area =
        changed_area(stage, stage.draw(particles({{{1, 1}}})), stage.draw(particles({})));
    EXPECT_NEAR(area, M_PI * 0.044 * 0.044, 0.0015);
}

TEST(FlatRenderer, WaterReachesWallsAndCorners) {
    Scene scene = make_scene();
    Boundary post;
    post.name = "post";
    post.shape = Box{{2, 0, 0}, {2.2, 1.5, 0}};
    scene.boundaries.push_back(post);
    Stage stage(scene);
    const Image image = stage.draw(particles(block(0, 0, 2, 1)));
    for (const auto& [x, y] :
         {std::pair{0.015, 0.5}, {1.0, 0.015}, {0.015, 0.015}, {1.985, 0.5}, {1.98, 0.02}})
        EXPECT_TRUE(is_blue(stage.at_place(image, x, y))) << x << " " << y;
    EXPECT_FALSE(is_blue(stage.at_place(image, 2.1, 0.5)));  // but not the other side
    EXPECT_FALSE(is_blue(stage.at_place(image, 2.25, 0.5)));
    EXPECT_FALSE(is_blue(stage.at_place(image, -0.05, 0.5)));
}

TEST(FlatRenderer, FoamIsLighterAlongTheFreeSurfaceOnly) {
    Stage stage(make_scene());
    const Image calm = stage.draw(particles(block(0, 0, 4, 1)));
    const auto light = [&](const Image& image, double x, double y) {
        return stage.at_place(image, x, y).light();
    };
    EXPECT_GT(light(calm, 2, 0.98), light(calm, 2, 0.85) + 60);
    EXPECT_LT(light(calm, 2, 0.03), light(calm, 2, 0.85));  // deep water at the floor is darker
    EXPECT_LT(light(calm, 0.02, 0.3), light(calm, 2, 0.85));
    // fast water is whiter, in patches
    const Image fast = stage.draw(particles(block(0, 0, 4, 1), 10));
    int white = 0, blue = 0;
    for (double x = 0.2; x < 3.8; x += 0.02) {
        white += is_white(stage.at_place(fast, x, 0.93));
        blue += is_blue(stage.at_place(fast, x, 0.93));
        EXPECT_FALSE(is_white(stage.at_place(calm, x, 0.93)));
        EXPECT_FALSE(is_white(stage.at_place(fast, x, 0.3)));
    }
    EXPECT_GT(white, 30);
    EXPECT_GT(blue, 30);
}

TEST(FlatRenderer, FluidsHaveTheirColours) {
    Scene scene = make_scene();
    scene.fluids.emplace_back().color = k_red;
    Stage stage(scene);
    ParticleFrame frame = particles(block(0, 0, 4, 1));
    std::vector<std::uint32_t> fluid;
    for (std::size_t i = 0; i < frame.count(); ++i)
        fluid.push_back(frame.positions[3 * i] > 2);
    frame.fields.push_back({"fluid", 1, fluid});
    const Image image = stage.draw(frame);
    EXPECT_TRUE(is_blue(stage.at_place(image, 1, 0.5)));
    EXPECT_TRUE(is_red(stage.at_place(image, 3, 0.5)));
}

TEST(FlatRenderer, ABodyIsWhereItsPosePutsIt) {
    // a bar along x
    Stage stage(scene_with_body([](Body& body) { body.shape = BodyBox{{1, 0.2, 0}}; }));
    const ParticleFrame water = particles(block(0, 0, 4, 1));
    const auto red = [&](const Image& image, double x, double y) {
        return is_red(stage.at_place(image, x, y));
    };
    const Image level = stage.draw(water, body_at(2, 1, 0));
    EXPECT_TRUE(red(level, 2.4, 1) && red(level, 1.6, 1) && red(level, 2.4, 0.95));
    EXPECT_FALSE(red(level, 2, 1.4));
    const Image turned = stage.draw(water, body_at(2, 1, 60));
    const double c = 0.4 * std::cos(M_PI / 3), s = 0.4 * std::sin(M_PI / 3);
    EXPECT_TRUE(red(turned, 2 + c, 1 + s) && red(turned, 2 - c, 1 - s));
    EXPECT_FALSE(red(turned, 2 + c, 1 - s) || red(turned, 2.4, 1));
    EXPECT_FALSE(red(stage.draw(water), 2, 1));  // a frame without it
}

TEST(FlatRenderer, ABodyHasAnOutlineAndACircleItsRadius) {
    Stage stage(scene_with_body([](Body& body) { body.shape = BodySphere{0.5}; }));
    const auto light = [&](const Image& image, double x, double y) {
        return stage.at_place(image, x, y).light();
    };
    const Image image = stage.draw(particles({}), body_at(2, 1, 0));
    EXPECT_TRUE(is_red(stage.at_place(image, 2, 1.3)));
    EXPECT_LT(light(image, 2.25, 1), 0.75 * light(image, 2, 1.3));  // the radius
    EXPECT_LT(light(image, 2, 1.5), 0.75 * light(image, 2, 1.3));   // the outline
    const Image turned = stage.draw(particles({}), body_at(2, 1, 90));
    EXPECT_LT(light(turned, 2, 1.25), 0.75 * light(turned, 2.3, 1));
}

// The pose is that of the centre of mass, which is not the origin of the polygon's frame.
TEST(FlatRenderer, APolygonTurnsAboutItsCentreOfMass) {
    Stage stage(scene_with_body([](Body& body) {
        body.shape = Polygon{{{5, 5, 0},
                              {6.5, 5, 0},
                              {6.5, 6, 0},
                              {6, 6, 0},
                              {6, 5.5, 0},
                              {5.5, 5.5, 0},
                              {5.5, 6, 0},
                              {5, 6, 0}}};
    }));
    // areas of the bucket: 1.5 x 0.5 and twice 0.5 x 0.5; its centre 0.45 above the bottom
    const auto red = [&](const Image& image, double x, double y) {
        return is_red(stage.at_place(image, x, y));
    };
    const Image image = stage.draw(particles({}), body_at(2, 1, 0));
    EXPECT_TRUE(red(image, 2, 0.8) && red(image, 1.5, 1.4) && red(image, 2.5, 1.4));
    EXPECT_FALSE(red(image, 2, 1.3));  // the hole
    const Image turned = stage.draw(particles({}), body_at(2, 1, 180));
    EXPECT_TRUE(red(turned, 2, 1.2) && red(turned, 1.5, 0.6));
    EXPECT_FALSE(red(turned, 2, 0.7));
}

TEST(FlatRenderer, WallsOfEveryShape) {
    Scene scene = make_scene();
    std::vector<Boundary> walls(4);
    walls[0].shape = Sphere{{0.5, 1, 0}, 0.3};
    walls[1].shape = Polygon{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    walls[1].position = {1, 0.5, 0};
    walls[2].shape = Chain{{{2.2, 1.5, 0}, {2.5, 1, 0}, {3, 1, 0}}};
    walls[3].shape = Plane{{0, 0.2, 0}, {0, 1, 0}};
    for (std::size_t i = 0; i < walls.size(); ++i) {
        walls[i].name = "wall" + std::to_string(i);
        walls[i].color = k_red;
        scene.boundaries.push_back(walls[i]);
    }
    Stage stage(scene);
    const Image image = stage.draw(particles({}));
    const auto red = [&](double x, double y) { return is_red(stage.at_place(image, x, y)); };
    EXPECT_TRUE(red(0.5, 1.2) && red(1.2, 0.7) && red(2.75, 1) && red(3, 0.1));
    EXPECT_FALSE(red(0.5, 1.4) || red(1.8, 1.3) || red(2.75, 1.1) || red(3, 0.3));
    // a wall that moved and turned about the world's origin
    BodyFrame frame = body_at(3, 0, 90);
    frame.walls = frame.bodies;
    frame.walls[0].name = "wall0";  // its centre goes from (0.5, 1) to (-1, 0.5) + (3, 0)
    const Image moved = stage.draw(particles({}), frame);
    EXPECT_TRUE(is_red(stage.at_place(moved, 2, 0.5)));
    EXPECT_FALSE(is_red(stage.at_place(moved, 0.5, 1)));
}

}  // namespace
}  // namespace millrace
