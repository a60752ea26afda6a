#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// A body, or a wall that is neither a box nor a plane, with its surface (io/surface_files.hpp).
struct ObjectMesh {
    std::string name;
    bool is_body = false;
    bool is_glass = false;  ///< a tank: one looks through it
    Vector color{};
    TriangleMesh surface;
    std::vector<std::vector<Vec3d>> lines = {};  ///< in 2D: drawn over it, such as its outline
};

/// The objects of a 3D scene from the folder of a run. One whose surface is missing is left out,
/// with a warning on stderr; throws InputError for a damaged one.
std::vector<ObjectMesh> load_object_meshes(const std::filesystem::path& run, const Scene& scene);

/// A corner of a triangle with the normal by which it is lit.
struct Corner {
    Vec3 position;
    Vec3 normal;
};

/// Three corners a triangle. The normal of a corner is the mean over the triangles around it,
/// weighted by their angles there, that differ from its own by less than 40 degrees: edges stay
/// hard.
std::vector<Corner> shaded_corners(const TriangleMesh& mesh);

/// The two ends of every hard edge of a mesh, and of those that only one triangle has.
std::vector<std::array<Vec3d, 2>> hard_edges(const TriangleMesh& mesh);

}  // namespace millrace
