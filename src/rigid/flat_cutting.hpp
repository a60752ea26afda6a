#pragma once

#include "rigid/flat_pieces.hpp"

// Shapes as convex pieces that know how they hang together.
namespace millrace {

FlatPiece circle_piece(const Vec2d& center, double radius);

/// A solid polygon, convex or not, its corners in any sense of rotation.
std::vector<FlatPiece> polygon_pieces(std::vector<Vec2d> corners);

/// A thin line with two sides; it is closed where it ends at its start.
std::vector<FlatPiece> chain_pieces(std::vector<Vec2d> points);

}  // namespace millrace
