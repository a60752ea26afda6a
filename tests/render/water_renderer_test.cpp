#include "render/water_renderer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "geometry/primitives.hpp"
#include "render/water_look.hpp"
#include "support/pixels.hpp"

namespace millrace {
namespace {

using namespace test;

constexpr int k_width = 160, k_height = 120;
const Box k_bounds{{-1, 0, -1}, {1, 1, 1}};

constexpr std::uint32_t k_water = 0, k_grey = 1, k_wine = 2, k_black = 3;

/// Level ground at y = 0; fluids of some colours; a red body that is called "body".
Scene make_scene() {
    Scene scene;
    scene.spacing = 0.05;
    for (const Vector& color :
         {Fluid().color, Vector{0.2, 0.2, 0.2}, Vector{0.55, 0.05, 0.15}, Vector{0, 0, 0}})
        scene.fluids.emplace_back().color = color;
    scene.bodies.emplace_back().name = "body";
    scene.bodies[0].color = {0.9, 0.1, 0.05};
    return scene;
}

ObjectMesh red_ball() {
    return {"body", true, false, {0.9, 0.1, 0.05}, sphere_mesh({{0, 0, 0}}, 0.2, 0.03)};
}

BodyFrame body_at(const Vector& position) {
    BodyView view;
    view.name = "body";
    view.position = position;
    return {0, {view}};
}

constexpr double k_fov = 30;
const Camera k_from_above{{0, 4, 0.01}, {0, 0, 0}, k_fov};

WaterRenderer make_renderer(const Scene& scene, const Camera& camera) {
    const double aspect = static_cast<double>(k_width) / k_height;
    const View view = perspective_view(camera, {{0, 1, 0}}, aspect, k_bounds);
    return {scene, view, k_bounds, k_width, k_height, {red_ball()}, 1.0};
}

SurfaceMesh pool(double depth, std::uint32_t fluid = k_water, double half = 0.95) {
    const TriangleMesh box = box_mesh({{-half, 0, -half}}, {{half, depth, half}});
    SurfaceMesh water;
    for (const auto& t : box.triangles) {
        const auto first = static_cast<std::uint32_t>(water.vertices.size());
        const Vec3d a = box.vertices[t[0]], b = box.vertices[t[1]], c = box.vertices[t[2]];
        const Vec3d n = cross(b - a, c - a);
        for (const Vec3d& x : {a, b, c}) {
            water.vertices.push_back(Vec3::from(x));
            water.normals.push_back(Vec3::from(n / norm(n)));
        }
        water.triangles.push_back({first, first + 1, first + 2});
    }
    water.fluids.assign(water.vertices.size(), fluid);
    return water;
}

DiffuseParticles points(int count, DiffuseKind kind, double height) {
    DiffuseParticles foam;
    for (int i = 0; i < count; ++i) {  // evenly over a disc of 0.3 m
        const double r = 0.3 * std::sqrt((i + 0.5) / count), angle = 2.399963 * i;
        foam.positions.push_back(
            Vec3::from(Vec3d{{r * std::cos(angle), height, r * std::sin(angle)}}));
        foam.kinds.push_back(kind);
        foam.ids.push_back(static_cast<std::uint32_t>(i));
    }
    return foam;
}

/// Light before the tone curve, meaned over a square about the middle.
Vec3d light_of(const Image& image, int half = 12) {
    Vec3d sum = Vec3d::all(0);
    int count = 0;
    for (int y = k_height / 2 - half; y < k_height / 2 + half; ++y)
        for (int x = k_width / 2 - half; x < k_width / 2 + half; ++x, ++count)
            for (int k = 0; k < 3; ++k) {
                const double v = image.pixel(x, y)[k] / 255.0;
                sum[k] += v * v / (1.22 - 0.30 * v * v);
            }
    return sum / static_cast<double>(count);
}

/// One renderer for all: to make one is slow.
class WaterFromAbove : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        renderer.reset(new WaterRenderer(make_renderer(make_scene(), k_from_above)));
    }
    static void TearDownTestSuite() { renderer.reset(); }

    static Vec3d light(const SurfaceMesh& water, const DiffuseParticles& foam = {},
                       const BodyFrame& frame = {}, int half = 12) {
        return light_of(renderer->draw(water, foam, frame), half);
    }

    inline static std::unique_ptr<WaterRenderer> renderer;
};

TEST_F(WaterFromAbove, WithoutWaterTheSceneIsSeen) {
    const BodyFrame frame = body_at({0, 0.3, 0});
    const Image empty = renderer->draw({}, {}, frame);
    EXPECT_EQ(empty.width, k_width);
    EXPECT_EQ(empty.height, k_height);
    EXPECT_TRUE(is_red(at(empty, k_width / 2, k_height / 2)));
    renderer->draw(pool(0.5), points(100, DiffuseKind::foam, 0.5), frame);
    EXPECT_EQ(renderer->draw({}, {}, frame).rgb, empty.rgb);  // nothing stays
}

// Light passes a depth d slantwise from the sun and straight to the eye: c(d) = A exp(-k d) + B
// with k = sigma (1 + 1 / cos of the sun). Three depths leave k alone. The fluid is so dark that
// what it scatters itself hardly counts.
TEST_F(WaterFromAbove, LightIsDimmedByBeerAndLambert) {
    const double step = 0.05;
    Vec3d c[3];
    for (int i = 0; i < 3; ++i)
        c[i] = light(pool((i + 1) * step, k_grey));
    const double sun_cos = 0.95 / std::sqrt(0.95 * 0.95 + 0.75 * 0.75 + 0.55 * 0.55);
    const double sigma = absorption_of({0.2, 0.2, 0.2}, 1.0)[0];
    EXPECT_NEAR(sigma, 0.25 - std::log(0.04), 1e-6);
    const double expected = std::exp(sigma * (1 + 1 / sun_cos) * step);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR((c[0][k] - c[1][k]) / (c[1][k] - c[2][k]), expected, 0.03 * expected);
}

TEST_F(WaterFromAbove, DeepWaterIsDarkerAndBluerThanShallow) {
    const Vec3d dry = light({}), shallow = light(pool(0.1)), deep = light(pool(0.8));
    EXPECT_LT(shallow[0], dry[0]);
    EXPECT_LT(deep[0], 0.6 * shallow[0]);
    EXPECT_GT(deep[2] / deep[0], 1.5 * shallow[2] / shallow[0]);
}

// Black fluid only reflects: what it shows against the sky in the direction of the mirrored ray,
// which a second camera looks at.
TEST(WaterRenderer, ReflectsTheSkyBySchlicksShare) {
    const Scene scene = make_scene();
    for (const double angle : {30., 75.}) {  // of the ray to the normal [degrees]
        const double a = angle * M_PI / 180, c = std::cos(a), s = std::sin(a);
        const Camera down{{0, 0.5 + 2 * c, 2 * s}, {0, 0.5, 0}, 3};
        const Camera up{{0, 0.5, 0}, {0, 0.5 + 2 * c, -2 * s}, 3};
        const Vec3d seen = light_of(make_renderer(scene, down).draw(pool(0.5, k_black), {}));
        const Vec3d sky = light_of(make_renderer(scene, up).draw({}, {}));
        const double share = 0.0204 + 0.9796 * std::pow(1 - c, 5);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(seen[k] / sky[k], share, 0.04 * share + 0.001) << angle << " " << k;
    }
}

TEST_F(WaterFromAbove, ABodyIsDimmerAndBluerUnderWater) {
    const BodyFrame frame = body_at({0, 0.25, 0});
    const Vec3d dry = light({}, {}, frame, 3), wet = light(pool(0.7), {}, frame, 3);
    const Vec3d water = light(pool(0.7), {}, {}, 3);
    EXPECT_LT(wet[0], 0.7 * dry[0]);
    EXPECT_GT(wet[2] / wet[0], 1.5 * dry[2] / dry[0]);
    EXPECT_GT(wet[0], 1.2 * water[0]);  // but seen
}

TEST_F(WaterFromAbove, ABodyBeforeTheWaterHidesIt) {
    const BodyFrame frame = body_at({0, 0.8, 0});
    const Image with = renderer->draw(pool(0.4), {}, frame);
    const Image without = renderer->draw({}, {}, frame);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(with.pixel(k_width / 2, k_height / 2)[k],
                    without.pixel(k_width / 2, k_height / 2)[k], 2);
}

TEST_F(WaterFromAbove, MoreFoamCoversMore) {
    double last = light(pool(0.5))[0];
    for (const int count : {1000, 3000, 10000}) {
        const double next = light(pool(0.5), points(count, DiffuseKind::foam, 0.5))[0];
        EXPECT_GT(next, 1.1 * last) << count;
        last = next;
    }
}

TEST_F(WaterFromAbove, BubblesAreDimmerTheDeeperTheyAre) {
    const auto seen = [&](double height) {
        return light(pool(0.8), points(3000, DiffuseKind::bubble, height))[0];
    };
    EXPECT_GT(seen(0.7), 1.2 * seen(0.4));
    EXPECT_GT(seen(0.4), 1.1 * light(pool(0.8))[0]);
}

TEST_F(WaterFromAbove, FoamFadesAwayWithItsAge) {
    DiffuseParticles foam = points(3000, DiffuseKind::foam, 0.5);
    foam.lifetimes.assign(foam.count(), 2.f);
    const auto at_age = [&](float age) {
        foam.ages.assign(foam.count(), age);
        return light(pool(0.5), foam)[0];
    };
    EXPECT_GT(at_age(0.5f), at_age(1.5f) + 0.02);
    EXPECT_NEAR(at_age(2.f), light(pool(0.5))[0], 1e-3);
}

TEST_F(WaterFromAbove, WineIsRed) {
    EXPECT_TRUE(is_red(at(renderer->draw(pool(0.3, k_wine), {}), k_width / 2, k_height / 2)));
}

TEST_F(WaterFromAbove, LeavesOutWhatIsNowhere) {
    const Image good = renderer->draw(pool(0.5), {});
    SurfaceMesh water = pool(0.5);
    const auto count = static_cast<std::uint32_t>(water.vertices.size());
    water.vertices.push_back({{NAN, 0, 0}});
    water.vertices.push_back({{0, INFINITY, 0}});
    water.normals.resize(count + 2, Vec3::all(NAN));
    water.triangles.push_back({0, 1, count});
    water.triangles.push_back({0, count + 1, 2});
    water.triangles.push_back({0, 1, count + 7});
    DiffuseParticles foam;
    foam.positions = {{{NAN, 0, 0}}, {{0, 0, INFINITY}}, {{1e30f, 0, 0}}};
    EXPECT_EQ(renderer->draw(water, foam).rgb, good.rgb);
}

Scene tank_scene() {
    Scene scene = make_scene();
    scene.boundaries.emplace_back().shape = k_bounds;
    scene.boundaries[0].inside = true;
    scene.boundaries[0].open = {"+y"};
    return scene;
}

// The mesh ends on the glass; its normals there, which are mixed with those of the free surface at
// the rim, do not matter.
TEST(WaterRenderer, WaterInATankIsEvenAtTheGlass) {
    SurfaceMesh uneven = pool(0.6, k_water, 1.0);
    for (std::size_t i = 0; i < uneven.normals.size(); ++i)
        if (uneven.normals[i][2] > 0.5f)
            uneven.normals[i][static_cast<int>(i % 2)] = 0.4f;
    WaterRenderer renderer = make_renderer(tank_scene(), {{0, 0.5, 5}, {0, 0.3, 1}, 8});
    const BodyFrame frame = body_at({0, 0.3, 0.5});  // would be seen elsewhere
    const Image flat = renderer.draw(pool(0.6, k_water, 1.0), {}, frame);
    EXPECT_LT(compare(renderer.draw(uneven, {}, frame), flat).count, 200);  // a row at the far edge
}

SurfaceMesh drop_at(const Vec3d& center, double radius) {
    const TriangleMesh ball = sphere_mesh(center, radius, radius / 4);
    SurfaceMesh drop;
    for (const Vec3d& x : ball.vertices) {
        drop.vertices.push_back(Vec3::from(x));
        drop.normals.push_back(Vec3::from((x - center) / norm(x - center)));
    }
    drop.triangles = ball.triangles;
    drop.fluids.assign(drop.vertices.size(), k_water);
    return drop;
}

// A drop on the glass was painted with the floor that a tank full of water mirrors: a dark flake.
// It must be about as light as what is behind it, wherever it is; deep water is not.
TEST(WaterRenderer, ADropOnTheGlassIsClear) {
    for (const double height : {0.3, 0.5, 0.7}) {
        const Vec3d place{{-0.949, height, 0}};
        const Camera camera{{0.3, 1.6, 4}, {place[0], place[1], place[2]}, 4};
        WaterRenderer renderer = make_renderer(tank_scene(), camera);
        const auto lightness = [&](const SurfaceMesh& water) {
            const Vec3d light = light_of(renderer.draw(water, {}), 5);
            return (light[0] + light[1] + light[2]) / 3;
        };
        const double nothing = lightness({});
        EXPECT_GT(lightness(drop_at(place, 0.05)), 0.7 * nothing) << height;
        EXPECT_LT(lightness(pool(0.95, k_water, 1.0)), 0.6 * nothing) << height;
    }
}

TEST(WaterRenderer, SameInputSamePicture) {
    const auto foam = points(500, DiffuseKind::spray, 0.6);
    const auto draw = [&] {
        WaterRenderer renderer = make_renderer(make_scene(), k_from_above);
        const Image first = renderer.draw(pool(0.5), foam);
        EXPECT_EQ(first.rgb, renderer.draw(pool(0.5), foam).rgb);
        return first;
    };
    EXPECT_EQ(draw().rgb, draw().rgb);
}

// No pixel is black or missing, whether it looks up or down.
TEST(WaterRenderer, TheEyeMayBeInTheWater) {
    for (const Vector& target : {Vector{0.3, 1, 0.2}, Vector{-1, 0.1, -1}}) {
        WaterRenderer renderer = make_renderer(make_scene(), {{0, 0.3, 0}, target, 70});
        const Image image = renderer.draw(pool(0.6), points(200, DiffuseKind::bubble, 0.4));
        int black = 0;
        for (int y = 0; y < k_height; ++y)
            for (int x = 0; x < k_width; ++x)
                black += at(image, x, y).light() < 30;
        EXPECT_EQ(black, 0);
    }
}

}  // namespace
}  // namespace millrace
