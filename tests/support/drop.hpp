#pragma once

#include <cmath>
#include <numbers>

#include "support/motion.hpp"
#include "support/scenes.hpp"

namespace millrace {

/// A round drop, cut from a block: the particles within `radius` of its centre.
template <int D>
World<D> round_drop(const Scene& block, double radius, const Vec<D, double>& centre) {
    World<D> world(block, Device::cpu(2));
    const Snapshot all = world.snapshot();
    Snapshot drop = all;
    drop.positions.clear();
    drop.velocities.clear();
    drop.volumes.clear();
    drop.pressures.clear();
    drop.divergence_pressures.clear();
    drop.ids.clear();
    drop.fluids.clear();
    drop.spins.clear();
    for (std::size_t i = 0; i < all.ids.size(); ++i) {
        double r2 = 0;
        for (int k = 0; k < D; ++k)
            r2 += std::pow(all.positions[i * D + k] - centre[k], 2);
        if (r2 > radius * radius)
            continue;
        for (int k = 0; k < D; ++k) {
            drop.positions.push_back(all.positions[i * D + k]);
            drop.velocities.push_back(0);
        }
        drop.volumes.push_back(all.volumes[i]);
        drop.pressures.push_back(0);
        drop.divergence_pressures.push_back(0);
        drop.ids.push_back(all.ids[i]);
        drop.fluids.push_back(0);
    }
    world.restore(drop);
    return world;
}

}  // namespace millrace
