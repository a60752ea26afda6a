// A block of water collapses in a tank: a scene built in code, stepped as in a game.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <millrace/simulation.hpp>
#include <span>

int main() {
    millrace::Scene scene;
    scene.spacing = 0.025;  // of the particles, in metres; half of it makes eight times as many
    scene.fluids.resize(1);
    scene.fluids[0].fill.resize(1);
    scene.fluids[0].fill[0].shape = millrace::Box{{0, 0, 0}, {0.5, 0.5, 0.25}};
    scene.boundaries.resize(1);
    millrace::Boundary& tank = scene.boundaries[0];
    tank.name = "tank";
    tank.shape = millrace::Box{{0, 0, 0}, {1.5, 1.5, 0.25}};
    tank.inside = true;
    tank.open = {"+y"};
    try {
        millrace::Simulation simulation(scene);
        std::printf("%zu particles on %s\n\n  time   highest  mean height\n",
                    simulation.fluid_count(), simulation.device_name().c_str());
        for (int frame = 0; frame <= 60; ++frame) {
            if (frame > 0)
                simulation.advance(1.0 / 60);
            if (frame % 6 != 0)
                continue;
            const std::span<const float> positions = simulation.positions();  // x y z x y z ...
            double highest = 0, sum = 0;
            for (std::size_t i = 1; i < positions.size(); i += 3) {
                highest = std::max<double>(highest, positions[i]);
                sum += positions[i];
            }
            std::printf("%4.1f s  %5.3f m  %5.3f m\n", simulation.time(), highest,
                        sum / static_cast<double>(simulation.fluid_count()));
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 1;
    }
    return 0;
}
