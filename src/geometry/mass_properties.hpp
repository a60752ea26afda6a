#pragma once

#include "geometry/triangle_mesh.hpp"

namespace millrace {

struct MassProperties {
    double mass;    // [kg]
    double volume;  // [m^3]
    Vec3d center;   // of mass [m]
    Mat3d inertia;  // about the centre of mass, along the axes of the mesh [kg m^2]
};

/// Of the solid inside a closed mesh with this density [kg/m^3]; the triangles may all face
/// inwards.
MassProperties mass_properties(const TriangleMesh& mesh, double density);

}  // namespace millrace
