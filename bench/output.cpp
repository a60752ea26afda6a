#include "output.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "io/particle_formats.hpp"
#include "io/particle_frame.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_times = 5;

/// The shortest of some times [ms].
template <class Work>
double best_ms(const Work& work) {
    double best = 1e300;
    for (int k = 0; k < k_times; ++k) {
        const auto start = Clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    return best;
}

Scene dam(double particles) {
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
    return scene;
}

Simulation running(const Scene& scene, const Device& device) {
    Simulation simulation(scene, {device.on_gpu() ? "cuda" : "cpu", device.threads()});
    for (int k = 0; k < 3; ++k)
        simulation.step();
    return simulation;
}

}  // namespace

std::vector<BenchRow> bench_frame(const Device& device, double particles) {
    const Scene scene = dam(particles);
    const Simulation simulation = running(scene, device);
    ParticleFrame frame;
    const double read = best_ms([&] { frame = particle_frame(scene, 0, simulation); });
    const auto file = std::filesystem::temp_directory_path() / "millrace_bench_frame.vtu";
    const double write = best_ms([&] { write_particles(file, frame); });
    const double bytes = static_cast<double>(std::filesystem::file_size(file));
    std::filesystem::remove(file);
    const double n = static_cast<double>(simulation.fluid_count());
    return {{"fluid particles", n, "", ""},
            {"read", read, "ms", "from the simulation: what the steps wait for"},
            {"write", write, "ms", "a .vtu file, beside the steps"},
            {"file", bytes / n, "bytes", "a particle"}};
}

std::vector<BenchRow> bench_probes(const Device& device, double particles) {
    const Scene scene = dam(particles);
    const Simulation simulation = running(scene, device);
    std::vector<BenchRow> rows{
        {"fluid particles", static_cast<double>(simulation.fluid_count()), "", ""}};
    for (const char* type : {"pressure", "velocity", "height", "front", "energy"}) {
        Probe probe;
        probe.name = probe.type = type;
        probe.at = {0.5, probe.type == "height" ? 0 : 0.25, 0.5};
        rows.push_back({type, best_ms([&] { simulation.probe(probe); }), "ms", "a value"});
    }
    return rows;
}

}  // namespace millrace
