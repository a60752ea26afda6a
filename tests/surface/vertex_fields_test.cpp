#include <gtest/gtest.h>

#include <cmath>

#include "support/closed_mesh.hpp"
#include "surface/reconstruct.hpp"

namespace millrace {
namespace {

TEST(VertexFields, UniformVelocityComesOutExactly) {
    const std::vector<float> positions = ball_of_particles(6, 0.3);
    std::vector<float> velocities;
    for (std::size_t i = 0; i < positions.size() / 3; ++i)
        velocities.insert(velocities.end(), {0.1f, -3.7f, 12.3f});
    const SurfaceMesh mesh = reconstruct_surface({positions, velocities, 1}, {});
    ASSERT_EQ(mesh.velocities.size(), mesh.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        EXPECT_EQ(mesh.velocities[v], (Vec3{{0.1f, -3.7f, 12.3f}}));
        EXPECT_EQ(norm(mesh.vorticities[v]), 0);
    }
}

// v = omega x r: the vorticity is 2 omega everywhere, also at the surface.
TEST(VertexFields, ARigidRotationHasTwiceItsRate) {
    const double spacing = 0.05;
    std::vector<float> positions = ball_of_particles(8, 0.25), velocities;
    const Vec3 omega{{0.5f, -1.0f, 2.0f}};
    for (std::size_t i = 0; i < positions.size(); i += 3) {
        for (int k = 0; k < 3; ++k)
            positions[i + k] *= static_cast<float>(spacing);
        const Vec3 v = cross(omega, Vec3{{positions[i], positions[i + 1], positions[i + 2]}});
        velocities.insert(velocities.end(), {v[0], v[1], v[2]});
    }
    const SurfaceMesh mesh = reconstruct_surface({positions, velocities, spacing}, {});
    ASSERT_GT(mesh.vertices.size(), 1000u);
    const float fastest = norm(omega) * 8 * static_cast<float>(spacing);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        EXPECT_LT(norm(mesh.vorticities[v] - omega * 2.0f), 0.03f * norm(omega * 2.0f));
        // a mean over particles that lie further inside
        EXPECT_LT(norm(mesh.velocities[v] - cross(omega, mesh.vertices[v])), 0.15f * fastest);
    }
}

TEST(VertexFields, SprayHasItsVelocityAndNoVorticity) {
    const std::vector<float> positions = {0, 0, 0, 5, 0, 0}, velocities = {1, 2, 3, -1, 0, 7};
    const SurfaceMesh mesh = reconstruct_surface({positions, velocities, 1}, {});
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const bool first = mesh.vertices[v][0] < 2;
        EXPECT_EQ(mesh.velocities[v], (first ? Vec3{{1, 2, 3}} : Vec3{{-1, 0, 7}}));
        EXPECT_EQ(norm(mesh.vorticities[v]), 0);
    }
}

TEST(VertexFields, NormalsPointIntoTheAir) {
    const SurfaceMesh mesh = reconstruct_surface({ball_of_particles(9, 0.2), {}, 1}, {});
    EXPECT_TRUE(mesh.velocities.empty());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        EXPECT_NEAR(norm(mesh.normals[v]), 1, 1e-5);
        EXPECT_GT(dot(mesh.normals[v], normalized(mesh.vertices[v])), 0.9f);
    }
}

}  // namespace
}  // namespace millrace
