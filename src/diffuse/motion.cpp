#include "diffuse/motion.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "diffuse/survivors.hpp"
#include "exec/host_loops.hpp"
#include "exec/parallel.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/portable.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {
namespace {

constexpr std::size_t k_block = 2048;  // particles that close up among themselves

/// The survivors of every block, one block behind the other.
void close_up(DiffuseParticles& particles, const std::vector<std::size_t>& survivors) {
    const auto shift = [&](auto& values) {
        std::size_t end = 0;
        for (std::size_t b = 0; b < survivors.size(); ++b) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(b * k_block);
            if (end != b * k_block)
                std::copy(first, first + static_cast<std::ptrdiff_t>(survivors[b]),
                          values.begin() + static_cast<std::ptrdiff_t>(end));
            end += survivors[b];
        }
        values.resize(end);
    };
    shift(particles.positions);
    shift(particles.velocities);
    shift(particles.ages);
    shift(particles.lifetimes);
    shift(particles.kinds);
    shift(particles.ids);
}

/// In the order of the fluid's cells.
void sort(DiffuseParticles& particles, const SortedFluid& fluid, const Device& device) {
    const std::size_t n = particles.count();
    Buffer<std::uint32_t> keys(device, n), start(device), order(device);
    for_each(device, n,
             [&](std::uint32_t i) { keys.data()[i] = fluid.cell_of(particles.positions[i]); });
    counting_sort(device, keys, n, fluid.cell_count(), start, order);
    const auto reorder = [&](auto& values) {
        std::remove_reference_t<decltype(values)> sorted(n);
        for_each(device, n, [&](std::uint32_t i) { sorted[i] = values[order.data()[i]]; });
        values.swap(sorted);
    };
    reorder(particles.positions);
    reorder(particles.velocities);
    reorder(particles.ages);
    reorder(particles.lifetimes);
    reorder(particles.kinds);
    reorder(particles.ids);
}

}  // namespace

NearFluid near_fluid(const SortedFluid& fluid, const Vec3& position) {
    const float support2 = fluid.support() * fluid.support();
    const CubicSpline<3> kernel(fluid.support());
    Pack count(0.0f), weight(0.0f);
    Vec<3, Pack> momentum = Vec<3, Pack>::all(Pack(0.0f));
    fluid.for_each_near(position, [&](LaneIndex j, const Vec<3, Pack>&, Pack r2) {
        const Pack w = kernel.w(r2);
        count += select(r2 < Pack(support2), Pack(1.0f), Pack(0.0f));
        weight += w;
        momentum += fluid.velocities().lanes(j) * w;
    });
    NearFluid near;
    near.count = static_cast<int>(sum_lanes(count));
    const float sum = sum_lanes(weight);
    near.velocity = sum > 0 ? sum_lanes(momentum) / sum : Vec3::all(0);
    return near;
}

MotionStep::MotionStep(double duration, const DiffuseOptions& options)
    : dt(static_cast<float>(duration)),
      gravity(to_vec<3>(options.gravity)),
      drag_kept(static_cast<float>(portable::pow(1 - options.drag, 60 * duration))),
      lift(gravity * static_cast<float>(
                         -options.buoyancy *
                         (options.drag > 0 ? (1 - drag_kept) / (60 * options.drag) : duration))) {}

MovingParticle moved(const MovingParticle& particle, const SortedFluid& fluid,
                     const MotionStep& step) {
    const auto& [x, v, kind] = particle;
    const float dt = step.dt;
    const Vec3 ballistic = x + v * dt + step.gravity * (0.5f * dt * dt);
    const bool flies = kind == DiffuseKind::spray;
    const Vec3 predicted = flies ? ballistic : x + v * dt;
    const NearFluid near = near_fluid(fluid, predicted);
    switch (kind_by(near.count)) {
        case DiffuseKind::spray:
            return {ballistic, v + step.gravity * dt, DiffuseKind::spray};
        case DiffuseKind::foam:
            return {flies ? predicted : x + (v + near.velocity) * (0.5f * dt), near.velocity,
                    DiffuseKind::foam};
        default:
            break;
    }
    const Vec3 v_bubble = near.velocity + (v - near.velocity) * step.drag_kept + step.lift;
    return {flies ? predicted : x + (v + v_bubble) * (0.5f * dt), v_bubble, DiffuseKind::bubble};
}

void move_all(DiffuseParticles& particles, const SortedFluid& fluid, double dt,
              const DiffuseOptions& options, const Obstacles& obstacles, const Device& device) {
    const MotionStep step(dt, options);
    sort(particles, fluid, device);
    const std::size_t n = particles.count(), blocks = (n + k_block - 1) / k_block;
    std::vector<std::size_t> survivors(blocks);
    const auto block_count = static_cast<std::int64_t>(blocks);
    parallel_for(block_count, {.alone_to = 1, .threads = device.threads()}, [&](std::int64_t b) {
        const std::size_t begin = static_cast<std::size_t>(b) * k_block;
        std::size_t end = begin;
        for (std::size_t i = begin; i < std::min(n, begin + k_block); ++i) {
            const Vec3 before = particles.positions[i];
            const MovingParticle after =
                moved({before, particles.velocities[i], particles.kinds[i]}, fluid, step);
            const float age = particles.ages[i] +
                              step.dt * (after.kind == DiffuseKind::foam ? 1.0f : k_slow_aging);
            if (!(age < particles.lifetimes[i]) || !is_allowed(after.position, options) ||
                obstacles.blocks(before, after.position))
                continue;
            move_particle(particles, i, end);
            particles.positions[end] = after.position;
            particles.velocities[end] = after.velocity;
            particles.kinds[end] = after.kind;
            particles.ages[end] = age;
            ++end;
        }
        survivors[b] = end - begin;
    });
    close_up(particles, survivors);
}

}  // namespace millrace
