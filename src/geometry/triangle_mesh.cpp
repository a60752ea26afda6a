#include "geometry/triangle_mesh.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

namespace millrace {

namespace {

struct PlaceHash {
    std::size_t operator()(const Vec3d& place) const {
        std::uint64_t hash = 0;
        for (int k = 0; k < 3; ++k) {
            std::uint64_t bits;
            const double c = place[k] + 0.0;  // -0 and 0 are one place
            std::memcpy(&bits, &c, sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        return hash;
    }
};

}  // namespace

Bounds Bounds::empty() {
    constexpr double k_far = std::numeric_limits<double>::infinity();
    return {Vec3d::all(k_far), Vec3d::all(-k_far)};
}

void Bounds::include(const Vec3d& point) {
    for (int k = 0; k < 3; ++k) {
        min[k] = std::min(min[k], point[k]);
        max[k] = std::max(max[k], point[k]);
    }
}

Bounds bounds(const TriangleMesh& mesh) {
    Bounds box = Bounds::empty();
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t v : triangle)
            box.include(mesh.vertices[v]);
    return box;
}

double area(const TriangleMesh& mesh) {
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        sum += norm(mesh.normal(t)) / 2;
    return sum;
}

double signed_volume(const TriangleMesh& mesh) {
    if (mesh.triangles.empty())
        return 0;
    const Vec3d origin = bounds(mesh).center();
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        sum += dot(mesh.normal(t), mesh.corner(t, 0) - origin) / 6;
    return sum;
}

TriangleMesh transformed(const TriangleMesh& mesh, const Vec3d& scale, const Quaterniond& rotation,
                         const Vec3d& position) {
    TriangleMesh moved = mesh;
    for (Vec3d& x : moved.vertices) {
        const Vec3d scaled{{scale[0] * x[0], scale[1] * x[1], scale[2] * x[2]}};
        x = position + rotate(rotation, scaled);
    }
    return scale[0] * scale[1] * scale[2] < 0 ? turned_over(std::move(moved)) : moved;
}

void append(TriangleMesh& mesh, const TriangleMesh& more) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
    mesh.triangles.reserve(mesh.triangles.size() + more.triangles.size());
    for (const auto& t : more.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

TriangleMesh turned_over(TriangleMesh mesh) {
    for (auto& t : mesh.triangles)
        std::swap(t[1], t[2]);
    return mesh;
}

TriangleMesh welded(const TriangleMesh& mesh) {
    TriangleMesh joined;
    joined.triangles.reserve(mesh.triangles.size());
    std::unordered_map<Vec3d, std::uint32_t, PlaceHash> at;
    at.reserve(mesh.vertices.size());
    for (const auto& triangle : mesh.triangles) {
        auto& t = joined.triangles.emplace_back();
        for (int k = 0; k < 3; ++k) {
            const Vec3d& place = mesh.vertices[triangle[k]];
            const auto next = static_cast<std::uint32_t>(joined.vertices.size());
            const auto [found, added] = at.try_emplace(place, next);
            if (added)
                joined.vertices.push_back(place);
            t[k] = found->second;
        }
    }
    return joined;
}

}  // namespace millrace
