#include "geometry/point_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "io/bgeo.hpp"
#include "millrace/error.hpp"
#include "world/fluid_fill.hpp"

namespace millrace {
namespace {

std::string lattice_bytes(int across, float spacing) {
    ParticleFrame frame;
    for (int k = 0; k < across * across * across; ++k)
        for (const int place : {k % across, k / across % across, k / across / across})
            frame.positions.push_back(static_cast<float>(place) * spacing);
    Field velocity;
    velocity.name = "velocity";
    velocity.components = 3;
    velocity.data = std::vector<float>(frame.positions.size(), 1.0f);
    frame.fields.push_back(velocity);
    return particles_to_bgeo(frame);
}

std::string saved(const std::string& name, const std::string& bytes, bool compressed = false) {
    const std::string path = testing::TempDir() + name;
    if (compressed) {
        const gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(file);
    } else {
        std::ofstream(path, std::ios::binary) << bytes;
    }
    return path;
}

std::string refusal(const std::string& path) {
    try {
        load_points(path);
    } catch (const InputError& e) {
        return std::string(e.what()).substr(path.size() + 2);
    }
    return "";
}

Scene of_points(const std::string& path, double spacing) {
    Scene scene;
    scene.spacing = spacing;
    scene.fluids.resize(1);
    Fill fill;
    fill.shape = PointFile{path, {1, 1, 1}, {}, {0, 2, 0}};
    scene.fluids[0].fill = {fill};
    return scene;
}

TEST(PointFile, ReadsPointsCompressedOrNot) {
    for (const bool compressed : {false, true}) {
        const auto points =
            load_points(saved("point_file.bgeo", lattice_bytes(3, 0.5f), compressed));
        ASSERT_EQ(points.size(), 27u);
        EXPECT_EQ(points[1][0], 0.5);
        EXPECT_EQ(points[26][2], 1.0);
    }
}

TEST(PointFile, RefusesWhatIsNone) {
    const std::string bytes = lattice_bytes(3, 0.5f);
    EXPECT_EQ(refusal(saved("none.bgeo", "a text that is no geometry")),
              "is not a classic Houdini geometry, version 5 (.bgeo)");
    EXPECT_EQ(refusal(saved("cut.bgeo", bytes.substr(0, 300))), "is incomplete");
    EXPECT_EQ(refusal(saved("empty.bgeo", lattice_bytes(0, 1))), "holds no points");
    EXPECT_EQ(refusal(saved("damaged.bgeo", "\x1f\x8b no gzip")),
              "is damaged: it cannot be decompressed");
    for (std::size_t size = 0; size < bytes.size(); size += 7)  // none of them brings it down
        refusal(saved("cut.bgeo", bytes.substr(0, size)));
}

FluidSamples<3> filled(const Scene& scene) {
    return sample_fluid<3>(scene, make_solids<3>(scene), {},
                           [](std::span<const Vec3>, std::vector<std::uint8_t>&) {});
}

// At the spacing of the points each is a particle; at twice that an eighth of them is left.
TEST(PointFile, ParticlesAreWhereThePointsAre) {
    const std::string path = saved("fill.bgeo", lattice_bytes(8, 0.1f));
    const FluidSamples<3> same = filled(of_points(path, 0.1));
    ASSERT_EQ(same.positions.size(), 512u);
    EXPECT_EQ(same.positions[1], (Vec3{0.1f, 2.0f, 0.0f}));
    EXPECT_NEAR(same.volumes[0], 1e-3, 1e-9);
    EXPECT_EQ(filled(of_points(path, 0.2)).positions.size(), 64u);
    Scene overlapping = of_points(path, 0.1);
    overlapping.fluids[0].fill.push_back(overlapping.fluids[0].fill[0]);
    EXPECT_EQ(filled(overlapping).positions.size(), 512u);
}

}  // namespace
}  // namespace millrace
