#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

/// An axis-aligned box.
struct Box2d {
    Vec2d min{{1e300, 1e300}}, max{{-1e300, -1e300}};

    void add(const Vec2d& x) {
        for (int k = 0; k < 2; ++k) {
            min[k] = std::min(min[k], x[k]);
            max[k] = std::max(max[k], x[k]);
        }
    }
    void add(const Box2d& box) {
        add(box.min);
        add(box.max);
    }
    bool holds(const Vec2d& x) const {
        return x[0] >= min[0] && x[0] <= max[0] && x[1] >= min[1] && x[1] <= max[1];
    }
    /// To the nearest point of the box, squared.
    double squared_distance(const Vec2d& x) const {
        double sum = 0;
        for (int k = 0; k < 2; ++k) {
            const double d = std::max({min[k] - x[k], x[k] - max[k], 0.0});
            sum += d * d;
        }
        return sum;
    }
    /// Whether the way from a to a + t d, t <= end, comes within `margin` of the box on both axes.
    bool met_by(const Vec2d& a, const Vec2d& d, double end, double margin) const {
        double from = 0, to = end;
        for (int k = 0; k < 2; ++k) {
            const double low = min[k] - margin - a[k], high = max[k] + margin - a[k];
            if (d[k] == 0) {
                if (low > 0 || high < 0)
                    return false;
                continue;
            }
            const double t0 = low / d[k], t1 = high / d[k];
            from = std::max(from, std::min(t0, t1));
            to = std::min(to, std::max(t0, t1));
        }
        return from <= to + 1e-9;
    }
};

/// Finds the boxes near a point or along a way.
class BoxTree {
  public:
    BoxTree() = default;
    explicit BoxTree(const std::vector<Box2d>& boxes) : order_(boxes.size()) {
        std::iota(order_.begin(), order_.end(), 0u);
        if (!boxes.empty())
            build(boxes, 0, static_cast<std::uint32_t>(boxes.size()));
    }

    /// Calls visit(item) where the squared distance of its box is at most `bound`, which visit may
    /// lower; what is near comes first.
    template <class Visit>
    void near(const Vec2d& x, const double& bound, Visit&& visit) const {
        if (!nodes_.empty())
            near(0, nodes_[0].box.squared_distance(x), x, bound, visit);
    }

    /// Calls visit(item) where the way from a to a + end d comes within `margin` of its box; visit
    /// may lower `end`.
    template <class Visit>
    void along(const Vec2d& a, const Vec2d& d, const double& end, double margin,
               Visit&& visit) const {
        if (!nodes_.empty())
            along(0, a, d, end, margin, visit);
    }

    /// Around all of them; of none the one that holds nothing.
    Box2d box() const { return nodes_.empty() ? Box2d() : nodes_[0].box; }
    std::size_t bytes() const {
        return nodes_.capacity() * sizeof(Node) + order_.capacity() * sizeof(order_[0]);
    }

  private:
    struct Node {
        Box2d box;
        std::uint32_t first, count;  // of its items in order_
        std::uint32_t right;         // child; the left one comes next; 0: a leaf
    };
    static constexpr std::uint32_t k_leaf_size = 4;

    std::uint32_t build(const std::vector<Box2d>& boxes, std::uint32_t first, std::uint32_t count) {
        const auto node = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({{}, first, count, 0});
        Box2d box;
        for (std::uint32_t k = first; k < first + count; ++k)
            box.add(boxes[order_[k]]);
        nodes_[node].box = box;
        if (count <= k_leaf_size)
            return node;
        const int axis = box.max[0] - box.min[0] < box.max[1] - box.min[1];
        const auto begin = order_.begin() + first;
        // nth_element would do, but leaves the order within the halves to the library
        std::sort(begin, begin + count, [&](std::uint32_t i, std::uint32_t j) {
            const double a = boxes[i].min[axis] + boxes[i].max[axis];
            const double b = boxes[j].min[axis] + boxes[j].max[axis];
            return a < b || (a == b && i < j);
        });
        build(boxes, first, count / 2);
        const std::uint32_t right = build(boxes, first + count / 2, count - count / 2);
        nodes_[node].right = right;
        return node;
    }

    template <class Visit>
    void near(std::uint32_t node, double distance, const Vec2d& x, const double& bound,
              Visit& visit) const {
        if (distance > bound)
            return;
        const Node& n = nodes_[node];
        if (n.right == 0) {
            for (std::uint32_t k = n.first; k < n.first + n.count; ++k)
                visit(order_[k]);
            return;
        }
        const double left = nodes_[node + 1].box.squared_distance(x);
        const double right = nodes_[n.right].box.squared_distance(x);
        if (left <= right) {
            near(node + 1, left, x, bound, visit);
            near(n.right, right, x, bound, visit);
        } else {
            near(n.right, right, x, bound, visit);
            near(node + 1, left, x, bound, visit);
        }
    }

    template <class Visit>
    void along(std::uint32_t node, const Vec2d& a, const Vec2d& d, const double& end, double margin,
               Visit& visit) const {
        const Node& n = nodes_[node];
        if (!n.box.met_by(a, d, end, margin))
            return;
        if (n.right == 0) {
            for (std::uint32_t k = n.first; k < n.first + n.count; ++k)
                visit(order_[k]);
            return;
        }
        along(node + 1, a, d, end, margin, visit);
        along(n.right, a, d, end, margin, visit);
    }

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
};

}  // namespace millrace
