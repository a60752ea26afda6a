#pragma once

#include <vector>

#include "millrace/scene.hpp"
#include "render/object_meshes.hpp"

// What stands in a 2D scene, as triangles and lines of the plane z = 0.
namespace millrace {

/// The bodies, about their centres of mass, and the walls that are neither boxes nor planes.
std::vector<ObjectMesh> flat_objects(const Scene& scene);

/// The boxes and planes. A tank is a band of `band` [m] outside its closed faces, a plane reaches
/// `reach` [m] far.
std::vector<ObjectMesh> flat_walls(const Scene& scene, double band, double reach);

}  // namespace millrace
