#include "surface/walls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "exec/host_threads.hpp"
#include "geometry/primitives.hpp"
#include "support/closed_mesh.hpp"
#include "surface/reconstruct.hpp"

namespace millrace {
namespace {

constexpr double k_level = 6;  // of the water, with a spacing of 1

/// Water on a lattice, half a spacing from the planes x = 0, y = 0, z = 0, where `is_in` says.
std::vector<float> still_water(int count, const std::function<bool(const Vec3d&)>& is_in,
                               double jitter = 0) {
    std::vector<float> positions;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> off(-jitter, jitter);
    for (int z = 0; z < count; ++z)
        for (int y = 0; y < static_cast<int>(k_level); ++y)
            for (int x = 0; x < count; ++x) {
                const Vec3d at{{x + 0.5, y + 0.5, z + 0.5}};
                if (is_in(at))
                    for (int k = 0; k < 3; ++k)
                        positions.push_back(static_cast<float>(at[k] + off(random)));
            }
    return positions;
}

Scene tank_scene(const std::string& boundary, const std::string& rest = "") {
    return parse_scene(R"({"millrace": 1, "spacing": 1, "end": 1,
        "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}],
        "boundaries": [)" +
                       boundary + "]" + rest + "}");
}

struct Tank {
    SolidsInFrames solids;
    std::vector<PlacedSolid> placed;

    explicit Tank(const Scene& scene, const std::vector<TriangleMesh>& walls = {})
        : solids(scene, walls, {}, 3, 3), placed(solids.placed({}, {})) {}

    /// The least distance of a place from all of the walls.
    float distance(const Vec3& x) const {
        float least = 1e9f;
        for (const PlacedSolid& solid : placed)
            least = std::min(least, solid.at(x).distance);
        return least;
    }
};

/// The highest point of the mesh above or below (x, z).
double height_at(const SurfaceMesh& mesh, double x, double z) {
    double highest = -std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles) {
        const Vec3d a = Vec3d::from(mesh.vertices[t[0]]), b = Vec3d::from(mesh.vertices[t[1]]),
                    c = Vec3d::from(mesh.vertices[t[2]]);
        const double det = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
        if (std::abs(det) < 1e-9)
            continue;
        const double u = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / det;
        const double v = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / det;
        if (u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6)
            highest = std::max(highest, a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]));
    }
    return highest;
}

void expect_sound(const SurfaceMesh& mesh, const Tank& tank) {
    EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
    for (const Vec3& x : mesh.vertices)
        ASSERT_GT(tank.distance(x), -1e-3) << x[0] << " " << x[1] << " " << x[2];
}

const std::string k_box = R"({"box": {"min": [0, 0, 0], "max": [12, 9, 12]}, "inside": true})";

TEST(SurfaceAtWalls, WaterAtRestInABoxIsAPlaneUpToItsEdges) {
    const Tank tank(tank_scene(k_box));
    for (const double cell : {0.5, 0.37, 0.75})
        for (const double jitter : {0.0, 0.05}) {
            const auto water = still_water(
                12, [](const Vec3d&) { return true; }, jitter);
            SurfaceOptions options;
            options.cell = cell;
            const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, options);
            expect_sound(mesh, tank);
            for (const double x : {0.001, 0.03, 0.2, 0.7, 3.1, 11.6, 11.9, 11.999})
                for (const double z : {0.001, 0.1, 0.4, 1.3, 6.2, 11.8, 11.999}) {
                    EXPECT_NEAR(height_at(mesh, x, z), k_level, 0.1)
                        << x << " " << z << " " << cell;
                    EXPECT_NEAR(height_at(mesh, z, x), k_level, 0.1)
                        << z << " " << x << " " << cell;
                }
            EXPECT_NEAR(total_volume(mesh.vertices, mesh.triangles), 12 * 12 * k_level,
                        0.02 * 12 * 12 * k_level);
        }
}

TEST(SurfaceAtWalls, NormalsOfThePlaneAreUprightUpToTheRim) {
    const Tank tank(tank_scene(k_box));
    const auto water = still_water(12, [](const Vec3d&) { return true; });
    const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, {});
    int rim = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v][1] > k_level - 0.1f && tank.distance(mesh.vertices[v]) < 1e-3f) {
            ++rim;
            EXPECT_GT(mesh.normals[v][1], 0.95f);
        }
    EXPECT_GT(rim, 4 * 12);
}

TEST(SurfaceAtWalls, ATurnedBoxCutsLikewise) {
    // turned about y by 30 degrees: no wall lies along the lattice of the cells
    const double angle = 30 * M_PI / 180, c = std::cos(angle), s = std::sin(angle);
    const Tank tank(tank_scene(R"({"box": {"min": [0, 0, 0], "max": [12, 9, 12]}, "inside": true,
        "rotation": {"axis": [0, 1, 0], "angle": 30}, "position": [3, 0, 5]})"));
    auto water = still_water(12, [](const Vec3d&) { return true; });
    for (std::size_t i = 0; i < water.size(); i += 3) {
        const double x = water[i], z = water[i + 2];
        water[i] = static_cast<float>(c * x + s * z + 3);
        water[i + 2] = static_cast<float>(-s * x + c * z + 5);
    }
    const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, {});
    expect_sound(mesh, tank);
    for (const double x : {0.01, 0.2, 0.6, 4.0, 11.8, 11.99})
        for (const double z : {0.01, 0.4, 7.0, 11.99})
            EXPECT_NEAR(height_at(mesh, c * x + s * z + 3, -s * x + c * z + 5), k_level, 0.1)
                << x << " " << z;
}

TEST(SurfaceAtWalls, ACylinderIsFilledUpToItsWall) {
    const Tank tank(tank_scene(
        R"({"cylinder": {"from": [7, 0, 7], "to": [7, 9, 7], "radius": 6.5}, "inside": true})"));
    std::vector<float> water;  // in rings, a spacing apart
    for (int y = 0; y < static_cast<int>(k_level); ++y)
        for (int ring = 0; ring < 7; ++ring) {
            const int count = std::max(1, static_cast<int>(std::lround(2 * M_PI * ring)));
            for (int k = 0; k < count; ++k) {
                const double angle = 2 * M_PI * (k + 0.37 * y) / count;
                water.push_back(static_cast<float>(7 + ring * std::cos(angle)));
                water.push_back(static_cast<float>(y + 0.5));
                water.push_back(static_cast<float>(7 + ring * std::sin(angle)));
            }
        }
    const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, {});
    expect_sound(mesh, tank);
    for (int k = 0; k < 24; ++k) {
        const double angle = k * M_PI / 12;
        // triangles are chords: they miss the circle by (0.5 cells)^2 / (2 radius)
        for (const double r : {0.0, 3.0, 5.5, 6.0, 6.4})
            EXPECT_NEAR(height_at(mesh, 7 + r * std::cos(angle), 7 + r * std::sin(angle)), k_level,
                        0.1)
                << r << " at " << 15 * k << " degrees";
    }
}

TEST(SurfaceAtWalls, GapsBetweenParticlesAndARoundWallDoNoHarm) {
    const Tank tank(tank_scene(
        R"({"cylinder": {"from": [7, 0, 7], "to": [7, 9, 7], "radius": 6.5}, "inside": true})"));
    for (const double jitter : {0.02, 0.2, 0.4}) {
        const auto water = still_water(
            14, [](const Vec3d& x) { return std::hypot(x[0] - 7, x[2] - 7) < 6.1; }, jitter);
        const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, {});
        expect_sound(mesh, tank);
    }
}

TEST(SurfaceAtWalls, ABallInTheWaterIsSparedOut) {
    const Tank tank(tank_scene(k_box + R"(, {"sphere": {"center": [6, 4, 6], "radius": 3.2}})"));
    const auto water = still_water(12, [](const Vec3d& x) {
        return norm(x - Vec3d{{6, 4, 6}}) > 3.3;
    });
    const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, {});
    expect_sound(mesh, tank);
    const double ball = 4 * M_PI / 3 * std::pow(3.2, 3) - M_PI * 1.2 * 1.2 * (3 * 3.2 - 1.2) / 3;
    const double expected = 12 * 12 * k_level - ball;  // the ball sticks out by 1.2
    EXPECT_NEAR(total_volume(mesh.vertices, mesh.triangles), expected, 0.03 * expected);
}

TEST(SurfaceAtWalls, AMeshThatFloatsIsSparedOutWhereItIs) {
    Scene scene = tank_scene(k_box);
    scene.bodies.emplace_back().name = "ship";
    scene.bodies[0].shape = BodyMesh{};
    const SolidsInFrames solids(scene, {}, {box_mesh({{-2, -2, -2}}, {{2, 2, 2}})}, 3, 3);
    BodyView ship;  // turned by 45 degrees about y; its deck is 2 above the water
    ship.name = "ship";
    ship.position = {6, k_level, 6};
    ship.rotation = {std::cos(M_PI / 8), 0, std::sin(M_PI / 8), 0};
    const auto placed = solids.placed({ship}, {});
    const auto ship_distance = [&](const Vec3d& x) {
        return placed.back().at(Vec3::from(x)).distance;
    };
    const auto water = still_water(
        12, [&](const Vec3d& x) { return ship_distance(x) > 0.1; }, 0.02);
    const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, placed}, {});
    EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
    // its edges cut into the water by up to half a cell
    for (const Vec3& x : mesh.vertices)
        EXPECT_GT(ship_distance(Vec3d::from(x)), -0.01f);
    const double expected = 12 * 12 * k_level - 4 * 4 * 2;
    EXPECT_NEAR(total_volume(mesh.vertices, mesh.triangles), expected, 0.03 * expected);
    // and there is no gap between the ship's side and the water
    for (const double off : {2.02, 2.1, 2.3, 3.0}) {
        const double side = off / std::sqrt(2.0);
        EXPECT_NEAR(height_at(mesh, 6 + side, 6 + side), k_level, 0.1) << off;
    }
    EXPECT_EQ(solids.placed({}, {}).size() + 1, placed.size());  // without its place it is nowhere
}

TEST(SurfaceAtWalls, WaterDoesNotShowThroughAThinWall) {
    // a plate between water on the left and air on the right
    for (const double thickness : {0.5, 1.0, 1.5, 2.0, 3.0}) {
        const Tank tank(tank_scene(R"({"box": {"min": [6, 0, -20], "max": [)" +
                                   std::to_string(6 + thickness) + ", 20, 20]}}"));
        const auto water = still_water(12, [](const Vec3d& x) { return x[0] < 6; });
        const SurfaceMesh mesh = reconstruct_surface({water, {}, 1, tank.placed}, {});
        EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
        for (const Vec3& x : mesh.vertices)
            ASSERT_LT(x[0], 6 + 1e-3) << thickness;
    }
}

TEST(SurfaceAtWalls, ADropOnAWallStaysADrop) {
    const Tank tank(tank_scene(k_box));
    const std::vector<float> drop{0.5f, 6, 6};
    const SurfaceMesh mesh = reconstruct_surface({drop, {}, 1, tank.placed}, {});
    expect_sound(mesh, tank);
    EXPECT_GT(total_volume(mesh.vertices, mesh.triangles), 0.4);
}

TEST(SurfaceAtWalls, IsTheSameForAnyNumberOfThreads) {
    const Tank tank(tank_scene(k_box + R"(, {"sphere": {"center": [6, 4, 6], "radius": 3.2}})"));
    const auto water = still_water(
        12,
        [](const Vec3d& x) {
            return norm(x - Vec3d{{6, 4, 6}}) > 3.6;
        },
        0.2);
    SurfaceMesh first;
    const int threads = host_threads();
    for (const int count : {1, 2, 3}) {
        set_host_threads(count);
        const SurfaceMesh mesh = reconstruct_surface({water, water, 1, tank.placed}, {});
        if (count == 1)
            first = mesh;
        EXPECT_EQ(mesh.triangles, first.triangles);
        ASSERT_EQ(mesh.vertices.size(), first.vertices.size());
        EXPECT_EQ(std::memcmp(mesh.vertices.data(), first.vertices.data(),
                              mesh.vertices.size() * sizeof(Vec3)),
                  0);
    }
    set_host_threads(threads);
}

}  // namespace
}  // namespace millrace
