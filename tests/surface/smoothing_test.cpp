#include "surface/smoothing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/closed_mesh.hpp"
#include "surface/reconstruct.hpp"

namespace millrace {
namespace {

SurfaceMesh surface_of(const std::vector<float>& positions, int smoothing, double cell = 0.5) {
    SurfaceOptions options;
    options.smoothing = smoothing;
    options.cell = cell;
    return reconstruct_surface({positions, {}, 1}, options);
}

std::vector<float> slab(double jitter) {
    return lattice_particles(22, jitter,
                             [](double, double, double z) { return z < 0.5 && z > -10; });
}

// The upper side of a slab, away from its rim.
struct Plane {
    double height = 0, roughness = 0, tilt = 0;  // mean, RMS about it, RMS of the normals' angles

    explicit Plane(const SurfaceMesh& mesh) {
        int n = 0;
        double squares = 0, angles = 0;
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            const Vec3& x = mesh.vertices[v];
            if (x[2] < -4 || std::abs(x[0]) > 14 || std::abs(x[1]) > 14)
                continue;
            height += x[2];
            squares += double(x[2]) * x[2];
            angles += 2 * (1 - mesh.normals[v][2]);
            ++n;
        }
        height /= n;
        roughness = std::sqrt(std::max(0.0, squares / n - height * height));
        tilt = std::sqrt(angles / n);
    }
};

TEST(Smoothing, ALatticePlaneIsFlatHalfASpacingAboveItsParticles) {
    for (const double cell : {0.75, 0.5})
        for (const int smoothing : {0, 25}) {
            const Plane plane(surface_of(slab(0), smoothing, cell));
            EXPECT_NEAR(plane.height, 0.07 + 0.5, 0.04) << cell;
            EXPECT_LT(plane.roughness, 0.005);
        }
}

TEST(Smoothing, FlattensBumps) {
    const std::vector<float> positions = slab(0.2);
    for (const double cell : {0.75, 0.5}) {
        const Plane rough(surface_of(positions, 0, cell));
        const Plane smooth(surface_of(positions, 25, cell));
        EXPECT_NEAR(smooth.height, 0.07 + 0.5, 0.06);
        EXPECT_NEAR(smooth.height, rough.height, 0.01);
        EXPECT_LT(smooth.roughness, 0.5 * rough.roughness) << rough.roughness;
        EXPECT_LT(smooth.tilt, 0.25 * rough.tilt) << rough.tilt;
    }
}

TEST(Smoothing, DropsKeepTheirVolume) {
    const auto volume = [](const SurfaceMesh& mesh) {
        return total_volume(mesh.vertices, mesh.triangles);
    };
    std::vector<std::vector<float>> drops = {{0.1f, 0.2f, 0.3f},
                                             {0.1f, 0.2f, 0.3f, 1.0f, 0.5f, 0.3f}};
    drops.push_back(ball_of_particles(1.8, 0.1));
    drops.push_back(ball_of_particles(3, 0.1));
    drops.push_back(ball_of_particles(10, 0.2));
    for (const double cell : {0.75, 0.5, 0.25})
        for (const std::vector<float>& drop : drops) {
            const double before = volume(surface_of(drop, 0, cell));
            EXPECT_NEAR(volume(surface_of(drop, 25, cell)) / before, 1, 0.02) << drop.size() / 3;
        }
}

// Eq. 5.4-5.5: all of the smoothing on a plane, next to none on single particles.
TEST(Smoothing, WeightsTellPlanesFromSpray) {
    const double half_space = half_space_neighbors(2);
    const auto weight_at = [&](const std::vector<float>& positions, const Vec3& x) {
        const ParticleBlocks particles(positions, 0.5, 2, 1);
        const Vec3 in_cells = x * 2.0f;
        return smoothing_weights(particles, particle_weights(particles), {&in_cells, 1}, {0, 0, 0},
                                 half_space)[0];
    };
    EXPECT_GT(weight_at(slab(0), {{0.7f, 0.4f, 0.5f}}), 0.9f);
    EXPECT_GT(weight_at(slab(0.25), {{0.7f, 0.4f, 0.5f}}), 0.9f);
    EXPECT_EQ(weight_at({0, 0, 0}, {{0.5f, 0, 0}}), 0);
    EXPECT_LT(weight_at({0, 0, 0, 1, 0, 0}, {{0.5f, 0.5f, 0}}), 0.01f);
}

// N_HS against the mean count of the outermost layer of a slab with irregular particles.
TEST(Smoothing, NeighborsInAHalfSpace) {
    const std::vector<float> positions = slab(0.3);
    const ParticleBlocks particles(positions, 0.5, 2, 1);
    const ParticleWeights weights = particle_weights(particles);
    double sum = 0;
    int n = 0;
    for (std::uint32_t i = 0; i < particles.size(); ++i) {
        const float* x = &positions[3 * particles.origin[i]];
        if (x[2] > -0.43f && x[2] < 0.57f && std::abs(x[0]) < 18 && std::abs(x[1]) < 18) {
            sum += weights.neighbors[i];
            ++n;
        }
    }
    EXPECT_NEAR(half_space_neighbors(2), sum / n, 0.1 * sum / n);
}

}  // namespace
}  // namespace millrace
