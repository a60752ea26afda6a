#include "geometry/mesh_file.hpp"

#include <cmath>
#include <fstream>
#include <limits>

#include "geometry/mesh_file_check.hpp"
#include "geometry/ply_model.hpp"
#include "millrace/error.hpp"

#if defined(MILLRACE_ASSIMP)
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>

#include "geometry/mesh_io.hpp"
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

/// Whether every face has corners, and only such as are there: what assimp makes triangles of ends
/// the program otherwise.
bool has_good_faces(const aiMesh& mesh) {
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const aiFace& face = mesh.mFaces[f];
        if (face.mNumIndices == 0)
            return false;
        for (unsigned k = 0; k < face.mNumIndices; ++k)
            if (face.mIndices[k] >= mesh.mNumVertices)
                return false;
    }
    return true;
}

/// Reads bytes that were checked; the path is for messages, and to find the buffers of a glTF file.
TriangleMesh import_mesh(const std::string& path, const std::string& bytes) {
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                                aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    importer.SetIOHandler(new MeshIO(path, bytes));  // the importer deletes it
    const aiScene* scene = importer.ReadFile(path, 0);
    for (unsigned m = 0; scene && m < scene->mNumMeshes; ++m)
        if (!has_good_faces(*scene->mMeshes[m]))
            throw InputError(path + ": a face names a vertex that is not there; save it again");
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
    return mesh;
}

}  // namespace

bool can_load_meshes() {
    return true;
}

#else

namespace {

TriangleMesh import_mesh(const std::string& path, const std::string&) {
    throw InputError(path + ": this build reads PLY files only: it was made without assimp");
}

}  // namespace

bool can_load_meshes() {
    return false;
}

#endif

namespace {

/// Whether a corner does not fit into a float, which particles are kept in.
bool is_beyond_float(const TriangleMesh& mesh, std::size_t triangle) {
    for (int k = 0; k < 3; ++k)
        for (const double x : mesh.corner(triangle, k).c)
            if (!(std::abs(x) <= std::numeric_limits<float>::max()))
                return true;
    return false;
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
        if (!std::isfinite(twice_area) || is_beyond_float(mesh, t))
            throw InputError(path + ": has a vertex that is not a finite number; repair the model");
        has_area = has_area || twice_area > 0;
    }
    if (!has_area)
        throw InputError(path + ": no triangle has an area; check the model and its scale");
}

}  // namespace

TriangleMesh load_mesh(const std::string& path) {
    const std::string bytes = checked_mesh_file(path);
    TriangleMesh mesh;
    if (mesh_format(path) == ".ply") {
        try {
            mesh = mesh_from_ply_model(bytes);
        } catch (const InputError& e) {
            throw InputError(path + ": " + e.what());
        }
    } else {
        mesh = import_mesh(path, bytes);
    }
    check(mesh, path);
    return welded(mesh);
}

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
