#include "geometry/mesh_file.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

#include "geometry/mesh_file_check.hpp"
#include "millrace/error.hpp"

#if defined(MILLRACE_ASSIMP)
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace millrace {

#if defined(MILLRACE_ASSIMP)

namespace {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

void add_node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent,
              TriangleMesh& mesh) {
    const aiMatrix4x4 place = parent * node.mTransformation;
    const bool mirrored = aiMatrix3x3(place).Determinant() < 0;
    for (unsigned m = 0; m < node.mNumMeshes; ++m) {
        const aiMesh& part = *scene.mMeshes[node.mMeshes[m]];
        TriangleMesh added;
        for (unsigned v = 0; v < part.mNumVertices; ++v) {
            const aiVector3D x = place * part.mVertices[v];
            added.vertices.push_back({{x.x, x.y, x.z}});
        }
        for (unsigned f = 0; f < part.mNumFaces; ++f) {
            const aiFace& face = part.mFaces[f];
            if (face.mNumIndices == 3)
                added.triangles.push_back({face.mIndices[0], face.mIndices[mirrored ? 2 : 1],
                                           face.mIndices[mirrored ? 1 : 2]});
        }
        append(mesh, added);
    }
    for (unsigned c = 0; c < node.mNumChildren; ++c)
        add_node(scene, *node.mChildren[c], place, mesh);
}

/// Assimp skips line ends before the numbers of a binary PLY, even one that is part of the first
/// number. It is the last digit of that number: one more there harms nobody. Empty for all other
/// files.
std::string mended_ply(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    char magic[3] = {};
    if (!file.read(magic, 3) || std::string_view(magic, 3) != "ply")
        return {};
    file.seekg(0);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t end = text.find("end_header");
    const std::size_t line = end == std::string::npos ? end : text.find('\n', end);
    if (line == std::string::npos || line + 1 >= text.size() ||
        text.find("format binary_little_endian") > end)
        return {};
    char& first = text[line + 1];
    if (first != '\n' && first != '\r')
        return {};
    ++first;
    return text;
}

// What cannot be used: places that are no numbers, nothing with an area.
void check(const TriangleMesh& mesh, const std::string& path) {
    if (mesh.triangles.empty())
        throw InputError(path + ": has no triangles; save the model with its faces");
    bool has_area = false;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (const std::uint32_t v : mesh.triangles[t])
            if (v >= mesh.vertices.size())
                throw InputError(path + ": a face names a vertex that is not there; save it again");
        const double twice_area = norm(mesh.normal(t));
        if (!std::isfinite(twice_area))
            throw InputError(path + ": has a vertex that is not a finite number; repair the model");
        has_area = has_area || twice_area > 0;
    }
    if (!has_area)
        throw InputError(path + ": no triangle has an area; check the model and its scale");
}

}  // namespace

bool can_load_meshes() {
    return true;
}

TriangleMesh load_mesh(const std::string& path) {
    check_mesh_file(path);
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                                aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const std::string mended = mended_ply(path);
    const aiScene* scene =
        mended.empty() ? importer.ReadFile(path, 0)
                       : importer.ReadFileFromMemory(mended.data(), mended.size(), 0, "ply");
    for (unsigned m = 0; scene && m < scene->mNumMeshes; ++m)
        for (unsigned f = 0; f < scene->mMeshes[m]->mNumFaces; ++f)
            if (scene->mMeshes[m]->mFaces[f].mNumIndices == 0)  // would end the program below
                throw InputError(path + ": has a face without corners; save it again");
    if (scene)
        scene = importer.ApplyPostProcessing(aiProcess_Triangulate | aiProcess_SortByPType);
    if (!scene || !scene->mRootNode) {
        const std::string reason = first_line(importer.GetErrorString());
        if (reason != "No meshes remaining")  // none but points and lines
            throw InputError(path + ": cannot be read as a mesh: " + reason);
    }
    TriangleMesh mesh;
    if (scene && scene->mRootNode)
        add_node(*scene, *scene->mRootNode, aiMatrix4x4(), mesh);
    check(mesh, path);
    return welded(mesh);
}

#else

bool can_load_meshes() {
    return false;
}

TriangleMesh load_mesh(const std::string& path) {
    throw InputError(path + ": this build cannot read meshes: it was made without assimp");
}

#endif

void write_ply(const TriangleMesh& mesh, const std::string& path) {
    std::ofstream file(path, std::ios::binary);
    file << "ply\nformat binary_little_endian 1.0\nelement vertex " << mesh.vertices.size()
         << "\nproperty float x\nproperty float y\nproperty float z\nelement face "
         << mesh.triangles.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Vec3d& x : mesh.vertices) {
        const Vec3 place = Vec3::from(x);
        file.write(reinterpret_cast<const char*>(place.c), sizeof place.c);
    }
    for (const auto& t : mesh.triangles) {
        file.put(3);
        file.write(reinterpret_cast<const char*>(t.data()), sizeof t);
    }
    file.close();
    if (!file)
        throw RunError(path + ": cannot be written; check the folder and the space on the disk");
}

}  // namespace millrace
