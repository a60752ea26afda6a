#include "geometry/solid_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "exec/host_threads.hpp"
#include "geometry/inside_test.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/primitives.hpp"
#include "geometry/triangle_tree.hpp"
#include "support/surface_probes.hpp"

namespace millrace {
namespace {

constexpr double k_pi = std::numbers::pi;

void expect_spread(const std::vector<Vec3>& samples, const std::vector<Vec3d>& probes,
                   double radius, double hole) {
    ASSERT_FALSE(samples.empty());
    EXPECT_GE(test::NearestPoint(samples, 2 * radius).smallest_gap(), radius);
    EXPECT_LE(test::largest_hole(probes, samples, radius), hole * radius);
}

// Points of y -> f(angle, along) for even steps of both from 0 to 1.
template <class F>
std::vector<Vec3d> grid_of(int n, const F& f) {
    std::vector<Vec3d> points;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            points.push_back(f(2 * k_pi * i / n, (j + 0.5) / n));
    return points;
}

// A cup around the y axis with walls and a bottom of this thickness.
TriangleMesh cup(double radius, double height, double wall) {
    const double r[] = {0, radius, radius, radius - wall, radius - wall, 0};
    const double y[] = {0, 0, height, height, wall, wall};
    constexpr std::uint32_t k_around = 64;
    TriangleMesh mesh;
    for (int ring = 0; ring < 6; ++ring)
        for (std::uint32_t j = 0; j < k_around; ++j)
            mesh.vertices.push_back({{r[ring] * std::sin(2 * k_pi * j / k_around), y[ring],
                                      r[ring] * std::cos(2 * k_pi * j / k_around)}});
    for (std::uint32_t ring = 0; ring < 5; ++ring)
        for (std::uint32_t j = 0; j < k_around; ++j) {
            const std::uint32_t a = ring * k_around + j, b = ring * k_around + (j + 1) % k_around;
            if (ring != 0)
                mesh.triangles.push_back({a, b, a + k_around});
            if (ring != 4)
                mesh.triangles.push_back({b, b + k_around, a + k_around});
        }
    return welded(mesh);
}

TEST(SolidSamples, LieBelowTheSurfaceOfASphere) {
    const TriangleMesh ball = sphere_mesh({{1, 2, 3}}, 1, 0.1);
    const Vec3d center{{1, 2, 3}};
    for (const bool fluid_inside : {false, true}) {
        const SolidSampling sampling{0.1, 0.1, fluid_inside, 1};
        const std::vector<Vec3> samples = solid_samples(ball, sampling);
        const double radius = fluid_inside ? 1.1 : 0.9;
        for (const Vec3& x : samples)
            EXPECT_NEAR(norm(Vec3d::from(x) - center), radius, 0.02 * radius);
        const auto probes = grid_of(150, [&](double angle, double along) {
            const double z = 2 * along - 1, r = std::sqrt(1 - z * z);
            return center + Vec3d{{r * std::cos(angle), r * std::sin(angle), z}} * radius;
        });
        expect_spread(samples, probes, sampling.radius, 1.2);
    }
}

TEST(SolidSamples, OfACubeLieOnTheSmallerCube) {
    const SolidSampling sampling{0.08, 0.06, false, 1};
    for (const TriangleMesh& box : {box_mesh(Vec3d::all(0), Vec3d::all(1)),
                                    turned_over(box_mesh(Vec3d::all(0), Vec3d::all(1)))}) {
        const std::vector<Vec3> samples = solid_samples(box, sampling);
        double sum = 0;
        for (const Vec3& x : samples) {
            double depth = 1;
            for (int k = 0; k < 3; ++k)
                depth = std::min({depth, double(x[k]), 1 - double(x[k])});
            EXPECT_NEAR(depth, sampling.depth, 0.02);
            sum += depth;
        }
        EXPECT_NEAR(sum / double(samples.size()), sampling.depth, 0.003);
        const TriangleMesh inner = box_mesh(Vec3d::all(0.06), Vec3d::all(0.94));
        expect_spread(samples, test::probes_on(inner, 50'000), sampling.radius, 1.3);
    }
}

TEST(SolidSamples, OfATorusLieInItsTube) {
    const TriangleMesh torus = torus_mesh(Vec3d::all(0), {{0, 1, 0}}, 1, 0.3, 0.05);
    const SolidSampling sampling{0.08, 0.1, false, 1};
    const std::vector<Vec3> samples = solid_samples(torus, sampling);
    for (const Vec3& x : samples)
        EXPECT_NEAR(std::hypot(std::hypot(x[0], x[2]) - 1, x[1]), 0.2, 0.005);
    const auto probes = grid_of(150, [](double angle, double along) {
        const double r = 1 + 0.2 * std::cos(2 * k_pi * along);
        return Vec3d{{r * std::cos(angle), 0.2 * std::sin(2 * k_pi * along), r * std::sin(angle)}};
    });
    expect_spread(samples, probes, sampling.radius, 1.2);
}

TEST(SolidSamples, FillTheMiddleOfAThinCup) {
    const double radius = 0.5, height = 1, wall = 0.05;
    const TriangleMesh mesh = cup(radius, height, wall);
    ASSERT_TRUE(inspect(mesh).solid()) << describe(inspect(mesh));
    const SolidSampling sampling{0.08, 0.06, false, 1};
    ASSERT_LT(wall, 2 * sampling.depth);
    const std::vector<Vec3> samples = solid_samples(mesh, sampling);
    const InsideTest inside(mesh);
    const TriangleTree tree(mesh);
    for (const Vec3& x : samples) {
        EXPECT_TRUE(inside.contains(Vec3d::from(x)));
        EXPECT_GT(tree.nearest(Vec3d::from(x)).distance, 0.3 * wall);
    }
    const double middle = radius - wall / 2;
    auto probes = grid_of(200, [&](double angle, double along) {
        return Vec3d{{middle * std::cos(angle), wall + along * (height - 2 * wall),
                      middle * std::sin(angle)}};
    });
    const auto bottom = grid_of(100, [&](double angle, double along) {
        const double r = along * middle;
        return Vec3d{{r * std::cos(angle), wall / 2, r * std::sin(angle)}};
    });
    probes.insert(probes.end(), bottom.begin(), bottom.end());
    expect_spread(samples, probes, sampling.radius, 1.2);
}

TEST(SolidSamples, PassFromThickToThinWithoutAGap) {
    // a slab that grows from 0.02 to 0.4 over a length of 2: the layer is its middle, then two
    TriangleMesh wedge = box_mesh({{0, -1, 0}}, {{2, 1, 1}});
    for (Vec3d& x : wedge.vertices)
        x[1] *= x[0] > 1 ? 0.2 : 0.01;
    const SolidSampling sampling{0.06, 0.05, false, 1};
    const std::vector<Vec3> samples = solid_samples(wedge, sampling);
    const double slope = 0.19 / 2;
    std::vector<Vec3d> probes;
    for (double x = 0.03; x < 1.94; x += 0.01)
        for (double z = 0.06; z < 0.95; z += 0.01) {
            const double half = 0.01 + slope * x;
            const double y = std::max(0.0, half - sampling.depth * std::hypot(1, slope));
            probes.push_back({{x, y, z}});
            probes.push_back({{x, -y, z}});
        }
    expect_spread(samples, probes, sampling.radius, 1.3);
}

TEST(SolidSamples, OfAPlateLieInItsMiddle) {
    const TriangleMesh plate = box_mesh({{0, 0, 0}}, {{1, 0.02, 1}});
    const SolidSampling sampling{0.05, 0.04, false, 1};
    const std::vector<Vec3> samples = solid_samples(plate, sampling);
    for (const Vec3& x : samples)
        EXPECT_NEAR(x[1], 0.01, 1e-4);
    const TriangleMesh middle = box_mesh({{0.01, 0.01, 0.01}}, {{0.99, 0.01, 0.99}});
    expect_spread(samples, test::probes_on(middle, 50'000), sampling.radius, 1.2);
    // a tank with the same shape has its walls outside
    for (const Vec3& x : solid_samples(plate, {0.05, 0.04, true, 1}))
        EXPECT_NEAR(TriangleTree(plate).nearest(Vec3d::from(x)).distance, 0.04, 0.004);
}

TriangleMesh height_field(int n) {
    TriangleMesh field;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const double x = 2.0 * i / n, z = 2.0 * j / n;
            field.vertices.push_back({{x, 0.1 * std::sin(4 * x) * std::cos(3 * z), z}});
        }
    const auto m = static_cast<std::uint32_t>(n + 1);
    for (std::uint32_t j = 0; j + 1 < m; ++j)
        for (std::uint32_t i = 0; i + 1 < m; ++i) {
            const std::uint32_t a = j * m + i;
            field.triangles.push_back({a, a + m, a + 1});
            field.triangles.push_back({a + 1, a + m, a + m + 1});
        }
    return field;
}

TEST(SolidSamples, OfATerrainLieBelowIt) {
    const TriangleMesh field = height_field(40);
    ASSERT_GT(field.normal(0)[1], 0);
    const TriangleTree tree(field);
    for (const bool fluid_inside : {false, true}) {
        const SolidSampling sampling{0.06, 0.05, fluid_inside, 1};
        const std::vector<Vec3> samples = solid_samples(field, sampling);
        ASSERT_FALSE(samples.empty());
        for (const Vec3& x : samples) {
            const TriangleTree::Nearest at = tree.nearest(Vec3d::from(x));
            EXPECT_NEAR(at.distance, sampling.depth, 0.1 * sampling.depth);
            EXPECT_EQ(x[1] > at.point[1], fluid_inside);
        }
        std::vector<Vec3d> probes = test::probes_on(field, 30'000);
        for (Vec3d& probe : probes)
            probe[1] += fluid_inside ? sampling.depth : -sampling.depth;
        expect_spread(samples, probes, sampling.radius, 1.4);
    }
}

TEST(SolidSamples, OfFacesThatDoNotAgreeLieOnThem) {
    TriangleMesh fan;
    fan.vertices = {{{0, 0, 0}}, {{0, 0, 1}}, {{1, 0, 0}}, {{-1, 1, 0}}, {{-1, -1, 0}}};
    fan.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
    const std::vector<Vec3> samples = solid_samples(fan, {0.1, 0.06, false, 1});
    const TriangleTree tree(fan);
    for (const Vec3& x : samples)
        EXPECT_LT(tree.nearest(Vec3d::from(x)).distance, 1e-6);
    expect_spread(samples, test::probes_on(fan, 20'000), 0.1, 1.05);
}

TEST(SolidSamples, DependOnTheSeedOnly) {
    const TriangleMesh mesh = cup(0.5, 1, 0.05);
    const int threads = host_threads();
    set_host_threads(1);
    const std::vector<Vec3> one = solid_samples(mesh, {0.1, 0.06, false, 4});
    set_host_threads(3);
    EXPECT_EQ(one, solid_samples(mesh, {0.1, 0.06, false, 4}));
    set_host_threads(threads);
    EXPECT_NE(one, solid_samples(mesh, {0.1, 0.06, false, 5}));
}

}  // namespace
}  // namespace millrace
