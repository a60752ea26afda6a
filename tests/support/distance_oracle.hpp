#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "geometry/inside_test.hpp"
#include "geometry/polygon.hpp"
#include "geometry/signed_distance.hpp"

namespace millrace {

/// A solid by brute force: points all over its surface, and whether places are in it.
template <int D>
struct DistanceOracle {
    std::vector<Vec<D>> surface;
    std::function<bool(const Vec<D>&)> holds;
    double error = 0;  ///< of the distance to the nearest of the points [m]

    double distance(const Vec<D>& x) const {
        float nearest = 1e30f;
        for (const Vec<D>& point : surface)
            nearest = std::min(nearest, squared_norm(x - point));
        return std::sqrt(nearest);
    }
};

/// edge: distance of the points [m]
inline DistanceOracle<3> oracle_of(const TriangleMesh& mesh, double edge) {
    DistanceOracle<3> oracle;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d a = mesh.corner(t, 0), u = mesh.corner(t, 1) - a, v = mesh.corner(t, 2) - a;
        const double longest = std::max({norm(u), norm(v), norm(u - v)});
        const int n = static_cast<int>(std::ceil(longest / edge));
        for (int i = 0; i <= n; ++i)
            for (int j = 0; i + j <= n; ++j)
                oracle.surface.push_back(Vec3::from(a + u * (double(i) / n) + v * (double(j) / n)));
    }
    const auto test = std::make_shared<InsideTest>(mesh);
    oracle.holds = [test](const Vec3& x) { return test->contains(Vec3d::from(x)); };
    oracle.error = edge;
    return oracle;
}

inline DistanceOracle<2> oracle_of(const std::vector<Vec2d>& corners, double edge) {
    DistanceOracle<2> oracle;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2d a = corners[i], along = corners[(i + 1) % corners.size()] - a;
        const int n = static_cast<int>(std::ceil(norm(along) / edge));
        for (int k = 0; k < n; ++k)
            oracle.surface.push_back(Vec2::from(a + along * (double(k) / n)));
    }
    oracle.holds = [corners, triangles = triangulated(corners)](const Vec2& place) {
        const Vec2d x = Vec2d::from(place);
        return std::ranges::any_of(triangles, [&](const auto& t) {
            bool inside = true;
            for (int k = 0; k < 3; ++k) {
                const Vec2d &a = corners[t[k]], &b = corners[t[(k + 1) % 3]];
                inside = inside && cross(b - a, x - a) >= 0;
            }
            return inside;
        });
    };
    oracle.error = edge;
    return oracle;
}

template <int D>
Vec<D> numerical_gradient(const SignedDistance<D>& solid, const Vec<D>& x, float step) {
    Vec<D> gradient;
    for (int k = 0; k < D; ++k) {
        Vec<D> before = x, after = x;
        before[k] -= step;
        after[k] += step;
        gradient[k] =
            (solid.at(after).distance - solid.at(before).distance) / (after[k] - before[k]);
    }
    return gradient;
}

/// Places all over a solid and up to `margin` around it.
template <int D>
std::vector<Vec<D>> places_around(const SignedDistance<D>& solid, float margin, int count) {
    Vec<D> min, max;
    solid.bounds(min, max);
    std::mt19937 random(7);
    std::vector<Vec<D>> places(count);
    for (Vec<D>& x : places)
        for (int k = 0; k < D; ++k)
            x[k] = std::uniform_real_distribution<float>(min[k] - margin, max[k] + margin)(random);
    return places;
}

template <int D>
void expect_normals_are_gradients(const SignedDistance<D>& solid, float margin) {
    int checked = 0;
    const std::vector<Vec<D>> places = places_around(solid, margin, 300);
    for (const Vec<D>& x : places) {
        const auto sample = solid.at(x);
        EXPECT_NEAR(norm(sample.normal), 1, 1e-5);
        const Vec<D> gradient = numerical_gradient(solid, x, 1e-3f);
        if (std::abs(norm(gradient) - 1) > 2e-3)
            continue;  // at a fold
        EXPECT_LT(norm(gradient - sample.normal), 0.01f);
        ++checked;
        const Vec<D> foot = x - sample.normal * sample.distance;
        EXPECT_NEAR(solid.at(foot).distance, 0, 1e-5);
    }
    EXPECT_GT(checked, 270);
}

/// error: beyond that of the oracle [m]
template <int D>
void expect_agreement(const SignedDistance<D>& solid, const DistanceOracle<D>& oracle, float margin,
                      double error = 1e-5) {
    const double tolerance = oracle.error + error;
    for (const Vec<D>& x : places_around(solid, margin, 150)) {
        const double distance = solid.at(x).distance, nearest = oracle.distance(x);
        EXPECT_NEAR(std::abs(distance), nearest, tolerance);
        EXPECT_TRUE(nearest <= tolerance || (distance < 0) == oracle.holds(x)) << distance;
    }
    Vec<D> min, max;
    solid.bounds(min, max);
    for (const Vec<D>& point : oracle.surface)
        for (int k = 0; k < D; ++k) {
            EXPECT_GE(point[k], min[k] - error);
            EXPECT_LE(point[k], max[k] + error);
        }
}

}  // namespace millrace
