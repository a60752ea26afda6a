#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.hpp"
#include "millrace/pool.hpp"
#include "pool/box_tree.hpp"

namespace millrace {

/// A signed distance and its gradient, of length 1.
struct SurfaceSample {
    double distance;
    Vec2d normal;
};

/// The union of shapes, taken apart into circles and edges: its exact signed distance, and where a
/// way meets it. The sign of a polygon comes from its nearest edge or corner alone.
class ShapeIndex {
  public:
    explicit ShapeIndex(const std::vector<Shape2>& shapes);

    /// The least of the distances of the shapes; without shapes, 1e30.
    SurfaceSample sample(const Vec2d& x) const;
    /// The primitives that decide on the distance of any point within `radius` of x, in order.
    std::vector<std::uint32_t> deciding(const Vec2d& x, double radius) const;
    /// The distance by these primitives alone.
    SurfaceSample sample(const Vec2d& x, std::span<const std::uint32_t> primitives) const;
    /// The first t in 0..1 at which a + t (b - a) meets a shape; 2: there is none.
    double first_hit(const Vec2d& a, const Vec2d& b) const;

    const Box2d& box() const { return box_; }
    std::size_t bytes() const;

  private:
    struct Primitive {
        Vec2 a, b;           // an edge, with the inside of a polygon on its left; of a circle a = b
        std::uint32_t part;  // that it belongs to
        bool convex_a, convex_b;  // corners of a polygon
    };
    struct Part {
        Shape2::Kind kind;
        float radius;
        std::uint32_t first, count;  // of its primitives
        BoxTree tree;                // of them, without the radius
    };
    // The point of a part that is nearest to another point.
    struct Nearest {
        double squared = 1e300;
        double side = 1;    // 1: outside; -1: inside; of a thin edge, 1
        Vec2d direction{};  // along the gradient, any length but 0
    };

    void add_edges(const Shape2& shape);
    void look_at(const Primitive& primitive, Shape2::Kind kind, const Vec2d& x,
                 Nearest& nearest) const;
    SurfaceSample surface(const Part& part, const Nearest& nearest) const;
    SurfaceSample sample(const Part& part, const Vec2d& x) const;
    double first_hit(const Part& part, const Vec2d& a, const Vec2d& d, double end) const;

    std::vector<Primitive> primitives_;
    std::vector<Part> parts_;
    BoxTree tree_;  // of the parts
    Box2d box_;
};

}  // namespace millrace
