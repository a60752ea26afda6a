#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// The surface that a closed outline (r, y) makes when it is turned about y; the outline runs from
/// the axis at the bottom, outside first, back to the axis.
inline TriangleMesh turned(const std::vector<std::pair<double, double>>& outline, int parts = 48) {
    TriangleMesh mesh;
    std::vector<std::vector<std::uint32_t>> rings;
    for (const auto& [r, y] : outline) {
        std::vector<std::uint32_t> ring;
        for (int k = 0; k < parts; ++k) {
            if (r > 0 || k == 0) {
                const double angle = 2 * std::numbers::pi * k / parts;
                mesh.vertices.push_back({r * std::cos(angle), y, r * std::sin(angle)});
            }
            ring.push_back(static_cast<std::uint32_t>(mesh.vertices.size() - 1));
        }
        rings.push_back(ring);
    }
    for (std::size_t i = 0; i + 1 < rings.size(); ++i)
        for (int k = 0; k < parts; ++k) {
            const std::uint32_t a = rings[i][k], b = rings[i][(k + 1) % parts];
            const std::uint32_t c = rings[i + 1][k], d = rings[i + 1][(k + 1) % parts];
            if (a != b)
                mesh.triangles.push_back({a, c, b});
            if (c != d)
                mesh.triangles.push_back({b, c, d});
        }
    return mesh;
}

/// A cup on y = 0: radii of the outside at the bottom and at the rim, walls of one thickness.
inline TriangleMesh cup_mesh(double bottom, double rim, double height, double wall) {
    return turned({{0, 0},
                   {bottom, 0},
                   {rim, height},
                   {rim - wall, height},
                   {bottom - wall, wall},
                   {0, wall}});
}

inline TriangleMesh frustum_mesh(double bottom, double top, double from, double to) {
    return turned({{0, from}, {bottom, from}, {top, to}, {0, to}});
}

}  // namespace millrace
