#include "benchmarks.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "exec/parallel.hpp"
#include "fluid/density.hpp"
#include "geometry/poisson_disk.hpp"
#include "geometry/primitives.hpp"
#include "geometry/solid_samples.hpp"
#include "output.hpp"
#include "pictures.hpp"
#include "pressure/pressure_system.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A dam break like that of scenes/dam_break.json, with a given number of fluid particles.
Scene dam(double particles) {
    Scene scene;
    scene.name = "dam_break";
    const double size = 1;
    scene.spacing = size / std::round(std::cbrt(particles));
    Fluid water;
    Fill fill;
    fill.shape = Box{{0, 0, 0}, {size, size, size}};
    water.fill.push_back(fill);
    scene.fluids.push_back(water);
    Boundary tank;
    tank.name = "tank";
    tank.shape = Box{{0, 0, 0}, {2.4, 2, size}};
    tank.inside = true;
    tank.open = {"+y"};
    scene.boundaries.push_back(tank);
    return scene;
}

struct CountNeighbors {
    FluidView<3> f;
    MILLRACE_HD double operator()(std::uint32_t i) const {
        const float radius = f.fluid_neighbors.radius;
        Lanes sum(0.0f);
        f.fluid_neighbors.for_each(
            i, f.position.get(i), [&](LaneIndex, const Vec<3, Lanes>&, Lanes r2) {
                sum += select(r2 < Lanes(radius * radius), Lanes(1.0f), Lanes(0.0f));
            });
        return sum_lanes(sum) - 1;  // without itself
    }
};

struct Add {
    MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

/// Where the time of a step goes while the dam breaks.
std::vector<BenchRow> bench_step(const Device& device, double particles) {
    World<3> world(dam(particles), device);
    for (int k = 0; k < 10; ++k)
        world.step(1e9);
    StepReport sum;
    const auto start = Clock::now();
    int steps = 0;
    while (steps < 10 || (seconds_since(start) < 5 && steps < 200)) {
        const StepReport r = world.step(1e9);
        sum.ms.neighbors += r.ms.neighbors;
        sum.ms.density += r.ms.density;
        sum.ms.forces += r.ms.forces;
        sum.ms.pressure += r.ms.pressure;
        sum.ms.total += r.ms.total;
        sum.iterations += r.iterations;
        ++steps;
    }
    const double n = static_cast<double>(world.fluid().count);
    const auto share = [&](double ms) { return 100 * ms / sum.ms.total; };
    return {{"fluid particles", n, "", ""},
            {"boundary particles", static_cast<double>(world.walls().count()), "", ""},
            {"step", sum.ms.total / steps, "ms", ""},
            {"iterations", double(sum.iterations) / steps, "", "of the pressure solver, a step"},
            {"neighbours", share(sum.ms.neighbors), "%", "of a step"},
            {"density", share(sum.ms.density), "%", "of a step"},
            {"forces", share(sum.ms.forces), "%", "of a step"},
            {"pressure", share(sum.ms.pressure), "%", "of a step"},
            {"particle updates", n * steps / sum.ms.total / 1e3, "M/s", ""}};
}

/// Bytes that a copy within the device moves in a second, read and written.
double copy_bandwidth(const Device& device) {
    constexpr std::size_t k_floats = std::size_t{1} << 27;
    Buffer<float> from(device, k_floats), to(device, k_floats);
    from.zero();
    double best = 0;
    for (int k = 0; k < 5; ++k) {
        device.synchronize();
        const auto start = Clock::now();
        device.copy(to.data(), from.data(), k_floats * sizeof(float));
        device.synchronize();
        best = std::max(best, 2.0 * k_floats * sizeof(float) / seconds_since(start));
    }
    return best;
}

/// What an iteration on the GPU cannot do without, per particle: the list of neighbours and the
/// particle's own values in both passes, if all values of neighbours came from the caches.
double iteration_bytes(double neighbors) {
    constexpr double k_vector = 16, k_scalar = 4;
    const double list = k_scalar * (neighbors + 1);
    const double accelerate = list + 3 * k_vector + 3 * k_scalar;
    const double update = list + 3 * k_vector + 6 * k_scalar;
    return accelerate + update;
}

/// The passes of one pressure iteration alone.
std::vector<BenchRow> bench_pressure(const Device& device, double particles) {
    World<3> world(dam(particles), device);
    for (int k = 0; k < 8; ++k)
        world.step(1e9);
    world.find_neighbors();
    const FluidView<3> view = world.view();
    compute_density(device, view);
    const double n = static_cast<double>(world.fluid().count);
    const double neighbors = reduce(device, view.count, 0.0, CountNeighbors{view}, Add{}) / n;

    PressureSystem<3> system(device, {});
    const float dt = 1e-3f;
    system.prepare(device, view, world.fluid().velocity.view(), dt);
    system.add_density_source(device, view);
    system.start_from_zero();
    Buffer<IterationSums> sums(device, 1);
    double accelerate = 0, update = 0;
    int iterations = 0;
    const auto timed = [&](double& seconds, auto&& pass) {
        const auto start = Clock::now();
        pass();
        device.synchronize();
        seconds += seconds_since(start);
    };
    const auto start = Clock::now();
    for (iterations = 0; iterations < 5 || seconds_since(start) < 3; ++iterations) {
        if (iterations == 2)
            accelerate = update = 0;  // the first ones warm up
        timed(accelerate, [&] { system.accelerate(device, view); });
        timed(update, [&] { system.update(device, view, dt, sums.data()); });
        std::swap(system.unknowns(), system.updated());
    }
    const double updates = n * (iterations - 2) / 1e6;
    const int cores = device.on_gpu() ? 1 : device.threads();
    const double both = updates / (accelerate + update);
    std::vector<BenchRow> rows{
        {"fluid particles", n, "", ""},
        {"neighbours", neighbors, "", "mean, without the particle itself"},
        {"acceleration pass", updates / accelerate, "M/s", "particles"},
        {"update pass", updates / update, "M/s", "particles"},
        {"both passes", both, "M/s", "particle-iterations"},
        {"both passes", both / cores, "M/s", device.on_gpu() ? "on the GPU" : "per core"}};
    if (device.on_gpu()) {
        const double copy = copy_bandwidth(device) / 1e9;
        const double used = both * 1e6 * iteration_bytes(neighbors) / 1e9;
        rows.push_back({"copy", copy, "GB/s", "read and written"});
        rows.push_back(
            {"bytes", iteration_bytes(neighbors), "", "per particle-iteration, at least"});
        rows.push_back({"bandwidth", 100 * used / copy, "%", "of the copy's"});
    }
    return rows;
}

std::vector<BenchRow> bench_memory(const Device& device, double particles) {
    World<3> world(dam(particles), device);
    for (int k = 0; k < 3; ++k)
        world.step(1e9);
    const double bytes = static_cast<double>(world.memory_bytes());
    const double fluid = static_cast<double>(world.fluid().count);
    const double walls = static_cast<double>(world.walls().count());
    return {{"fluid particles", fluid, "", ""},
            {"boundary particles", walls, "", ""},
            {"memory", bytes / 1e6, "MB", "particles, lists and solver"},
            {"per particle", bytes / (fluid + walls), "bytes", "fluid and boundary"},
            {"per fluid particle", bytes / fluid, "bytes", ""}};
}

/// A torus with about as many samples as asked for.
std::vector<BenchRow> bench_samples(const Device& device, double samples) {
    const TriangleMesh torus = torus_mesh({0, 0, 0}, {0, 1, 0}, 1, 0.4, 0.01);
    const double radius = std::sqrt(0.7 * area(torus) / samples);  // 0.7 / radius^2 on an area
    const double spacing = radius / 0.8;
    auto start = Clock::now();
    const std::vector<Vec3> surface = poisson_disk(torus, radius, 1);
    const double on_surface = seconds_since(start);
    start = Clock::now();
    const std::vector<Vec3> inside = solid_samples(torus, {radius, 0.6 * spacing, false, 1});
    const double in_solid = seconds_since(start);
    start = Clock::now();
    const BoundaryParticles<3> walls(device, inside, static_cast<float>(2 * spacing),
                                     cell_budget(inside.size()));
    device.synchronize();
    const double masses = seconds_since(start);
    return {{"samples", static_cast<double>(inside.size()), "", "of a torus"},
            {"Poisson disks", on_surface, "s", "on the mesh itself"},
            {"in the solid", in_solid, "s", "offset surface and its samples"},
            {"masses", masses, "s", "effective volumes, iterated"}};
}

}  // namespace

const std::vector<Benchmark>& benchmarks() {
    static const std::vector<Benchmark> all{
        {"step", "where the time of a step goes", bench_step},
        {"pressure", "speed of the pressure iterations", bench_pressure},
        {"memory", "bytes per particle", bench_memory},
        {"samples", "sampling a mesh, with as many samples as particles are asked for",
         bench_samples},
        {"surface", "surfaces from particles", bench_surface},
        {"foam", "spray, foam and bubbles beside the solver", bench_foam},
        {"frame", "reading and writing the particles of a frame", bench_frame},
        {"probes", "measuring in the fluid", bench_probes},
    };
    return all;
}

}  // namespace millrace
