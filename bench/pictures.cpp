#include "pictures.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "exec/host_threads.hpp"
#include "io/particle_frame.hpp"
#include "passes/diffuse_frames.hpp"
#include "surface/reconstruct.hpp"

namespace millrace {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The shortest of some.
template <class Work>
double best_seconds(const Work& work) {
    double best = 1e300;
    for (int k = 0; k < 5; ++k) {
        const auto start = Clock::now();
        work();
        best = std::min(best, seconds_since(start));
    }
    return best;
}

/// A cube with a spacing of 1, each coordinate up to 0.2 off its lattice.
std::vector<float> jittered_block(int side) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> off(-0.2f, 0.2f);
    std::vector<float> places;
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                for (const int c : {x, y, z})
                    places.push_back(static_cast<float>(c) + off(random));
    return places;
}

}  // namespace

std::vector<BenchRow> bench_surface(const Device& device, double particles) {
    set_host_threads(device.threads());
    const std::vector<float> places = jittered_block(static_cast<int>(std::cbrt(particles) + 0.5));
    const double count = static_cast<double>(places.size() / 3);
    std::vector<BenchRow> rows{{"particles", count, "", "a block"}};
    for (const double cell : {0.75, 0.5}) {
        SurfaceOptions options;
        options.cell = cell;
        std::size_t triangles = 0;
        const double seconds = best_seconds([&] {
            triangles = reconstruct_surface({places, places, 1}, options).triangles.size();
        });
        const std::string note = cell == 0.75 ? "cells of 0.75 spacings" : "cells of 0.5 spacings";
        rows.push_back({"triangles", static_cast<double>(triangles), "", note});
        rows.push_back({"particles", count / seconds / 1e6, "M/s", note});
    }
    return rows;
}

std::vector<BenchRow> bench_foam(const Device& device, double particles) {
    constexpr double k_fps = 30, k_end = 0.8;
    Scene scene;
    scene.name = "dam";
    scene.spacing = 1 / std::round(std::cbrt(particles));
    scene.fluids.resize(1);
    scene.fluids[0].fill.resize(1);
    scene.fluids[0].fill[0].shape = Box{{0, 0, 0}, {1, 1, 1}};
    scene.boundaries.resize(1);
    scene.boundaries[0].name = "tank";
    scene.boundaries[0].shape = Box{{0, 0, 0}, {2.4, 2, 1}};
    scene.boundaries[0].inside = true;
    Simulation simulation(scene, {device.on_gpu() ? "cuda" : "cpu", device.threads()});
    const DiffuseOptions options = diffuse_options(scene, {});
    const Obstacles walls(scene, {{}}, {});
    std::vector<ParticleFrame> frames{particle_frame(scene, 0, simulation)};
    double solver = 0;
    while (simulation.time() < k_end) {
        const auto start = Clock::now();
        simulation.advance(1 / k_fps);
        solver += seconds_since(start);
        frames.push_back(particle_frame(scene, 0, simulation));
    }
    std::vector<DiffuseThresholds> largest;
    for (const ParticleFrame& frame : frames)
        largest.push_back(largest_potentials(fluid_of(frame), options));
    const DiffuseThresholds thresholds = mean_thresholds(largest, options);
    DiffuseParticles foam;
    const auto start = Clock::now();
    for (std::size_t i = 1; i < frames.size(); ++i)
        advance(foam, fluid_of(frames[i - 1]), fluid_of(frames[i]), thresholds, options, walls);
    const double seconds = seconds_since(start);
    return {{"fluid particles", static_cast<double>(simulation.fluid_count()), "", ""},
            {"diffuse particles", static_cast<double>(foam.count()), "", "at the end"},
            {"solver", 1000 * solver / static_cast<double>(frames.size() - 1), "ms", "a frame"},
            {"foam", 1000 * seconds / static_cast<double>(frames.size() - 1), "ms", "a frame"},
            {"foam", 100 * seconds / solver, "%", "of the solver's time"}};
}

}  // namespace millrace
