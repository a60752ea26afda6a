#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box_tree.hpp"
#include "geometry/signed_distance.hpp"
#include "math/vec.hpp"
#include "millrace/pool.hpp"

namespace millrace {

/// The union of shapes of the plane, taken apart into circles and edges: its exact signed distance,
/// and where a way meets it. The sign of a polygon, which must be simple, comes from its nearest
/// edge or corner alone. Computed in double: far from the origin floats are too coarse.
class FlatDistance final : public SignedDistance<2> {
  public:
    /// A signed distance [m] and its gradient, of length 1.
    struct Exact {
        double distance;
        Vec2d normal;
    };

    explicit FlatDistance(const std::vector<Shape2>& shapes);
    /// One shape whose points are no floats; a polygon's corners in any sense of rotation.
    FlatDistance(Shape2::Kind kind, std::span<const Vec2d> points, double radius = 0);

    Sample at(const Vec2& place) const override;
    void bounds(Vec2& min, Vec2& max) const override;
    std::size_t bytes() const override;

    /// Whether a place is inside.
    bool holds(const Vec2d& x) const { return box_.holds(x) && sample(x).distance < 0; }
    /// The least of the distances of the shapes; without shapes, 1e30.
    Exact sample(const Vec2d& x) const;
    /// The primitives that decide on the distance of any point within `radius` of x, in order.
    std::vector<std::uint32_t> deciding(const Vec2d& x, double radius) const;
    /// The distance by these primitives alone.
    Exact sample(const Vec2d& x, std::span<const std::uint32_t> primitives) const;
    /// The first t in 0..1 at which a + t (b - a) meets a shape; 2: there is none.
    double first_hit(const Vec2d& a, const Vec2d& b) const;

    const Box2d& box() const { return box_; }

  private:
    struct Primitive {
        Vec2d a, b;          // an edge, with the inside of a polygon on its left; of a circle a = b
        std::uint32_t part;  // that it belongs to
        bool convex_a, convex_b;  // corners of a polygon
    };
    struct Part {
        Shape2::Kind kind;
        double radius;
        std::uint32_t first, count;  // of its primitives
        BoxTree tree;                // of them, without the radius
    };
    // The point of a part that is nearest to another point.
    struct Nearest {
        double squared = 1e300;
        double side = 1;    // 1: outside; -1: inside; of a thin edge, 1
        Vec2d direction{};  // along the gradient, any length but 0
    };

    void add(Shape2::Kind kind, std::vector<Vec2d> points, double radius);
    void add_edges(Shape2::Kind kind, const std::vector<Vec2d>& points);
    void index_parts();
    void look_at(const Primitive& primitive, Shape2::Kind kind, const Vec2d& x,
                 Nearest& nearest) const;
    Exact surface(const Part& part, const Nearest& nearest) const;
    Exact sample(const Part& part, const Vec2d& x) const;
    double first_hit(const Part& part, const Vec2d& a, const Vec2d& d, double end) const;

    std::vector<Primitive> primitives_;
    std::vector<Part> parts_;
    BoxTree tree_;  // of the parts
    Box2d box_;
};

}  // namespace millrace
