#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/placed_shape.hpp"
#include "geometry/signed_distance.hpp"
#include "math/body_state.hpp"

namespace millrace {

/// A wall or a body of a scene as geometry: built once, and asked by all who meet it. A wall stands
/// in the world's frame at the start; a body is seen from its centre of mass, along the axes of its
/// frame. geometry/shape_measures.hpp has what can be asked of the shape alone.
template <int D>
struct Solid {
    std::string name;
    bool hollow = false;  ///< a tank: the fluid is inside of the shape
    bool moves = false;   ///< a body, or a wall with a script
    double friction = 0.5;
    double restitution = 0.1;
    PlacedShape<D> shape;
    double edge = 0;  ///< of the triangles that stand for round surfaces [m]

    /// As triangles, in 3D; a half space has none.
    TriangleMesh surface() const;
    /// Distances of its parts, each right up to `reach` from its surface [m]. A tank, and a box
    /// with open faces, is a slab of `thickness` behind every closed face; slabs overlap at edges.
    /// What is hollow and not a box is all that lies outside, up to the thickness. A chain is a
    /// quarter of a spacing thick on each side, an open mesh likewise.
    SolidParts<D> distances(double thickness, double reach, double spacing) const;
    /// Sets the flags of the places that lie in the solid while it is at `frame`. Nothing lies in a
    /// box that is hollow: fluid behind its walls is the user's wish.
    void mark_inside(std::span<const Vec<D>> places, const BodyState& frame,
                     std::vector<std::uint8_t>& flags) const;
    /// Whether mark_inside could mark anything.
    bool has_inside() const;
};

/// A body with its mass and where it is at the start.
template <int D>
struct SolidBody {
    Solid<D> solid;
    Vec3d center;     ///< of mass, in the body's own frame [m]
    double mass = 0;  ///< [kg]
    Mat3d inertia;    ///< about the centre of mass, along the axes of the body's frame [kg m^2]
    BodyState state;
};

/// What a fluid fills at the start.
template <int D>
struct FilledVolume {
    std::optional<PlacedShape<D>> shape;  ///< none where points are given
    std::vector<Vec<D, double>> points;
};

/// The solids of a scene and what its fluids fill, each read and placed once.
template <int D>
struct SceneSolids {
    std::vector<Solid<D>> walls;
    std::vector<SolidBody<D>> bodies;
    std::vector<std::vector<FilledVolume<D>>> fills;  ///< of every fluid
    std::vector<std::string> warnings;                ///< meshes that were mended
};

/// Throws InputError for a mesh that cannot be used.
template <int D>
SceneSolids<D> make_solids(const Scene& scene);

/// One of them alone. `where` is its place in the scene, for messages.
template <int D>
Solid<D> make_wall(const Boundary& wall, double spacing);
template <int D>
SolidBody<D> make_body(const Body& body, double spacing, const std::string& where,
                       std::vector<std::string>& warnings);
template <int D>
FilledVolume<D> make_fill(const Fill& fill, double spacing, const std::string& where,
                          std::vector<std::string>& warnings);

/// A closed surface with outward normals: the mesh itself, or where it is none a watertight one
/// made from it, with a warning. Throws InputError for a mesh that encloses nothing.
TriangleMesh closed_surface(const TriangleMesh& mesh, double spacing, const std::string& where,
                            std::vector<std::string>& warnings);

}  // namespace millrace
