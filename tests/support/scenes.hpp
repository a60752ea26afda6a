#pragma once

#include <string>
#include <vector>

#include "millrace/scene.hpp"
#include "support/paths.hpp"
#include "support/seed.hpp"

namespace millrace {

/// A scene of the folder scenes/, with overrides as on the command line.
inline Scene example_scene(const std::string& name,
                           const std::vector<std::string>& overrides = {}) {
    Scene scene = load_scene(in_sources("scenes/" + name + ".json"), overrides);
    scene.seed = test_seed();
    return scene;
}

/// A block of fluid, `cells` particles wide, in empty space; no gravity.
template <int D>
Scene free_block(int cells, double spacing = 0.1) {
    Scene scene;
    scene.name = "block";
    scene.seed = test_seed();
    scene.dimension = D;
    scene.spacing = spacing;
    scene.gravity = {0, 0, 0};
    Fluid water;
    Fill fill;
    const double size = cells * spacing;
    fill.shape = Box{{0, 0, 0}, {size, size, D == 3 ? size : 0.0}};
    water.fill.push_back(fill);
    scene.fluids.push_back(water);
    return scene;
}

/// The same block in a tank that it fills to the brim, with gravity.
template <int D>
Scene full_tank(int cells, double spacing = 0.1) {
    Scene scene = free_block<D>(cells, spacing);
    scene.gravity = {0, -9.81, 0};
    Boundary tank;
    tank.name = "tank";
    tank.shape = std::get<Box>(scene.fluids[0].fill[0].shape);
    std::get<Box>(tank.shape).max[1] *= 1.5;
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries.push_back(tank);
    return scene;
}

/// `free_block` of one fluid, and beside it, at larger x, the same amount of a second one.
template <int D>
Scene two_blocks(int cells, double density, double spacing = 0.1) {
    Scene scene = free_block<D>(cells, spacing);
    Fluid second = scene.fluids[0];
    second.name = "second";
    second.density = density;
    std::get<Box>(second.fill[0].shape).min[0] = cells * spacing;
    std::get<Box>(second.fill[0].shape).max[0] = 2 * cells * spacing;
    scene.fluids.push_back(second);
    return scene;
}

}  // namespace millrace
