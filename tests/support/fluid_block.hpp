#pragma once

#include <cstdint>
#include <vector>

#include "diffuse/advance.hpp"

namespace millrace {

/// Fluid particles for frames that are made up.
struct FluidBlock {
    std::vector<float> positions, velocities;
    std::vector<std::uint32_t> ids;

    void add(const Vec3& position, const Vec3& velocity) {
        for (int k = 0; k < 3; ++k) {
            positions.push_back(position[k]);
            velocities.push_back(velocity[k]);
        }
        ids.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    /// A lattice of n[0] x n[1] x n[2] particles, the first half a spacing from `corner`.
    /// velocity(x): a Vec3
    template <class Velocity>
    void add_lattice(const Vec3& corner, const Vec<3, int>& n, float spacing,
                     const Velocity& velocity) {
        for (int z = 0; z < n[2]; ++z)
            for (int y = 0; y < n[1]; ++y)
                for (int x = 0; x < n[0]; ++x) {
                    const Vec3 place = corner + Vec3{{x + 0.5f, y + 0.5f, z + 0.5f}} * spacing;
                    add(place, velocity(place));
                }
    }

    std::size_t count() const { return ids.size(); }
    Vec3 position(std::size_t i) const {
        return {{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}};
    }
    Vec3 velocity(std::size_t i) const {
        return {{velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2]}};
    }
    void set(std::size_t i, const Vec3& position, const Vec3& velocity) {
        for (std::size_t k = 0; k < 3; ++k) {
            positions[3 * i + k] = position[static_cast<int>(k)];
            velocities[3 * i + k] = velocity[static_cast<int>(k)];
        }
    }
    FluidFrame frame(double time) const { return {time, positions, velocities, ids}; }
};

}  // namespace millrace
