#include "geometry/primitives.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr double k_pi = std::numbers::pi;

struct ProfilePoint {
    double r, z;  // from the axis, along the axis
};

int intervals(double length, double edge, int least) {
    constexpr double k_most = 4096;
    return static_cast<int>(std::clamp(std::ceil(length / edge - 1e-9), double(least), k_most));
}

void add_arc(std::vector<ProfilePoint>& profile, double r, double z, double radius, double from,
             double to, double edge) {
    const int n = intervals(radius * (to - from), edge, 4);
    for (int k = 0; k <= n; ++k) {
        const double angle = from + (to - from) * k / n;
        profile.push_back({r + radius * portable::cos(angle), z + radius * portable::sin(angle)});
    }
}

// The surface that the profile sweeps around the axis. It runs upwards on the outer side; an open
// profile begins and ends on the axis.
TriangleMesh revolve(const Vec3d& origin, const Vec3d& direction,
                     const std::vector<ProfilePoint>& profile, bool closed, double edge) {
    const Vec3d axis = direction / norm(direction);
    const int least = std::abs(axis[0]) < 0.6 ? 0 : 1;
    Vec3d e1 = Vec3d::all(0);
    e1[least] = 1;
    e1 -= axis * dot(axis, e1);
    e1 = e1 / norm(e1);
    const Vec3d e2 = cross(axis, e1);

    double widest = 0;
    for (const ProfilePoint& p : profile)
        widest = std::max(widest, p.r);
    const int n = intervals(2 * k_pi * widest, edge, 8);

    TriangleMesh mesh;
    const std::size_t rings = profile.size();
    std::vector<std::uint32_t> first(rings);
    const auto pole = [&](std::size_t i) { return !closed && (i == 0 || i + 1 == rings); };
    for (std::size_t i = 0; i < rings; ++i) {
        first[i] = static_cast<std::uint32_t>(mesh.vertices.size());
        for (int j = 0; j < (pole(i) ? 1 : n); ++j) {
            const double angle = 2 * k_pi * j / n, r = pole(i) ? 0 : profile[i].r;
            mesh.vertices.push_back(origin + axis * profile[i].z +
                                    (e1 * portable::cos(angle) + e2 * portable::sin(angle)) * r);
        }
    }
    const auto at = [&](std::size_t i, int j) { return first[i] + (pole(i) ? 0 : j % n); };
    for (std::size_t i = 0; i < (closed ? rings : rings - 1); ++i) {
        const std::size_t next = (i + 1) % rings;
        for (int j = 0; j < n; ++j) {
            if (!pole(i))
                mesh.triangles.push_back({at(i, j), at(i, j + 1), at(next, j)});
            if (!pole(next))
                mesh.triangles.push_back({at(i, j + 1), at(next, j + 1), at(next, j)});
        }
    }
    return mesh;
}

}  // namespace

TriangleMesh box_mesh(const Vec3d& min, const Vec3d& max) {
    TriangleMesh mesh;
    for (int v = 0; v < 8; ++v)
        mesh.vertices.push_back(
            {{v & 1 ? max[0] : min[0], v & 2 ? max[1] : min[1], v & 4 ? max[2] : min[2]}});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

TriangleMesh sphere_mesh(const Vec3d& center, double radius, double edge) {
    return capsule_mesh(center, center, radius, edge);
}

TriangleMesh cylinder_mesh(const Vec3d& from, const Vec3d& to, double radius, double edge) {
    const double height = norm(to - from);
    const int n = intervals(radius, edge, 1), m = intervals(height, edge, 1);
    std::vector<ProfilePoint> profile;
    for (int k = 0; k < n; ++k)
        profile.push_back({radius * k / n, 0});
    for (int k = 0; k <= m; ++k)
        profile.push_back({radius, height * k / m});
    for (int k = n - 1; k >= 0; --k)
        profile.push_back({radius * k / n, height});
    return revolve(from, to - from, profile, false, edge);
}

TriangleMesh capsule_mesh(const Vec3d& from, const Vec3d& to, double radius, double edge) {
    const double height = norm(to - from);
    std::vector<ProfilePoint> profile;
    add_arc(profile, 0, 0, radius, -k_pi / 2, 0, edge);
    if (height > 0) {
        const int m = intervals(height, edge, 1);
        for (int k = 1; k < m; ++k)
            profile.push_back({radius, height * k / m});
    } else {
        profile.pop_back();
    }
    add_arc(profile, 0, height, radius, 0, k_pi / 2, edge);
    const Vec3d axis = height > 0 ? to - from : Vec3d{{0, 1, 0}};
    return revolve(from, axis, profile, false, edge);
}

TriangleMesh torus_mesh(const Vec3d& center, const Vec3d& axis, double major, double minor,
                        double edge) {
    std::vector<ProfilePoint> profile;
    add_arc(profile, major, 0, minor, 0, 2 * k_pi, edge);
    profile.pop_back();
    return revolve(center, axis, profile, true, edge);
}

}  // namespace millrace
