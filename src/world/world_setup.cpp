// How a World begins, is saved and is restored; the step itself is in world.cpp.
#include <algorithm>
#include <cmath>

#include "exec/parallel.hpp"
#include "exec/read_back.hpp"
#include "fluid/density.hpp"
#include "math/portable.hpp"
#include "world/advice.hpp"
#include "world/fluid_fill.hpp"
#include "world/plain_state.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

struct DivideByDensity {
    const float* density;
    float* volume;
    float least, most;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        volume[i] = fminf(most, fmaxf(least, volume[i] / density[i]));
    }
};

struct Deviation {
    const float* density;
    MILLRACE_HD double operator()(std::uint32_t i) const { return fabsf(density[i] - 1.0f); }
};

struct Multiply {
    const float *a, *b;
    float* product;
    MILLRACE_HD void operator()(std::uint32_t i) const { product[i] = a[i] * b[i]; }
};

struct Add {
    MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

}  // namespace

template <int D>
FluidSamples<D> World<D>::sample(const SampledSolids<D>& built, AtWalls at_walls) const {
    const SolidTest<D> in_solids = [&](std::span<const Vec<D>> places,
                                       std::vector<std::uint8_t>& flags) {
        built.mark_inside(places, flags);
    };
    return sample_fluid<D>(scene_, built.solids, walls_.host_positions(), in_solids, at_walls);
}

template <int D>
void World<D>::fill_with_fluid(const SampledSolids<D>& built) {
    const FluidSamples<D> samples = sample(built, AtWalls::clear);
    for (std::string& advice : advice_for<D>(scene_))
        warnings_.push_back(std::move(advice));
    const std::size_t n = samples.positions.size();
    const double expected = std::min(expected_.fluid_particles, 1e9);
    first_count_ = std::max(n, static_cast<std::size_t>(expected));
    sunk_.assign(scene_.sinks.size(), 0);
    surfaces_ = object_surfaces(built.solids);
    fluid_.turns = forces_.turns();
    set_fluid(samples);
}

template <int D>
void World<D>::set_fluid(const FluidSamples<D>& samples) {
    const std::size_t n = samples.positions.size();
    std::vector<std::uint32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i)
        ids[i] = static_cast<std::uint32_t>(i);
    next_id_ = static_cast<std::uint32_t>(n);
    fluid_.resize(n);
    if (fluid_.turns)
        fluid_.spin.zero();
    fluid_.position.assign(samples.positions);
    fluid_.velocity.assign(samples.velocities);
    fluid_.volume.assign(samples.volumes);
    fluid_.pressure.zero();
    fluid_.divergence_pressure.zero();
    fluid_.id.assign(ids);
    fluid_.fluid.assign(samples.fluids);
}

/// Volumes with which every particle has rest density at the start (S1 Eq. 3.8-3.10):
/// V_i <- V_i / delta_i until the mean deviation stays the same. With a support of more than two
/// spacings this would undo the smoothing at surfaces: the first layer would take all, the second
/// would be left massless and be hurled away. There no particle gets much more than its place in
/// the lattice, and the surface stays a little below rest density.
template <int D>
void World<D>::set_rest_volumes() {
    constexpr int k_max_rounds = 500;
    constexpr double k_tolerance = 1e-7;
    const float lattice = portable::power(spacing_, D);
    const float most = (scene_.support > 2 ? 1.2f : 2.5f) * lattice;
    double last = 0;
    for (int round = 0; round < k_max_rounds; ++round) {
        compute_density(device_, view());
        const double mean = reduce(device_, fluid_.count, 0.0, Deviation{density_.data()}, Add{}) /
                            static_cast<double>(fluid_.count);
        if (round > 0 && std::abs(mean - last) < k_tolerance)
            break;
        last = mean;
        for_each(device_, fluid_.count,
                 DivideByDensity{density_.data(), fluid_.volume.data(), 0.5f * lattice, most});
    }
}

template <int D>
Snapshot World<D>::snapshot() const {
    Snapshot s;
    s.time = time_;
    s.step = step_;
    s.last_dt = last_dt_;
    s.lost = lost_;
    // what was measured and sets the next step goes with it: it depends on densities that are not
    // kept
    s.time_step = time_step_.state();
    s.time_step.push_back(max_speed_);
    s.time_step.push_back(compression_);
    s.outside = outside_;
    s.positions = read_flat(device_, fluid_.position, fluid_.count);
    s.velocities = read_flat(device_, fluid_.velocity, fluid_.count);
    s.volumes = fluid_.volume.to_host();
    s.pressures = fluid_.pressure.to_host();
    s.divergence_pressures = fluid_.divergence_pressure.to_host();
    s.next_id = next_id_;
    s.sunk = sunk_;
    s.emitted = emitted_counts();
    s.bodies = objects_.save();
    s.ids = fluid_.id.to_host();
    s.fluids = fluid_.fluid.to_host();
    if (fluid_.turns)
        s.spins = read_flat(device_, fluid_.spin, fluid_.count);
    return s;
}

template <int D>
std::vector<std::uint64_t> World<D>::emitted_counts() const {
    return emitters_.save();
}

template <int D>
void World<D>::restore(const Snapshot& s) {
    const std::size_t n = s.ids.size();
    if (s.positions.size() != n * D || s.velocities.size() != n * D || s.volumes.size() != n ||
        s.pressures.size() != n || s.divergence_pressures.size() != n || s.fluids.size() != n)
        throw InputError("snapshot: its arrays do not fit together or belong to another dimension");
    if (!s.spins.empty() && s.spins.size() != n * k_spin_size<D>)
        throw InputError("snapshot: its spins do not fit its particles");
    if (std::any_of(s.fluids.begin(), s.fluids.end(),
                    [&](std::uint8_t f) { return f >= scene_.fluids.size(); }))
        throw InputError("snapshot: it holds a fluid that the scene does not have");
    if (s.emitted.size() != emitters_.size() || s.sunk.size() != sunk_.size())
        throw InputError("snapshot: it holds other emitters or sinks than the scene");
    objects_.restore(s.bodies);
    emitters_.restore(s.emitted);
    sunk_ = s.sunk;
    next_id_ = s.next_id;
    fluid_.resize(n);
    fluid_.position.assign(unflatten<D>(s.positions));
    fluid_.velocity.assign(unflatten<D>(s.velocities));
    fluid_.volume.assign(s.volumes);
    fluid_.pressure.assign(s.pressures);
    fluid_.divergence_pressure.assign(s.divergence_pressures);
    fluid_.id.assign(s.ids);
    fluid_.fluid.assign(s.fluids);
    if (fluid_.turns && s.spins.empty())
        fluid_.spin.zero();
    else if (fluid_.turns)
        fluid_.spin.assign(unflatten<k_spin_size<D>>(s.spins));
    time_ = s.time;
    step_ = s.step;
    last_dt_ = s.last_dt;
    lost_ = s.lost;
    outside_ = s.outside;
    std::vector<double> time_step = s.time_step;
    if (time_step.size() >= 2)
        time_step.resize(time_step.size() - 2);
    time_step_.restore(time_step);
    place_objects();
    find_neighbors();
    compute_density(device_, view());
    StepReport report;
    measure(report);
    if (s.time_step.size() >= 2) {
        max_speed_ = s.time_step[s.time_step.size() - 2];
        compression_ = s.time_step.back();
    }
}

template <int D>
std::vector<float> World<D>::host_densities() const {
    return read_back<float>(device_, density_.size(), 1, [&](float* out) {
        return Multiply{density_.data(), rest_density_.data(), out};
    });
}

template <int D>
std::size_t World<D>::memory_bytes() const {
    return walls_.bytes() + coupling_.bytes() + fluid_.bytes() + grid_.bytes() +
           fluid_neighbors_.bytes() + wall_neighbors_.bytes() + pressure_->bytes() +
           density_.bytes() + rest_density_.bytes() + mu_.bytes() + fluid_number_.bytes() +
           forces_.bytes() + acceleration_.bytes();
}

template FluidSamples<2> World<2>::sample(const SampledSolids<2>&, AtWalls) const;
template FluidSamples<3> World<3>::sample(const SampledSolids<3>&, AtWalls) const;
template void World<2>::fill_with_fluid(const SampledSolids<2>&);
template void World<3>::fill_with_fluid(const SampledSolids<3>&);
template void World<2>::set_fluid(const FluidSamples<2>&);
template void World<3>::set_fluid(const FluidSamples<3>&);
template void World<2>::set_rest_volumes();
template void World<3>::set_rest_volumes();
template std::vector<std::uint64_t> World<2>::emitted_counts() const;
template std::vector<std::uint64_t> World<3>::emitted_counts() const;
template Snapshot World<2>::snapshot() const;
template Snapshot World<3>::snapshot() const;
template void World<2>::restore(const Snapshot&);
template void World<3>::restore(const Snapshot&);
template std::vector<float> World<2>::host_densities() const;
template std::vector<float> World<3>::host_densities() const;
template std::size_t World<2>::memory_bytes() const;
template std::size_t World<3>::memory_bytes() const;

}  // namespace millrace
