#include "surface/marching_cubes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "support/closed_mesh.hpp"

namespace millrace {
namespace {

// The surface of a field on the points -16 ... 16 of the eight blocks around the origin.
template <class Value>
CellMesh surface_of(const Value& value) {
    std::vector<std::uint64_t> keys;
    for (int b = 0; b < 8; ++b)
        keys.push_back(BlockIndex::key({(b & 1) - 1, (b >> 1 & 1) - 1, (b >> 2) - 1}));
    const BlockIndex index(keys);
    std::vector<BlockSurface> blocks;
    const auto field = std::make_unique<FieldBlock>();
    for (std::size_t b = 0; b < index.size(); ++b) {
        const BlockPlace p = index.place(b);
        for (int z = 0; z < FieldBlock::k_points; ++z)
            for (int y = 0; y < FieldBlock::k_points; ++y)
                for (int x = 0; x < FieldBlock::k_row; ++x)
                    field->value[z][y][x] = value(x + 16 * p[0], y + 16 * p[1], z + 16 * p[2]);
        blocks.push_back(cut_block(*field, 0.5f));
    }
    return join_blocks(index, blocks, {0, 0, 0});
}

// Every set of inside corners of two cells side by side, across the border of two blocks: the 256
// cases among them, each beside each of its 16 neighbours.
TEST(MarchingCubes, AnyTwoCellsFitTogether) {
    for (int corners = 1; corners < 4096; ++corners) {
        const auto inside = [&](int x, int y, int z) {
            return x >= -1 && x <= 1 && (y == -1 || y == 0) && (z == -1 || z == 0) &&
                   (corners >> ((x + 1) * 4 + (y + 1) * 2 + (z + 1)) & 1);
        };
        const CellMesh mesh =
            surface_of([&](int x, int y, int z) { return inside(x, y, z) ? 0.9f : 0.2f; });
        ASSERT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles)) << corners;
        for (const double volume : part_volumes(mesh.vertices, mesh.triangles))
            ASSERT_NE(volume, 0);
        ASSERT_GT(total_volume(mesh.vertices, mesh.triangles), 0) << corners;
    }
}

TEST(MarchingCubes, RandomFieldsGiveClosedManifolds) {
    for (const double part : {0.05, 0.3, 0.5, 0.7, 0.95}) {
        std::mt19937 random(3);
        std::uniform_real_distribution<float> number(0, 1);
        std::vector<float> values(33 * 33 * 33);
        for (float& v : values)
            v = number(random) < part ? 0.5f + 0.5f * number(random) : 0.5f * number(random);
        const CellMesh mesh = surface_of([&](int x, int y, int z) {
            const bool border = std::max({std::abs(x), std::abs(y), std::abs(z)}) >= 15;
            return border ? 0.0f : values[(x + 16) + 33 * ((y + 16) + 33 * (z + 16))];
        });
        EXPECT_GT(mesh.triangles.size(), 1000u);
        EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles)) << part;
    }
}

TEST(MarchingCubes, ASphereIsMet) {
    const double radius = 11.3;
    const CellMesh mesh = surface_of([&](int x, int y, int z) {
        return static_cast<float>(0.5 + 0.01 * (radius - std::sqrt(double(x * x + y * y + z * z))));
    });
    EXPECT_TRUE(is_closed_manifold(mesh.vertices.size(), mesh.triangles));
    EXPECT_EQ(euler_characteristic(mesh.vertices.size(), mesh.triangles), 2);
    const double exact = 4.0 / 3.0 * 3.14159265 * radius * radius * radius;
    EXPECT_NEAR(total_volume(mesh.vertices, mesh.triangles), exact, 0.005 * exact);
    for (const Vec3& v : mesh.vertices)
        EXPECT_NEAR(norm(v), radius, 0.02);
}

}  // namespace
}  // namespace millrace
