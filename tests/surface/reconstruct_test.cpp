#include "surface/reconstruct.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>

#include "exec/host_threads.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "millrace/error.hpp"
#include "support/closed_mesh.hpp"
#include "surface/colour_field.hpp"

namespace millrace {
namespace {

SurfaceMesh surface_of(const std::vector<float>& positions, const SurfaceOptions& options = {}) {
    return reconstruct_surface({positions, {}, 1}, options);
}

double volume(const SurfaceMesh& mesh) {
    return total_volume(mesh.vertices, mesh.triangles);
}

int euler(const SurfaceMesh& mesh) {
    EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
    return euler_characteristic(mesh.vertices.size(), mesh.triangles);
}

TEST(ColourField, IsTheSumOverAllParticles) {
    const std::vector<float> positions =
        lattice_particles(9, 0.3, [](double x, double y, double z) { return x + y < 4 - z; });
    const double cell = 0.75, reach = 2 / cell;
    const ParticleBlocks particles(positions, cell, 2, 1);
    ASSERT_EQ(particles.size(), positions.size() / 3);
    const ParticleWeights weights = particle_weights(particles);
    std::vector<Vec3d> places(particles.size());
    for (std::size_t b = 0; b < particles.index.size(); ++b)
        for (std::uint32_t i = particles.first(b); i < particles.end(b); ++i)
            for (int k = 0; k < 3; ++k) {
                places[i][k] = particles.place(i)[k] + 16.0 * particles.index.place(b)[k];
                EXPECT_NEAR(places[i][k] * cell, positions[3 * particles.origin[i] + k], 1e-5);
            }
    const CubicSpline<3> kernel(static_cast<float>(reach));
    for (std::size_t i = 0; i < places.size(); i += 97) {
        double sum = 0;
        int near = -1;
        for (const Vec3d& x : places) {
            sum += kernel.w(squared_norm(x - places[i]));
            near += norm(x - places[i]) < reach;
        }
        EXPECT_NEAR(weights.volume[i], 1 / sum, 1e-4 / sum);
        EXPECT_EQ(weights.neighbors[i], near);
    }
    const auto field = std::make_unique<FieldBlock>();
    field->fill(particles, weights, nullptr, {-1, 0, 0});
    for (int k = 0; k < FieldBlock::k_points; ++k) {
        const Vec3d x{{double(k - 16), double(k), double(k / 2)}};
        double sum = 0;
        for (std::size_t j = 0; j < places.size(); ++j)
            sum += weights.volume[j] * kernel.w(squared_norm(x - places[j]));
        EXPECT_NEAR(field->value[k / 2][k][k], sum, 1e-4);
    }
}

TEST(ColourField, BlocksAgreeOnSharedPoints) {
    const std::vector<float> positions = ball_of_particles(14, 0.3);
    const ParticleBlocks particles(positions, 0.7, 2, 1);
    const ParticleWeights weights = particle_weights(particles);
    const auto left = std::make_unique<FieldBlock>(), right = std::make_unique<FieldBlock>();
    left->fill(particles, weights, nullptr, {-1, 0, 0});
    right->fill(particles, weights, nullptr, {0, 0, 0});
    for (int z = 0; z < FieldBlock::k_points; ++z)
        for (int y = 0; y < FieldBlock::k_points; ++y)
            EXPECT_EQ(left->value[z][y][16], right->value[z][y][0]);
}

TEST(Surface, BallsHaveTheVolumeOfTheirParticles) {
    for (const double cell : {0.75, 0.5})
        for (const double radius : {5.0, 7.3, 10.0, 14.0})
            for (const double jitter : {0.0, 0.2})
                for (const int smoothing : {0, 25}) {
                    const std::vector<float> positions = ball_of_particles(radius, jitter);
                    SurfaceOptions options;
                    options.cell = cell;
                    options.smoothing = smoothing;
                    const SurfaceMesh mesh = surface_of(positions, options);
                    const double n = static_cast<double>(positions.size() / 3);
                    EXPECT_NEAR(volume(mesh) / n, 1, 0.03)
                        << cell << " " << radius << " " << jitter << " " << smoothing;
                    EXPECT_EQ(euler(mesh), 2);
                    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
                        EXPECT_GT(dot(mesh.normals[v], mesh.vertices[v]), 0);
                }
}

TEST(Surface, ASingleParticleIsABallOfItsVolume) {
    SurfaceOptions options;
    options.cell = 0.25;  // 5 cells across
    const SurfaceMesh mesh = surface_of({3.4f, -7.1f, 0.2f}, options);
    EXPECT_EQ(euler(mesh), 2);
    EXPECT_NEAR(volume(mesh), 1, 0.15);
    for (const Vec3& v : mesh.vertices)
        EXPECT_NEAR(norm(v - Vec3{{3.4f, -7.1f, 0.2f}}), 0.62f, 0.06f);
}

TEST(Surface, TopologyOfTheFluid) {
    const SurfaceMesh torus =
        surface_of(lattice_particles(14, 0.1, [](double x, double y, double z) {
            const double ring = std::hypot(x, y) - 9;
            return ring * ring + z * z < 16;
        }));
    EXPECT_EQ(euler(torus), 0);
    EXPECT_EQ(part_volumes(torus.vertices, torus.triangles).size(), 1u);

    // deep inside, where no block near the outer surface sees it
    std::vector<float> ball = lattice_particles(26, 0.1, [](double x, double y, double z) {
        return x * x + y * y + z * z < 26 * 26 && std::hypot(x - 2, y, z) > 2.5;
    });
    const SurfaceMesh hollow = surface_of(ball);
    EXPECT_EQ(euler(hollow), 4);
    const std::vector<double> parts = part_volumes(hollow.vertices, hollow.triangles);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_NEAR(parts[0], -4.0 / 3.0 * 3.1416 * 2.5 * 2.5 * 2.5, 20);
    EXPECT_GT(parts[1], 0);
}

TEST(Surface, SameBitsForAnyNumberOfThreads) {
    const std::vector<float> positions = ball_of_particles(12, 0.3);
    const int threads = host_threads();
    for (const bool anisotropic : {false, true}) {
        SurfaceOptions options;
        options.anisotropic = anisotropic;
        options.keep = anisotropic ? 0.7 : 1;
        SurfaceMesh first;
        for (const int n : {1, 2, 5}) {
            set_host_threads(n);
            SurfaceMesh mesh = reconstruct_surface({positions, positions, 1}, options);
            if (n == 1) {
                first = mesh;
                continue;
            }
            const auto same = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
                return a.size() == b.size() &&
                       std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
            };
            EXPECT_EQ(mesh.triangles, first.triangles);
            EXPECT_TRUE(same(mesh.vertices, first.vertices));
            EXPECT_TRUE(same(mesh.normals, first.normals));
            EXPECT_TRUE(same(mesh.velocities, first.velocities));
            EXPECT_TRUE(same(mesh.vorticities, first.vorticities));
        }
    }
    set_host_threads(threads);
}

TEST(Surface, OddInput) {
    EXPECT_TRUE(surface_of({}).triangles.empty());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(surface_of({nan, 0, 0, 0, inf, 0, 1e30f, 0, -1e18f}).triangles.empty());
    EXPECT_EQ(euler(surface_of({nan, 0, 0, 0, 0, 0})), 2);
    EXPECT_EQ(euler(surface_of({1, 2, 3, 1, 2, 3, 1, 2, 3})), 2);
    EXPECT_EQ(euler(surface_of(std::vector<float>(3 * 200'000, 2.5f))), 2);
    EXPECT_EQ(euler(surface_of({0, 0, 0, 1e5f, 0, 0, 0, -1e5f, 1e5f, 1e6f, 1e6f, 1e6f})), 8);
    std::vector<float> far = ball_of_particles(6);
    for (float& c : far)
        c += 3e5f;
    EXPECT_EQ(euler(surface_of(far)), 2);

    SurfaceOptions options;
    options.cell = 0.01;
    EXPECT_THROW(surface_of({0, 0, 0}, options), InputError);
    EXPECT_THROW(reconstruct_surface({far, {}, 0}, {}), InputError);
    EXPECT_THROW(reconstruct_surface({far, std::span(far).first(3), 1}, {}), InputError);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
// [bytes], of this process
double memory(const std::string& what) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind(what, 0) == 0)
            return 1024 * std::stod(line.substr(what.size() + 1));
    return 0;
}

TEST(Surface, MemoryIsForeseen) {
    const std::vector<float> positions =
        lattice_particles(35, 0.2, [](double, double, double) { return true; });
    for (const double cell : {0.75, 0.5}) {
        SurfaceOptions options;
        options.cell = cell;
        malloc_trim(0);                               // what earlier tests have left
        std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
        const double before = memory("VmRSS");
        if (memory("VmHWM") > before + 1e6)
            GTEST_SKIP() << "the peak cannot be measured here";
        reconstruct_surface({positions, positions, 1}, options);
        const double used = memory("VmHWM") - before;
        const double foreseen = surface_memory(static_cast<double>(positions.size() / 3), options);
        EXPECT_GT(foreseen, 0.5 * used) << used;
        EXPECT_LT(foreseen, 20 * used) << used;
    }
}
#endif

}  // namespace
}  // namespace millrace
