#include "surface/anisotropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/closed_mesh.hpp"
#include "surface/colour_field.hpp"
#include "surface/reconstruct.hpp"
#include "surface/smoothing.hpp"
#include "surface/symmetric_eigen.hpp"

namespace millrace {
namespace {

TEST(SymmetricEigen, VectorsAreStretchedByValues) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> number(-3, 3);
    for (int k = 0; k < 200; ++k) {
        Mat3d a;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j <= i; ++j)
                a(i, j) = a(j, i) = number(random);
        if (k % 3 == 0)  // two equal values
            a = Mat3d::identity() * 2.0 +
                outer(Vec3d{{a(0, 0), a(1, 1), a(2, 2)}}, Vec3d{{a(0, 0), a(1, 1), a(2, 2)}});
        const Eigen3 e = symmetric_eigen(a);
        for (int c = 0; c < 3; ++c) {
            const Vec3d v{{e.vectors(0, c), e.vectors(1, c), e.vectors(2, c)}};
            EXPECT_NEAR(norm(v), 1, 1e-12);
            EXPECT_LT(norm(a * v - v * e.values[c]), 1e-11);
        }
    }
}

TEST(Anisotropy, KernelsLieFlatOnPlanesAndStayRoundElsewhere) {
    std::vector<float> positions =
        lattice_particles(12, 0.1, [](double, double, double z) { return z < 0.5 && z > -9.5; });
    positions.insert(positions.end(), {0, 0, 8});
    const ParticleBlocks particles(positions, 0.5, 2, 1);
    const Anisotropy a = stretch_kernels(particles, particle_weights(particles),
                                         static_cast<float>(half_space_neighbors(2)));
    for (std::uint32_t i = 0; i < particles.size(); ++i) {
        const float* x = &positions[3 * particles.origin[i]];
        const Anisotropy::Shape& s = a.shapes[i];
        if (std::abs(x[0]) > 8 || std::abs(x[1]) > 8)
            continue;
        if (x[2] > 5) {
            EXPECT_NEAR(s.zz, 1, 1e-6);
            EXPECT_NEAR(s.xz, 0, 1e-6);
            EXPECT_EQ(a.centers[i], particles.place(i));
        } else if (x[2] > -0.4f) {  // outermost layer: shorter upwards
            EXPECT_LT(s.extent[2], 0.95f * s.extent[0]);
            EXPECT_LT(s.extent[2], 0.95f * s.extent[1]);
        } else if (x[2] < -4 && x[2] > -5) {
            EXPECT_NEAR(s.extent[2] / s.extent[0], 1, 0.15);
        }
        const double det2 = s.xx * (s.yy * s.zz - s.yz * s.yz) -
                            s.xy * (s.xy * s.zz - s.yz * s.xz) + s.xz * (s.xy * s.yz - s.yy * s.xz);
        EXPECT_NEAR(std::sqrt(det2), s.determinant, 1e-3);
    }
}

TEST(Anisotropy, BallsHaveTheVolumeOfTheirParticles) {
    for (const double radius : {3.0, 6.0, 10.0})
        for (const double jitter : {0.0, 0.2}) {
            const std::vector<float> positions = ball_of_particles(radius, jitter);
            SurfaceOptions options;
            options.anisotropic = true;
            const SurfaceMesh mesh = reconstruct_surface({positions, {}, 1}, options);
            EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
            EXPECT_EQ(euler_characteristic(mesh.vertices.size(), mesh.triangles), 2);
            const double n = static_cast<double>(positions.size() / 3);
            EXPECT_NEAR(total_volume(mesh.vertices, mesh.triangles) / n, 1, 0.03) << radius;
        }
}

// They are there for this: a surface of irregular particles is flatter before any smoothing.
TEST(Anisotropy, BumpsAreLower) {
    const std::vector<float> positions =
        lattice_particles(18, 0.2, [](double, double, double z) { return z < 0.5 && z > -8; });
    const auto roughness = [&](bool anisotropic) {
        SurfaceOptions options;
        options.anisotropic = anisotropic;
        options.smoothing = 0;
        const SurfaceMesh mesh = reconstruct_surface({positions, {}, 1}, options);
        double sum = 0;
        int n = 0;
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
            if (mesh.vertices[v][2] > -4 && std::abs(mesh.vertices[v][0]) < 12 &&
                std::abs(mesh.vertices[v][1]) < 12) {
                sum += 2 * (1 - mesh.normals[v][2]);
                ++n;
            }
        return std::sqrt(sum / n);  // RMS angle of the normals
    };
    EXPECT_LT(roughness(true), 0.9 * roughness(false));
}

}  // namespace
}  // namespace millrace
