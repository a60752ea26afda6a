#include "geometry/mesh_health.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "exec/host_loops.hpp"
#include "geometry/triangle_tree.hpp"

namespace millrace {

namespace {

struct Edge {
    std::uint32_t low, high, triangle;
    bool forward;  // from low to high

    bool same_place(const Edge& other) const { return low == other.low && high == other.high; }
};

// The edges of all triangles that have three different corners, sorted by place.
std::vector<Edge> sorted_edges(const TriangleMesh& mesh) {
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& v = mesh.triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            continue;
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = v[k], b = v[(k + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.low != b.low     ? a.low < b.low
               : a.high != b.high ? a.high < b.high
                                  : a.triangle < b.triangle;
    });
    return edges;
}

// Calls visit(first, last) for the edges at each place.
template <class Visit>
void for_each_place(const std::vector<Edge>& edges, const Visit& visit) {
    for (std::size_t i = 0, next; i < edges.size(); i = next) {
        for (next = i + 1; next < edges.size() && edges[next].same_place(edges[i]);)
            ++next;
        visit(i, next);
    }
}

// Whether the segment pq passes through the inside of the triangle, not only touching it.
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    constexpr double k_inside = 1e-9;
    const Vec3d ab = b - a, ac = c - a, direction = q - p, normal = cross(ab, ac);
    const double det = dot(direction, normal);
    if (std::abs(det) <= 1e-12 * norm(direction) * norm(normal))
        return false;
    const Vec3d s = p - a, h = cross(direction, s);
    const double along = -dot(s, normal) / det;
    const double u = dot(ac, h) / det, v = -dot(ab, h) / det;
    return along > k_inside && along < 1 - k_inside && u > k_inside && v > k_inside &&
           u + v < 1 - k_inside;
}

bool has_intersections(const TriangleMesh& mesh) {
    const TriangleTree tree(mesh);
    return parallel_any(mesh.triangles.size(), {.grain = 256}, [&](std::size_t s) {
        const auto& triangle = mesh.triangles[s];
        Bounds box = Bounds::empty();
        for (const std::uint32_t v : triangle)
            box.include(mesh.vertices[v]);
        bool found = false;
        tree.for_each_near(box, [&](std::uint32_t t) {
            if (t == s)
                return;
            const auto& other = mesh.triangles[t];
            const Vec3d &a = mesh.vertices[other[0]], &b = mesh.vertices[other[1]],
                        &c = mesh.vertices[other[2]];
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t p = triangle[k], q = triangle[(k + 1) % 3];
                if (std::find(other.begin(), other.end(), p) == other.end() &&
                    std::find(other.begin(), other.end(), q) == other.end() &&
                    pierces(mesh.vertices[p], mesh.vertices[q], a, b, c))
                    found = true;
            }
        });
        return found;
    });
}

}  // namespace

MeshHealth inspect(const TriangleMesh& input, bool look_for_intersections) {
    const TriangleMesh mesh = welded(input);
    MeshHealth health;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d a = mesh.corner(t, 1) - mesh.corner(t, 0),
                    b = mesh.corner(t, 2) - mesh.corner(t, 0);
        const double longest = std::max({norm(a), norm(b), norm(a - b)});
        health.degenerate_triangles += !(norm(mesh.normal(t)) > 1e-14 * longest * longest);
    }
    health.closed = health.oriented = !mesh.triangles.empty();
    const std::vector<Edge> edges = sorted_edges(mesh);
    for_each_place(edges, [&](std::size_t first, std::size_t last) {
        const std::size_t faces = last - first;
        std::size_t forward = 0;
        for (std::size_t i = first; i < last; ++i)
            forward += edges[i].forward;
        health.boundary_edges += faces == 1;
        health.non_manifold_edges += faces > 2;
        health.flipped_edges += faces == 2 && forward != 1;
        health.closed = health.closed && faces % 2 == 0;
        health.oriented = health.oriented && (faces == 1 || 2 * forward == faces);
    });
    health.outward = signed_volume(mesh) > 0;
    health.self_intersecting = look_for_intersections &&
                               mesh.triangles.size() <= k_most_for_intersections &&
                               has_intersections(mesh);
    return health;
}

std::string describe(const MeshHealth& health) {
    const auto counted = [](std::size_t n, const std::string& what) {
        return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    };
    std::vector<std::string> faults;
    if (health.boundary_edges)
        faults.push_back("has holes (" + counted(health.boundary_edges, "open edge") + ")");
    if (health.non_manifold_edges)
        faults.push_back("has edges with more than two faces (" +
                         std::to_string(health.non_manifold_edges) + ")");
    if (health.flipped_edges)
        faults.push_back("has flipped faces");
    if (health.closed && health.oriented && !health.outward)
        faults.push_back("is inside out");
    if (health.self_intersecting)
        faults.push_back("cuts through itself");
    if (health.degenerate_triangles)
        faults.push_back("has " + counted(health.degenerate_triangles, "triangle") +
                         " without an area");
    if (faults.empty())
        return health.solid() ? "is a closed solid" : "is not the surface of a solid";
    std::string text = faults[0];
    for (std::size_t i = 1; i < faults.size(); ++i) {
        const bool again = faults[i - 1].starts_with("has ") && faults[i].starts_with("has ");
        text += (i + 1 == faults.size() ? " and " : ", ") + faults[i].substr(again ? 4 : 0);
    }
    return text;
}

TriangleMesh consistently_oriented(const TriangleMesh& input) {
    TriangleMesh mesh = welded(input);
    const std::size_t n = mesh.triangles.size();
    struct Link {
        std::uint32_t to;
        bool turn;
    };
    std::vector<std::vector<Link>> links(n);
    const std::vector<Edge> edges = sorted_edges(mesh);
    for_each_place(edges, [&](std::size_t first, std::size_t last) {
        if (last - first != 2)
            return;
        const Edge &a = edges[first], &b = edges[first + 1];
        links[a.triangle].push_back({b.triangle, a.forward == b.forward});
        links[b.triangle].push_back({a.triangle, a.forward == b.forward});
    });
    std::vector<std::int8_t> turned(n, -1);
    for (std::uint32_t start = 0; start < n; ++start) {
        if (turned[start] >= 0)
            continue;
        std::vector<std::uint32_t> piece{start};
        turned[start] = 0;
        double kept_area = 0, turned_area = 0;
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::uint32_t t = piece[i];
            (turned[t] ? turned_area : kept_area) += norm(mesh.normal(t));
            for (const Link& link : links[t])
                if (turned[link.to] < 0) {
                    turned[link.to] = turned[t] ^ static_cast<std::int8_t>(link.turn);
                    piece.push_back(link.to);
                }
        }
        for (const std::uint32_t t : piece)
            if ((turned[t] == 1) != (turned_area > kept_area))
                std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    }
    return mesh;
}

}  // namespace millrace
