#include "geometry/ply_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "geometry/mesh_health.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

template <class T>
void put(std::string& bytes, T value, bool big_endian) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if (big_endian)
        std::reverse(raw, raw + sizeof value);
    bytes.append(raw, sizeof value);
}

const char* k_faces[] = {"0 1 3 2", "4 6 7 5", "0 4 5 1", "2 3 7 6", "0 2 6 4", "1 5 7 3"};

/// The unit cube with six faces of four corners, and things that readers must step over.
std::string text_cube() {
    std::string text =
        "ply\r\nformat ascii 1.0\ncomment a cube\nelement vertex 8\nproperty uchar red\n"
        "property float x\nproperty float y\nproperty float z\nelement face 6\n"
        "property list uchar float weights\nproperty list uchar int vertex_index\nend_header\n";
    for (int i = 0; i < 8; ++i)
        text += "255 " + std::to_string(i / 4) + " +" + std::to_string(i / 2 % 2) + " " +
                std::to_string(i % 2) + ".0e0\n";
    for (const char* face : k_faces)
        text += std::string("2 0.5 7 4 ") + face + "\n";
    return text;
}

/// The same with its faces first, doubles and short indices.
std::string binary_cube(bool big_endian) {
    std::string bytes = std::string("ply\nformat binary_") + (big_endian ? "big" : "little") +
                        "_endian 1.0\nelement face 6\nproperty list int ushort vertex_indices\n"
                        "element vertex 8\nproperty double x\nproperty double y\nproperty double "
                        "z\nend_header\n";
    for (const char* face : k_faces) {
        put(bytes, std::int32_t(4), big_endian);
        for (int k = 0; k < 4; ++k)
            put(bytes, static_cast<std::uint16_t>(face[2 * k] - '0'), big_endian);
    }
    for (int i = 0; i < 8; ++i)
        for (const int x : {i / 4, i / 2 % 2, i % 2})
            put(bytes, static_cast<double>(x), big_endian);
    return bytes;
}

std::string error_of(const std::string& bytes) {
    try {
        mesh_from_ply_model(bytes);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

TEST(PlyModel, EveryFormatGivesTheCube) {
    for (const std::string& bytes : {text_cube(), binary_cube(false), binary_cube(true)}) {
        const TriangleMesh mesh = mesh_from_ply_model(bytes);
        EXPECT_EQ(mesh.vertices.size(), 8u);
        EXPECT_EQ(mesh.triangles.size(), 12u);
        EXPECT_TRUE(inspect(mesh).closed);
        EXPECT_NEAR(std::abs(signed_volume(mesh)), 1, 1e-12);
    }
}

TEST(PlyModel, StripsAndPolygonsThatAreNotConvex) {
    const std::string strip =
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty "
        "float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
        "0 0 0\n0 1 0\n1 0 0\n1 1 0\n2 0 0\n9 0 1 2 3 -1 2 3 4 4\n";
    const TriangleMesh band = mesh_from_ply_model(strip);
    ASSERT_EQ(band.triangles.size(), 3u);
    EXPECT_NEAR(area(band), 1.5, 1e-12);
    for (std::size_t t = 0; t < 3; ++t)
        EXPECT_LT(band.normal(t)[2], 0) << t;  // all to the same side

    // an arrow head in two senses of rotation, and an L of six corners
    const std::string start =
        "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty "
        "float z\nelement face 1\nproperty list uchar uint vertex_indices\nend_header\n";
    const std::string arrow = "0 0 0\n0.5 0 1\n0 0 2\n2 0 1\n9 9 9\n9 9 9\n";
    for (const char* face : {"4 0 1 2 3\n", "4 1 2 3 0\n", "4 3 2 1 0\n"}) {
        const TriangleMesh mesh = mesh_from_ply_model(start + arrow + face);
        ASSERT_EQ(mesh.triangles.size(), 2u);
        EXPECT_NEAR(area(mesh), 1.5, 1e-12) << face;  // more where a triangle is turned over
        EXPECT_GT(mesh.normal(0)[1] * mesh.normal(1)[1], 0) << face;
    }
    const TriangleMesh ell =
        mesh_from_ply_model(start + "0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n6 2 3 4 5 0 1\n");
    EXPECT_EQ(ell.triangles.size(), 4u);
    EXPECT_NEAR(area(ell), 3, 1e-12);
}

TEST(PlyModel, SaysWhatIsDamaged) {
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        EXPECT_NE(text.find(from), std::string::npos) << from;
        return text.replace(text.find(from), from.size(), to);
    };
    const auto expect = [&](const char* from, const char* to, const std::string& error) {
        EXPECT_EQ(error_of(changed(text_cube(), from, to)).find(error), 0u)
            << to << ": " << error_of(changed(text_cube(), from, to));
    };
    expect("7 4 0 1 3 2", "7 4 0 1 3 8", "face 0: names a vertex that is not there (of 8)");
    expect("7 4 4 6 7 5", "7 4 4 6 -1 5", "face 1: names a vertex that is not there");
    expect("7 4 4 6 7 5", "7 4 4 6 2.5 5", "face 1: names a vertex that is not there");
    expect("7 4 0 1 3 2", "7 0 0 1 3 2", "face 0: has 0 corners");
    expect("7 4 0 1 3 2", "7 -4 0 1 3 2", "has a list of an impossible length");
    expect("7 4 0 1 3 2", "7 4000000000 0 1 3 2", "ends too early");
    expect("7 4 0 1 3 2", "7 4 0 one 3 2", "has 'one' where a number should be");
    expect("vertex 8", "vertex 4000000000", "ends too early");
    expect("vertex 8", "vertex -8", "has no valid number of elements");
    expect("face 6", "face 7", "ends too early");
    expect("float x", "flat x", "has a property of an unknown type");
    expect("ascii", "binary", "has an unknown format");
    expect("format ascii 1.0\n", "", "has no format");
    expect("end_header", "end", "has a line in its header");
    expect("ply", "plx", "is no PLY file");
    EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement vertex 3\n").find("ends in its header"), 0u);
    // vertices without places, and faces of them
    EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement vertex 3\nelement face 1\nproperty list "
                       "uchar int vertex_indices\nend_header\n3 0 1 2\n")
                  .find("face 0: names a vertex"),
              0u);
}

TEST(PlyModel, AnyDamageIsAnErrorOrAMesh) {
    std::mt19937 random(3);
    for (const std::string& whole : {text_cube(), binary_cube(false), binary_cube(true)}) {
        int errors = 0;
        for (std::size_t size = 0; size + 2 < whole.size(); ++size)
            EXPECT_NE(error_of(whole.substr(0, size)), "no error") << size;
        for (int round = 0; round < 3000; ++round) {
            std::string damaged = whole;
            for (int k = 0; k < 1 + round % 3; ++k)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            try {
                const TriangleMesh mesh = mesh_from_ply_model(damaged);
                for (const auto& triangle : mesh.triangles)
                    for (const std::uint32_t corner : triangle)
                        ASSERT_LT(corner, mesh.vertices.size());
            } catch (const InputError&) {
                ++errors;
            }
        }
        EXPECT_GT(errors, 500);
    }
}

}  // namespace
}  // namespace millrace
