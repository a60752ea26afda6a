#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace::test {

/// The distance from a place to the nearest of the points, up to a limit; by cells.
class NearestPoint {
  public:
    NearestPoint(const std::vector<Vec3>& points, double limit) : points_(points), limit_(limit) {
        for (std::size_t i = 0; i < points.size(); ++i)
            cells_[cell(Vec3d::from(points[i]), {0, 0, 0})].push_back(i);
    }

    double distance(const Vec3d& place, std::size_t except = ~std::size_t(0)) const {
        double nearest = limit_;
        for (int d = 0; d < 27; ++d) {
            const auto found = cells_.find(cell(place, {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}));
            if (found != cells_.end())
                for (const std::size_t i : found->second)
                    if (i != except)
                        nearest = std::min(nearest, norm(Vec3d::from(points_[i]) - place));
        }
        return nearest;
    }

    double smallest_gap() const {
        double smallest = limit_;
        for (std::size_t i = 0; i < points_.size(); ++i)
            smallest = std::min(smallest, distance(Vec3d::from(points_[i]), i));
        return smallest;
    }

  private:
    std::array<long, 3> cell(const Vec3d& x, const std::array<int, 3>& shift) const {
        return {std::lround(std::floor(x[0] / limit_)) + shift[0],
                std::lround(std::floor(x[1] / limit_)) + shift[1],
                std::lround(std::floor(x[2] / limit_)) + shift[2]};
    }
    const std::vector<Vec3>& points_;
    double limit_;
    std::map<std::array<long, 3>, std::vector<std::size_t>> cells_;
};

/// Evenly random places on a mesh, its corners too.
inline std::vector<Vec3d> probes_on(const TriangleMesh& mesh, int n) {
    std::vector<double> sums;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        sums.push_back((t ? sums.back() : 0) + norm(mesh.normal(t)));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Vec3d> probes;
    for (int i = 0; i < n; ++i) {
        const auto t = static_cast<std::size_t>(
            std::lower_bound(sums.begin(), sums.end(), unit(random) * sums.back()) - sums.begin());
        const double root = std::sqrt(unit(random)), v = unit(random);
        probes.push_back(mesh.corner(t, 0) * (1 - root) + mesh.corner(t, 1) * (root * (1 - v)) +
                         mesh.corner(t, 2) * (root * v));
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            probes.push_back(mesh.corner(t, k));
    return probes;
}

/// The farthest of the probes from the points, up to twice the radius.
inline double largest_hole(const std::vector<Vec3d>& probes, const std::vector<Vec3>& points,
                           double radius) {
    const NearestPoint nearest(points, 2 * radius);
    double largest = 0;
    for (const Vec3d& probe : probes)
        largest = std::max(largest, nearest.distance(probe));
    return largest;
}

}  // namespace millrace::test
