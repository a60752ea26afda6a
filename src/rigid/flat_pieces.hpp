#pragma once

#include <span>
#include <vector>

#include "rigid/rigid_engine.hpp"
#include "rigid/sweep.hpp"

// What bodies and walls of the plane are made of, as far as touching goes.
namespace millrace {

/// The directions in which a corner sticks out: from one counter-clockwise to the other, at most
/// half a turn. None at a notch.
struct FlatCone {
    Vec2d from = Vec2d::all(0), to = Vec2d::all(0);
    bool is_notch = false;

    bool holds(const Vec2d& direction) const;
};

/// A convex piece of a surface. Where it was cut off its neighbours its edges are inner ones, and
/// its corners stick out only as far as those of the whole do.
struct FlatPiece {
    enum class Kind { circle, polygon, half_plane, hollow };

    Kind kind = Kind::polygon;
    /// Of a polygon counter-clockwise, the two ends of a thin line; else the centre, or a point of
    /// the line that bounds a half plane [m].
    std::vector<Vec2d> corners;
    std::vector<Vec2d> normals;   ///< outwards, of the edge from each corner; of a half plane one
    std::vector<bool> outer;      ///< whether that edge is one of the whole
    std::vector<FlatCone> cones;  ///< of each corner
    double radius = 0;            ///< of a circle, or a round tank [m]
    double depth = 0;             ///< how thick a round tank is [m]

    /// Whether something may touch corner i with the normal `direction`, of length 1.
    bool sticks_out(std::size_t i, const Vec2d& direction) const;
};

/// The box around a piece, without end around a half plane.
SweepBounds<2> bounds_of(const FlatPiece& piece);

/// Puts a piece, given in the frame, where the frame is; `placed` is one of the same make.
void place(const FlatPiece& piece, const BodyState& frame, FlatPiece& placed);

/// About the centre of mass.
std::vector<FlatPiece> flat_pieces(const BodyDescription& body);

/// In the wall's frame. A tank is a slab behind every closed face, which keeps off bodies that
/// start behind it.
std::vector<FlatPiece> flat_pieces(const WallDescription& wall,
                                   std::span<const BodyDescription> bodies);

}  // namespace millrace
