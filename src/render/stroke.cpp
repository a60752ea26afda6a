#include "render/stroke.hpp"

#include <cmath>

namespace millrace {
namespace {

constexpr int k_circle_corners = 64, k_joint_corners = 12;

std::vector<Vec3d> ring(const Vec3d& center, double radius, int corners) {
    std::vector<Vec3d> points;
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * M_PI * i / corners;
        points.push_back(center + Vec3d{{std::cos(angle), std::sin(angle), 0}} * radius);
    }
    return points;
}

}  // namespace

std::vector<Vec3d> circle_points(const Vec3d& center, double radius) {
    return ring(center, radius, k_circle_corners);
}

std::vector<Vec3d> stroke(std::span<const Vec3d> points, double width) {
    std::vector<Vec3d> triangles;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<Vec3d> joint = ring(points[i], width / 2, k_joint_corners);
        for (std::size_t k = 1; k + 1 < joint.size(); ++k)
            triangles.insert(triangles.end(), {joint[0], joint[k], joint[k + 1]});
        if (i == 0)
            continue;
        const Vec3d &a = points[i - 1], &b = points[i], along = b - a;
        const double length = norm(along);
        if (length == 0)
            continue;
        const Vec3d side = Vec3d{{-along[1], along[0], 0}} * (width / 2 / length);
        triangles.insert(triangles.end(),
                         {a - side, b - side, b + side, a - side, b + side, a + side});
    }
    return triangles;
}

}  // namespace millrace
