#pragma once

#include <limits>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// A tree of boxes over the triangles of a mesh, for the questions below; each in about log n time.
/// Questions may be asked from several threads.
class TriangleTree {
  public:
    static constexpr double k_far = std::numeric_limits<double>::infinity();

    explicit TriangleTree(const TriangleMesh& mesh);

    struct Nearest {
        double distance;
        std::uint32_t triangle;
        Vec3d point;  // on the surface
    };
    /// The point of the surface nearest to `point`. `within` is a distance known to suffice: it
    /// saves work.
    Nearest nearest(const Vec3d& point, double within = k_far) const;

    /// How often the surface winds around the point: 1 inside and 0 outside of a closed mesh,
    /// between them near the holes of an open one.
    double winding_number(const Vec3d& point) const;

    /// The distance along the direction (of unit length) to the first triangle between `from` and
    /// `until`, k_far without one.
    double first_hit(const Vec3d& origin, const Vec3d& direction, double from,
                     double until = k_far) const;

    /// Calls visit(triangle) for all whose box meets this one.
    template <class Visit>
    void for_each_near(const Bounds& box, const Visit& visit) const;

  private:
    struct Node {
        Vec3 min, max;  // rounded outwards
        // a leaf has count triangles from first on; otherwise its children are first and first + 1
        std::uint32_t first, count;
    };
    struct Moment {                 // of all triangles of a node
        Vec3d center, area_normal;  // mean by area, sum
        double area;
        double reach;  // from the centre to the farthest corner of its box
    };
    struct Triangle {
        Vec3d a, b, c;
    };

    void split(std::uint32_t node, std::vector<Vec3d>& middles);
    void summarize(std::uint32_t node);

    std::vector<Node> nodes_;
    std::vector<Moment> moments_;
    std::vector<Triangle> triangles_;  // in the order of the leaves
    std::vector<std::uint32_t> index_;
};

template <class Visit>
void TriangleTree::for_each_near(const Bounds& box, const Visit& visit) const {
    std::uint32_t stack[128];
    int depth = 0;
    if (!nodes_.empty())
        stack[depth++] = 0;
    while (depth) {
        const Node& node = nodes_[stack[--depth]];
        bool apart = false;
        for (int k = 0; k < 3; ++k)
            apart = apart || double(node.min[k]) > box.max[k] || double(node.max[k]) < box.min[k];
        if (apart)
            continue;
        if (node.count) {
            for (std::uint32_t i = 0; i < node.count; ++i)
                visit(index_[node.first + i]);
        } else {
            stack[depth++] = node.first + 1;
            stack[depth++] = node.first;
        }
    }
}

}  // namespace millrace
