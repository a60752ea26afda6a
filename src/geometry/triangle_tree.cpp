#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr std::uint32_t k_leaf = 4;
constexpr double k_far_enough = 3;  // in reaches of a node: it is then seen as one dipole

// Ericson 2005, 5.1.5: by the region of the plane in which the projection falls.
Vec3d nearest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return a;
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return a + ab * (d1 > d3 ? d1 / (d1 - d3) : 0.0);
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return a + ac * (d2 > d6 ? d2 / (d2 - d6) : 0.0);
    const double va = d3 * d6 - d5 * d4;
    const double along = (d4 - d3) + (d5 - d6);
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return b + (c - b) * (along > 0 ? (d4 - d3) / along : 0.0);
    const double sum = va + vb + vc;
    return sum > 0 ? a + ab * (vb / sum) + ac * (vc / sum) : a;
}

double squared_distance_to_box(const Vec3d& p, const Vec3& min, const Vec3& max) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = std::max({double(min[k]) - p[k], 0.0, p[k] - double(max[k])});
        sum += d * d;
    }
    return sum;
}

// The solid angle of a triangle seen from the origin: van Oosterom, Strackee 1983.
double solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double la = norm(a), lb = norm(b), lc = norm(c);
    return 2 * portable::atan2(dot(a, cross(b, c)),
                               la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

// Moeller, Trumbore 1997; edges belong to the triangle.
double hit_distance(const Vec3d& origin, const Vec3d& direction, const Vec3d& a, const Vec3d& b,
                    const Vec3d& c) {
    constexpr double k_slack = 1e-9;
    const Vec3d ab = b - a, ac = c - a, h = cross(direction, ac);
    const double det = dot(ab, h);
    if (det == 0)
        return TriangleTree::k_far;
    const Vec3d s = origin - a, q = cross(s, ab);
    const double u = dot(s, h) / det, v = dot(direction, q) / det;
    if (u < -k_slack || v < -k_slack || u + v > 1 + k_slack)
        return TriangleTree::k_far;
    return dot(ac, q) / det;
}

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
    const std::size_t n = mesh.triangles.size();
    if (n == 0)
        return;
    index_.resize(n);
    std::iota(index_.begin(), index_.end(), 0u);
    std::vector<Vec3d> middles(n);
    triangles_.resize(n);
    for (std::size_t t = 0; t < n; ++t) {
        triangles_[t] = {mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)};
        middles[t] = (triangles_[t].a + triangles_[t].b + triangles_[t].c) / 3.0;
    }
    nodes_.reserve(n);
    nodes_.push_back({});
    nodes_[0].first = 0;
    nodes_[0].count = static_cast<std::uint32_t>(n);
    split(0, middles);
    std::vector<Triangle> sorted(n);
    for (std::size_t i = 0; i < n; ++i)
        sorted[i] = triangles_[index_[i]];
    triangles_ = std::move(sorted);
    moments_.resize(nodes_.size());
    for (std::size_t node = nodes_.size(); node-- > 0;)  // children come after their parents
        summarize(static_cast<std::uint32_t>(node));
}

void TriangleTree::split(std::uint32_t node, std::vector<Vec3d>& middles) {
    const std::uint32_t first = nodes_[node].first, count = nodes_[node].count;
    if (count <= k_leaf)
        return;
    Bounds box = Bounds::empty();
    for (std::uint32_t i = first; i < first + count; ++i)
        box.include(middles[index_[i]]);
    const Vec3d size = box.size();
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const auto begin = index_.begin() + first;
    // nth_element would do, but leaves the order within the halves to the library
    std::sort(begin, begin + count, [&](std::uint32_t a, std::uint32_t b) {
        return middles[a][axis] != middles[b][axis] ? middles[a][axis] < middles[b][axis] : a < b;
    });
    const auto children = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(children + 2);
    nodes_[children].first = first;
    nodes_[children].count = count / 2;
    nodes_[children + 1].first = first + count / 2;
    nodes_[children + 1].count = count - count / 2;
    nodes_[node].first = children;
    nodes_[node].count = 0;
    split(children, middles);
    split(children + 1, middles);
}

void TriangleTree::summarize(std::uint32_t index) {
    Node& node = nodes_[index];
    Moment& moment = moments_[index];
    Bounds box = Bounds::empty();
    Vec3d sum = Vec3d::all(0);
    moment.area = 0;
    moment.area_normal = Vec3d::all(0);
    if (node.count) {
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const Triangle& t = triangles_[i];
            for (const Vec3d& corner : {t.a, t.b, t.c})
                box.include(corner);
            const Vec3d normal = cross(t.b - t.a, t.c - t.a) * 0.5;
            const double size = norm(normal);
            moment.area_normal += normal;
            sum += (t.a + t.b + t.c) * (size / 3);
            moment.area += size;
        }
    } else {
        for (const std::uint32_t child : {node.first, node.first + 1}) {
            const Moment& part = moments_[child];
            box.include(Vec3d::from(nodes_[child].min));
            box.include(Vec3d::from(nodes_[child].max));
            moment.area_normal += part.area_normal;
            sum += part.center * part.area;
            moment.area += part.area;
        }
    }
    constexpr float k_infinity = std::numeric_limits<float>::infinity();
    for (int k = 0; k < 3; ++k) {
        node.min[k] = std::nextafter(static_cast<float>(box.min[k]), -k_infinity);
        node.max[k] = std::nextafter(static_cast<float>(box.max[k]), k_infinity);
    }
    moment.center = moment.area > 0 ? sum / moment.area : box.center();
    Vec3d farthest;
    for (int k = 0; k < 3; ++k)
        farthest[k] = std::max(moment.center[k] - box.min[k], box.max[k] - moment.center[k]);
    moment.reach = norm(farthest);
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3d& point, double within) const {
    Nearest best{within, ~0u, point};
    double best2 = within * within;
    struct Waiting {
        std::uint32_t node;
        double distance2;
    } stack[128];
    int depth = 0;
    if (!nodes_.empty())
        stack[depth++] = {0, 0};
    while (depth) {
        const Waiting next = stack[--depth];
        if (next.distance2 > best2)
            continue;
        const Node& node = nodes_[next.node];
        if (node.count) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const Triangle& t = triangles_[i];
                const Vec3d q = nearest_on_triangle(point, t.a, t.b, t.c);
                const double d2 = squared_norm(point - q);
                if (d2 < best2 || (d2 == best2 && index_[i] < best.triangle)) {
                    best2 = d2;
                    best.triangle = index_[i];
                    best.point = q;
                }
            }
            continue;
        }
        const Node &left = nodes_[node.first], &right = nodes_[node.first + 1];
        Waiting near{node.first, squared_distance_to_box(point, left.min, left.max)};
        Waiting far{node.first + 1, squared_distance_to_box(point, right.min, right.max)};
        if (far.distance2 < near.distance2)
            std::swap(near, far);
        if (far.distance2 <= best2)
            stack[depth++] = far;
        if (near.distance2 <= best2)
            stack[depth++] = near;
    }
    best.distance = std::sqrt(best2);
    return best;
}

// w(p) = sum of solid angles / (4 pi), far nodes as dipoles (Barill et al. 2018, first order):
// A_n . (c - p) / (4 pi |c - p|^3), A_n the sum of area times normal
double TriangleTree::winding_number(const Vec3d& point) const {
    constexpr double k_four_pi = 4 * std::numbers::pi;
    double sum = 0;
    std::uint32_t stack[128];
    int depth = 0;
    if (!nodes_.empty())
        stack[depth++] = 0;
    while (depth) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        const Moment& moment = moments_[index];
        const Vec3d to_center = moment.center - point;
        const double d2 = squared_norm(to_center);
        if (d2 > k_far_enough * k_far_enough * moment.reach * moment.reach) {
            sum += dot(moment.area_normal, to_center) / (d2 * std::sqrt(d2));
        } else if (node.count) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const Triangle& t = triangles_[i];
                sum += solid_angle(t.a - point, t.b - point, t.c - point);
            }
        } else {
            stack[depth++] = node.first + 1;
            stack[depth++] = node.first;
        }
    }
    return sum / k_four_pi;
}

double TriangleTree::first_hit(const Vec3d& origin, const Vec3d& direction, double from,
                               double until) const {
    double best = until;
    std::uint32_t stack[128];
    int depth = 0;
    if (!nodes_.empty())
        stack[depth++] = 0;
    while (depth) {
        const Node& node = nodes_[stack[--depth]];
        double near = from, far = best;
        for (int k = 0; k < 3; ++k) {
            const double inverse = 1 / direction[k];  // may be infinite
            double t0 = (double(node.min[k]) - origin[k]) * inverse;
            double t1 = (double(node.max[k]) - origin[k]) * inverse;
            if (t0 > t1)
                std::swap(t0, t1);
            // 0 * infinity gives NaN, for a ray in the plane of a face: these comparisons pass it
            near = t0 > near ? t0 : near;
            far = t1 < far ? t1 : far;
        }
        const double slack = 1e-12 * (std::abs(near) + 1);
        if (near > far + slack)
            continue;
        if (node.count) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const Triangle& t = triangles_[i];
                const double hit = hit_distance(origin, direction, t.a, t.b, t.c);
                if (hit > from && hit < best)
                    best = hit;
            }
        } else {
            stack[depth++] = node.first + 1;
            stack[depth++] = node.first;
        }
    }
    return best < until ? best : k_far;
}

}  // namespace millrace
