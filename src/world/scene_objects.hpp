#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "boundary/boundary_particles.hpp"
#include "geometry/triangle_mesh.hpp"
#include "rigid/rigid_engine.hpp"

// From the walls and bodies of a scene to samples, and to what a rigid engine needs.
namespace millrace {

/// Tells which of some points lie inside a solid: sets their flags.
template <int D>
using SolidTest = std::function<void(std::span<const Vec<D>> points, std::vector<std::uint8_t>&)>;

template <int D>
struct SceneObjects {
    std::vector<BoundaryObject<D>> objects;  ///< the scene's boundaries, its bodies, nozzles
    std::vector<double> radii;  ///< distance of the farthest sample from the reference point [m]
    std::vector<SolidTest<D>> solids;
    RigidDescription rigid;
    std::vector<std::string> warnings;  ///< meshes that were mended
};

/// Throws InputError for a mesh that cannot be used.
template <int D>
SceneObjects<D> build_objects(const Scene& scene);

/// How many samples build_objects would make, roughly.
template <int D>
double count_samples(const Scene& scene);

/// The surface of a boundary, in the world's frame at the start, and that of a body in its own
/// frame: as the scene has it, round shapes with edges of about `edge` [m]. A plane has none.
TriangleMesh surface_of(const Boundary& boundary, double edge);
TriangleMesh surface_of(const Body& body, double edge);
TriangleMesh surface_of(const MeshFile& mesh);

/// The points of a file where the scene puts them [m].
std::vector<Vec3d> points_of(const PointFile& points);

Box box_around(const TriangleMesh& mesh);
/// Of a boundary other than a plane.
Box boundary_bounds(const Boundary& boundary);

/// A closed surface with outward normals: the mesh itself, or where it is none a watertight one
/// made from it, with a warning. `where` is the place in the scene. Throws InputError for a mesh
/// that encloses nothing.
TriangleMesh closed_surface(const TriangleMesh& mesh, double spacing, const std::string& where,
                            std::vector<std::string>& warnings);

}  // namespace millrace
