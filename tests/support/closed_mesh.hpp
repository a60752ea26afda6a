#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "math/vec.hpp"

namespace millrace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// Every edge has exactly two triangles, in opposite directions, and the triangles around every
/// vertex form one ring. Vertices without triangles count as broken.
inline bool is_closed_manifold(std::size_t vertices, const Triangles& triangles) {
    std::vector<std::vector<std::array<std::uint32_t, 2>>> spokes(vertices);
    for (const auto& t : triangles)
        for (int k = 0; k < 3; ++k) {
            if (t[k] >= vertices || t[k] == t[(k + 1) % 3])
                return false;
            spokes[t[k]].push_back({t[(k + 1) % 3], t[(k + 2) % 3]});
        }
    for (auto& s : spokes) {
        std::sort(s.begin(), s.end());
        for (std::size_t k = 1; k < s.size(); ++k)
            if (s[k][0] == s[k - 1][0])
                return false;  // an edge twice in the same direction
        std::size_t steps = 0;
        if (s.empty())
            return false;
        std::uint32_t at = s[0][0];
        do {
            const auto next = std::lower_bound(s.begin(), s.end(), std::array{at, 0u});
            if (next == s.end() || (*next)[0] != at)
                return false;  // an edge without its opposite
            at = (*next)[1];
            ++steps;
        } while (at != s[0][0] && steps <= s.size());
        if (steps != s.size())
            return false;
    }
    return true;
}

/// V - E + F; 2 a sphere, 0 a torus.
inline int euler_characteristic(std::size_t vertices, const Triangles& triangles) {
    return static_cast<int>(vertices) - static_cast<int>(triangles.size() / 2);
}

/// The volume of each connected part, positive where triangles face outward; smallest first.
inline std::vector<double> part_volumes(const std::vector<Vec3>& vertices,
                                        const Triangles& triangles) {
    std::vector<std::uint32_t> of(vertices.size());
    std::iota(of.begin(), of.end(), 0u);
    const auto root = [&](std::uint32_t v) {
        while (of[v] != v)
            v = of[v] = of[of[v]];
        return v;
    };
    for (const auto& t : triangles) {
        of[root(t[1])] = root(t[0]);
        of[root(t[2])] = root(t[0]);
    }
    std::vector<double> volume(vertices.size(), 0), found;
    for (const auto& t : triangles) {
        const std::uint32_t r = root(t[0]);
        const auto from = [&](int k) {
            return Vec3d::from(vertices[t[k]]) - Vec3d::from(vertices[r]);
        };
        volume[r] += dot(from(0), cross(from(1), from(2))) / 6;
    }
    for (std::uint32_t v = 0; v < of.size(); ++v)
        if (root(v) == v)
            found.push_back(volume[v]);
    std::sort(found.begin(), found.end());
    return found;
}

inline double total_volume(const std::vector<Vec3>& vertices, const Triangles& triangles) {
    const std::vector<double> parts = part_volumes(vertices, triangles);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// Particles on a lattice of spacing 1 where `inside(x, y, z)` says so, each moved by up to
/// `jitter` along each axis: x, y, z of one after the other.
template <class Inside>
std::vector<float> lattice_particles(int extent, double jitter, const Inside& inside) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> move(-jitter, jitter);
    std::vector<float> positions;
    for (int z = -extent; z <= extent; ++z)
        for (int y = -extent; y <= extent; ++y)
            for (int x = -extent; x <= extent; ++x) {
                const double p[3] = {x + 0.2, y + 0.13, z + 0.07};
                if (inside(p[0], p[1], p[2]))
                    for (const double c : p)
                        positions.push_back(static_cast<float>(c + move(random)));
            }
    return positions;
}

inline std::vector<float> ball_of_particles(double radius, double jitter = 0) {
    return lattice_particles(
        static_cast<int>(radius) + 1, jitter,
        [=](double x, double y, double z) { return x * x + y * y + z * z < radius * radius; });
}

}  // namespace millrace
