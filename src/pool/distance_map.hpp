#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.hpp"
#include "millrace/pool.hpp"

namespace millrace {

/// The signed distance of a point to a shape [m]: negative inside. A chain has no inside: its
/// distance is that to the thin wall, less its skin.
float signed_distance(const Shape2& shape, const Vec<2>& x);

/// A solid's signed distance, cached on a lattice in the frame of the solid (S0 chapter 5). The
/// lattice is cut into tiles, and only tiles that fluid has come near to are ever made, so that the
/// ground of a large level costs what the water sees of it.
class DistanceMap {
  public:
    /// `cell` is the lattice constant [m]; beyond `reach` from the solid nothing is stored [m].
    DistanceMap(std::vector<Shape2> shapes, float cell, float reach);

    struct Sample {
        float distance;  ///< [m], negative inside; from `reach` on: at least `reach`
        Vec<2> normal;   ///< its gradient, of length 1 where there is one
    };

    /// Makes the tiles that hold these points of the solid's frame. Not safe beside other calls.
    void prepare(const Vec<2>* points, std::size_t count);
    /// Bilinear, in a tile that was prepared; safe from many threads.
    Sample at(const Vec<2>& x) const;
    /// Without the lattice.
    float exact(const Vec<2>& x) const;
    /// Of a straight way from a to b, the part before it meets the solid: 1 where it does not.
    /// Thin walls are met from both sides.
    float first_hit(const Vec<2>& a, const Vec<2>& b) const;

    Vec<2> min() const { return min_; }  ///< of the box outside of which nothing is near
    Vec<2> max() const { return max_; }
    const std::vector<Shape2>& shapes() const { return shapes_; }
    std::size_t bytes() const;

  private:
    std::vector<Shape2> shapes_;
    float cell_, reach_;
    Vec<2> min_{}, max_{};
};

}  // namespace millrace
