#include "geometry/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "geometry/mesh_health.hpp"
#include "geometry/primitives.hpp"
#include "millrace/error.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

class MeshFile : public testing::Test {
  protected:
    void SetUp() override {
        if (error_of(write("any.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"))
                .ends_with("without assimp"))
            GTEST_SKIP() << "this build has no assimp";
    }
    std::string write(const std::string& name, const std::string& data) const {
        std::ofstream(folder_ / name, std::ios::binary) << data;
        return (folder_ / name).string();
    }
    std::string shortened(const std::string& path, std::size_t by) const {
        std::ifstream file(path, std::ios::binary);
        std::string data{std::istreambuf_iterator<char>(file), {}};
        return write("short_" + std::filesystem::path(path).filename().string(),
                     data.substr(0, data.size() - by));
    }
    static std::string error_of(const std::string& path) {
        try {
            load_mesh(path);
        } catch (const InputError& error) {
            const std::string text = error.what();
            EXPECT_EQ(text.find(path), 0u) << text;
            EXPECT_EQ(text.find('\n'), text.npos) << text;
            return text;
        }
        return "";
    }
    test::TemporaryFolder folder_;
};

const TriangleMesh k_box = box_mesh({{-1, 0, 2}}, {{1, 3, 4.5}});

std::string obj_text(const TriangleMesh& mesh) {
    std::ostringstream text;
    for (const Vec3d& x : mesh.vertices)
        text << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
    for (const auto& t : mesh.triangles)
        text << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    return text.str();
}

std::string stl_text(const TriangleMesh& mesh) {
    std::ostringstream text;
    text << "solid box\n";
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        text << "facet normal 0 0 0\n outer loop\n";
        for (int k = 0; k < 3; ++k)
            text << "  vertex " << mesh.corner(t, k)[0] << ' ' << mesh.corner(t, k)[1] << ' '
                 << mesh.corner(t, k)[2] << '\n';
        text << " endloop\nendfacet\n";
    }
    text << "endsolid box\n";
    return text.str();
}

template <class T>
void put(std::string& data, const T& value) {
    data.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The header may well begin with "solid": many programs write that.
std::string stl_binary(const TriangleMesh& mesh) {
    std::string data = "solid made by a program";
    data.resize(80, ' ');
    put(data, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        put(data, Vec3::all(0));
        for (int k = 0; k < 3; ++k)
            put(data, Vec3::from(mesh.corner(t, k)));
        put(data, std::uint16_t(0));
    }
    return data;
}

std::string ply_text(const TriangleMesh& mesh) {
    std::ostringstream text;
    text << "ply\nformat ascii 1.0\nelement vertex " << mesh.vertices.size()
         << "\nproperty float x\nproperty float y\nproperty float z\nelement face "
         << mesh.triangles.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Vec3d& x : mesh.vertices)
        text << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
    for (const auto& t : mesh.triangles)
        text << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
    return text.str();
}

// One mesh, hung below two nodes: moved by (10, 0, 0), and mirrored in x.
std::string gltf_json(const TriangleMesh& mesh, const std::string& uri) {
    const std::size_t points = 12 * mesh.vertices.size(), faces = 12 * mesh.triangles.size();
    const Bounds b = bounds(mesh);
    std::ostringstream text;
    text << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
         << R"("nodes":[{"children":[1,2],"scale":[2,2,2]},{"mesh":0,"translation":[10,0,0]},)"
         << R"({"mesh":0,"scale":[-1,1,1]}],)"
         << R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
         << R"("accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":)"
         << mesh.vertices.size() << R"(,"min":[)" << b.min[0] << ',' << b.min[1] << ',' << b.min[2]
         << R"(],"max":[)" << b.max[0] << ',' << b.max[1] << ',' << b.max[2] << "]},"
         << R"({"bufferView":1,"componentType":5125,"type":"SCALAR","count":)"
         << 3 * mesh.triangles.size() << R"(}],"bufferViews":[{"buffer":0,"byteLength":)" << points
         << R"(},{"buffer":0,"byteOffset":)" << points << R"(,"byteLength":)" << faces
         << R"(}],"buffers":[{)" << uri << R"("byteLength":)" << points + faces << "}]}";
    return text.str();
}

std::string gltf_buffer(const TriangleMesh& mesh) {
    std::string data;
    for (const Vec3d& x : mesh.vertices)
        put(data, Vec3::from(x));
    for (const auto& t : mesh.triangles)
        put(data, t);
    return data;
}

std::string glb(const TriangleMesh& mesh) {
    std::string json = gltf_json(mesh, ""), buffer = gltf_buffer(mesh), data = "glTF";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    put(data, std::uint32_t(2));
    put(data, static_cast<std::uint32_t>(28 + json.size() + buffer.size()));
    put(data, static_cast<std::uint32_t>(json.size()));
    data += "JSON" + json;
    put(data, static_cast<std::uint32_t>(buffer.size()));
    data += std::string("BIN\0", 4) + buffer;
    return data;
}

void expect_box(const TriangleMesh& mesh) {
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_EQ(bounds(mesh).min, bounds(k_box).min);
    EXPECT_EQ(bounds(mesh).max, bounds(k_box).max);
    EXPECT_TRUE(inspect(mesh).solid());
}

TEST_F(MeshFile, ReadsEveryFormat) {
    expect_box(load_mesh(write("box.obj", obj_text(k_box))));
    expect_box(load_mesh(write("text.stl", stl_text(k_box))));
    expect_box(load_mesh(write("binary.STL", stl_binary(k_box))));
    expect_box(load_mesh(write("text.ply", ply_text(k_box))));
    write_ply(k_box, (folder_ / "binary.ply").string());
    expect_box(load_mesh((folder_ / "binary.ply").string()));
}

TEST_F(MeshFile, GltfNodesPlaceTheirMeshes) {
    write("box.bin", gltf_buffer(k_box));
    const std::string gltf = write("box.gltf", gltf_json(k_box, R"("uri":"box.bin",)"));
    for (const std::string& path : {gltf, write("box.glb", glb(k_box))}) {
        const TriangleMesh mesh = load_mesh(path);
        EXPECT_EQ(mesh.triangles.size(), 24u);
        EXPECT_TRUE(inspect(mesh).oriented);
        EXPECT_NEAR(signed_volume(mesh), 2 * 8 * signed_volume(k_box), 1e-3);
        EXPECT_NEAR(bounds(mesh).max[0], 22, 1e-5);
        EXPECT_NEAR(bounds(mesh).min[0], -2, 1e-5);
    }
}

TEST_F(MeshFile, PolygonsBecomeTriangles) {
    const TriangleMesh mesh = load_mesh(
        write("quads.obj",
              "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 5 6 3\n"));
    EXPECT_EQ(mesh.triangles.size(), 4u);
    EXPECT_NEAR(area(mesh), 2, 1e-6);
}

TEST_F(MeshFile, SaysWhatIsWrongWithAFile) {
    EXPECT_NE(error_of((folder_ / "none.obj").string()).find("no such file"), std::string::npos);
    std::filesystem::create_directory(folder_ / "folder.obj");
    EXPECT_NE(error_of((folder_ / "folder.obj").string()).find("folder"), std::string::npos);
    EXPECT_NE(error_of(write("empty.obj", "")).find("empty"), std::string::npos);
    EXPECT_NE(error_of(write("box.xyz", obj_text(k_box))).find("unknown format"),
              std::string::npos);
    EXPECT_NE(error_of(write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n")), "");
    EXPECT_NE(error_of(write("points.ply",
                             "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                             "property float y\nproperty float z\nend_header\n0 0 0\n1 1 1\n")),
              "");
    EXPECT_NE(error_of(write("lines.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n")), "");
    EXPECT_NE(error_of(write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n")), "");
    EXPECT_NE(error_of(write("huge.obj", "v 0 0 0\nv 1e99 0 0\nv 0 1 0\nf 1 2 3\n")), "");
    EXPECT_NE(error_of(write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")).find("area"),
              std::string::npos);
    EXPECT_NE(error_of(write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")), "");
    for (const char* name : {"noise.obj", "noise.stl", "noise.ply", "noise.gltf", "noise.glb"})
        EXPECT_NE(error_of(write(name, "This is no mesh at all, whatever its name says.\n")), "")
            << name;
}

// A polygon with a corner that is not there ended the program: a triangle did not.
TEST_F(MeshFile, PolygonsThatNameMissingVertices) {
    const auto expect = [&](const std::string& path, const std::string& text) {
        EXPECT_NE(error_of(path).find(text), std::string::npos) << error_of(path);
    };
    const std::string start =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
        "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    expect(write("quad.ply", start + "4 0 1 2 4\n"), "names a vertex that is not there (of 4)");
    expect(write("many.ply", start + "6 0 1 2 3 70000 1\n"), "names a vertex that is not there");
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    for (const char* face : {"f 1 2 3 9\n", "f -9 1 2 3\n", "f 0 1 2 3\n", "f 1 2 3 99999999999\n"})
        EXPECT_NE(error_of(write("quad.obj", corners + face)), "") << face;
    std::string binary = glb(k_box);
    binary[binary.size() - 12 * 9 + 7] = '\x7f';  // of the second corner of the fourth triangle
    expect(write("index.glb", binary), "is damaged: accessors[1]: names vertex 21307");
}

TEST_F(MeshFile, SaysWhatIsDamagedInGltf) {
    write("box.bin", gltf_buffer(k_box));
    const std::string whole = gltf_json(k_box, R"("uri":"box.bin",)");
    const auto expect = [&](const std::string& from, const std::string& to,
                            const std::string& error) {
        std::string json = whole;
        ASSERT_NE(json.find(from), json.npos) << from;
        json.replace(json.find(from), from.size(), to);
        const std::string found = error_of(write("damaged.gltf", json));
        EXPECT_NE(found.find(error), found.npos) << from << " to " << to << ": " << found;
    };
    expect("{\"asset\"", "{asset", "is damaged: no valid JSON at byte 2");
    expect("box.bin", "none.bin", "buffers[0].uri: none.bin cannot be read: No such file");
    expect("box.bin", "../", "buffers[0].uri: ../ cannot be read: Is a directory");
    expect("byteLength\":240", "byteLength\":241", "buffers[0]: has 240 bytes, not the 241");
    expect("\"byteOffset\":96", "\"byteOffset\":97", "bufferViews[1]: reaches past the end of");
    expect("\"count\":36", "\"count\":37", "accessors[1]: reaches past the end of bufferViews[1]");
    expect("\"count\":8", "\"count\":-8", "accessors[0].count: is not a number of this size");
    expect("5126", "5555", "accessors[0].componentType: is 5555");
    expect("VEC3", "VEC9", "accessors[0].type: is unknown");
    expect("VEC3", "VEC2", "are no places");
    expect("\"indices\":1", "\"indices\":0", "are no indices");
    expect("\"indices\":1", "\"indices\":7", "indices: is 7, but there are 2 accessors");
    expect("\"POSITION\":0", "\"POSITION\":9", "is 9, but there are 2 accessors");
    expect("\"mesh\":0", "\"mesh\":1", "nodes[1].mesh: is 1, but there are 1 meshes");
    expect("[1,2]", "[1,3]", "nodes[0].children[1]: is 3, but there are 3 nodes");
    expect("[1,2]", "[1,0]", "nodes[0].children[1]: hangs below two nodes, or below itself");
    expect("\"mesh\":0,\"translation\"", "\"children\":[0],\"translation\"", "hangs below itself");
    expect("\"nodes\":[0]", "\"nodes\":[5]", "scenes[0].nodes[0]: is 5, but there are 3 nodes");
    expect("\"meshes\":[{", "\"meshes\":[7,{", "meshes[0]: is not an object");
    expect("\"version\":\"2.0\"", "\"version\":\"1.0\"", "is of glTF 1");
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    expect("{\"asset\"", "{\"extras\":" + deep + ",\"asset\"", "within each other, too deep");
    std::string binary = glb(k_box);
    binary[12] = '\x7f';
    binary[14] = '\x7f';
    EXPECT_NE(error_of(write("chunk.glb", binary)).find("the first chunk"), std::string::npos);
}

TEST_F(MeshFile, NoticesThatAFileIsCutShort) {
    write_ply(k_box, (folder_ / "box.ply").string());
    write("box.bin", gltf_buffer(k_box));
    for (const std::string& path :
         {write("text.stl", stl_text(k_box)), write("binary.stl", stl_binary(k_box)),
          write("text.ply", ply_text(k_box)), (folder_ / "box.ply").string(),
          write("box.glb", glb(k_box)), write("box.gltf", gltf_json(k_box, R"("uri":"box.bin",)"))})
        for (const std::size_t by : {20u, 100u})
            EXPECT_NE(error_of(shortened(path, by)), "") << path << ' ' << by;
    write("box.bin", gltf_buffer(k_box).substr(0, 60));
    EXPECT_NE(error_of((folder_ / "box.gltf").string()), "");
}

TEST_F(MeshFile, AFolderThatCannotBeWrittenIsAnError) {
    EXPECT_THROW(write_ply(k_box, (folder_ / "no" / "box.ply").string()), RunError);
}

// The first byte of the first number may look like the end of a line: 0.16f begins with 0x0a.
TEST_F(MeshFile, BinaryPlyThatBeginsWithALineEnd) {
    TriangleMesh mesh = box_mesh({{0, 0, 0}}, {{1, 1, 1}});
    mesh.vertices[0][0] = 0.16f;
    const std::string path = testing::TempDir() + "line_end.ply";
    write_ply(mesh, path);
    const TriangleMesh read = load_mesh(path);
    ASSERT_EQ(read.triangles.size(), mesh.triangles.size());
    EXPECT_NEAR(signed_volume(read), signed_volume(mesh), 1e-6);
}

}  // namespace
}  // namespace millrace
