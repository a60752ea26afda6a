// How the fluid of a World comes to rest before its first step (docs/methods/boundaries.md).
#include <algorithm>
#include <cmath>

#include "exec/parallel.hpp"
#include "fluid/density.hpp"
#include "math/scene_vectors.hpp"
#include "world/fluid_fill.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

// A pass is a step under gravity. In the first ones friction takes a part of every velocity, and
// the steps are as long as the pressures bear, which shakes the lattice into a packing that carries
// load. Then steps are half as long and nothing slows a particle but a low limit of its way in a
// pass: what would give way later, a particle at a time, does so here, and slowly. The last passes
// have friction again and end all that swings. In 0.16 m of water the fastest particle of the next
// 0.25 s then has 0.02 to 0.08 m/s; with 100 such passes up to 0.13, with friction alone up to
// 0.21.
struct Stage {
    int passes;
    float friction;     ///< part of the velocity that a pass takes
    float longest_way;  ///< of a particle in a pass, in spacings
    float stiffness;    ///< of the pressures, for the length of the steps
};
constexpr Stage k_stages[] = {{100, 0.05f, 0.1f, 1}, {160, 0, 0.02f, 2}, {20, 0.1f, 0.1f, 2}};
constexpr int k_all_passes = k_stages[0].passes + k_stages[1].passes + k_stages[2].passes;

// Water that is held by its walls creeps by about a spacing in the first stage, and its surface by
// some hundredths of the depth, since the packing is closer than the lattice. Where more than a few
// drops go this far, in spacings and beside that in depths, there is no rest to come to: a dam
// breaks, a drop falls.
constexpr double k_flows = 3, k_flows_of_depth = 0.05, k_flowing_part = 0.001;
constexpr int k_passes_between_looks = 10;

// The samples of a solid lie a good half spacing below its surface, so that a fill that begins at
// the surface keeps clear of them. Those of a thin wall do not: a particle in a gap between two of
// them would be pressed through. Nothing begins nearer than this to the sheet that they make, in
// spacings.
constexpr float k_over_samples = 0.5f;

// A particle in a crack that is too narrow for it stays compressed; others reach 1.005.
constexpr float k_wedged_density = 1.02f;

template <int D>
struct Fall {
    VectorView<D> velocity, predicted;
    Vec<D> gain;
    MILLRACE_HD void operator()(std::uint32_t i) const { predicted.set(i, velocity.get(i) + gain); }
};

template <int D>
struct Creep {
    VectorView<D> position, velocity, next;
    float dt, keep, fastest;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        Vec<D> v = next.get(i);
        const float speed = norm(v);
        if (speed > fastest)
            v = v * (fastest / speed);
        position.set(i, position.get(i) + v * dt);
        velocity.set(i, v * keep);
    }
};

template <int D>
struct IsFar {
    VectorView<D> position, start;  ///< start: by id
    const std::uint32_t* id;
    float far2;
    MILLRACE_HD std::uint32_t operator()(std::uint32_t i) const {
        return squared_norm(position.get(i) - start.get(id[i])) > far2;
    }
};

struct IsAbove {
    const float* values;
    float limit;
    MILLRACE_HD std::uint32_t operator()(std::uint32_t i) const { return values[i] > limit; }
};

// What the samples of walls add to the density of a particle.
template <int D>
struct WallDensity {
    FluidView<D> f;
    float* density;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        Lanes delta(0.0f);
        f.wall_neighbors.for_each(i, f.position.get(i),
                                  [&](LaneIndex k, const Vec<D, Lanes>&, Lanes r2) {
                                      delta += load_lanes(f.wall_volume, k) * f.kernel.w(r2);
                                  });
        density[i] = sum_lanes(delta);
    }
};

// The density of a sheet of samples, relative to that at the samples themselves, at a height over
// it: the integral of the cubic spline over a plane, with q = 2 height / support, q <= 1.
float sheet_density(float height, float support) {
    const float q = 2 * height / support, q2 = q * q;
    return 1 - (0.5f * q2 - 0.375f * q2 * q2 + 0.15f * q2 * q2 * q) / 0.35f;
}

struct Add {
    MILLRACE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a + b; }
};

bool is_along_axes(const Vector& direction) {
    int axes = 0;
    for (int k = 0; k < 3; ++k)
        axes += direction[k] != 0;
    return axes == 1;
}

/// Whether samples and the lattice of a fill may lie askew.
bool cuts_lattices(const Boundary& boundary) {
    if (boundary.rotation.angle != 0)
        return true;
    const Plane* plane = std::get_if<Plane>(&boundary.shape);
    return plane ? !is_along_axes(plane->normal) : !std::holds_alternative<Box>(boundary.shape);
}

template <class T>
void keep_only(std::vector<T>& values, const std::vector<std::uint8_t>& keep, std::size_t each) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (keep[i / each])
            values[to++] = values[i];
    values.resize(to);
}

}  // namespace

bool comes_to_rest(const Scene& scene) {
    if (scene.pressure.method == "wcsph" || norm(to_vec3d(scene.gravity)) == 0)
        return false;
    for (const Fluid& fluid : scene.fluids)
        if (norm(to_vec3d(fluid.velocity)) > 0)
            return false;
    return std::any_of(scene.boundaries.begin(), scene.boundaries.end(), cuts_lattices);
}

/// A lattice that a wall cuts askew leaves gaps beside it. Volumes for which every particle is at
/// rest density hide them, but the pressure of the water above hurls particles into them, at up to
/// sqrt(2 g depth) whatever the spacing. So the fill begins at the wall's surface instead, each
/// particle with its cell of the lattice for a volume, and is left to find its places under
/// gravity and friction, while all that moves is held. What is wedged in then is taken out. A fluid
/// that has no rest to come to starts as it was.
template <int D>
void World<D>::settle_fill(const SampledSolids<D>& built, const Settling& settle) {
    const Snapshot before = snapshot();
    set_fluid(sample(built, AtWalls::full));
    VectorBuffer<D> start(device_);
    start.assign(fluid_.position.to_host());
    remove_between_samples();
    const std::size_t count = fluid_.count;
    const float far = static_cast<float>(k_flows * scene_.spacing + k_flows_of_depth * depth_);
    double dt = 0;
    int passes = 0;
    for (const Stage& stage : k_stages) {
        for (int pass = 0; pass < stage.passes; ++pass) {
            dt = settle_once(stage.friction, stage.longest_way, stage.stiffness);
            settle(double(++passes) / k_all_passes);
            const bool look = &stage == k_stages && (pass + 1) % k_passes_between_looks == 0;
            const std::uint32_t gone = look ? reduce(device_, fluid_.count, 0u,
                                                     IsFar<D>{fluid_.position.view(), start.view(),
                                                              fluid_.id.data(), far * far},
                                                     Add{})
                                            : 0;
            if (gone > k_flowing_part * static_cast<double>(count) || lost_ != before.lost ||
                sunk_ != before.sunk) {
                restore(before);
                return;
            }
        }
        remove_denser(k_wedged_density);
    }
    fluid_.velocity.zero();
    last_dt_ = dt;
    find_neighbors();
    compute_density(device_, view());
}

/// One pass; returns its length [s].
template <int D>
double World<D>::settle_once(float friction, float longest_way, float stiffness) {
    const Vec<D> gravity = to_vec<D>(scene_.gravity);
    find_neighbors();
    find_contacts();
    compute_density(device_, view());
    StepReport report;
    measure(report);
    if (objects_.any()) {
        const std::size_t n = objects_.frames(time_).size();
        coupling_.start(device_, std::vector<Twist<D>>(n), std::vector<ObjectResponse<D>>(n));
    }
    TimeStep rule;
    rule.min = 0;
    rule.max = 1;
    Motion motion{max_speed_, depth_speed_, norm(gravity)};
    motion.pressure_speed *= stiffness;
    const double dt = allowed_time_step(rule, scene_.spacing, motion);
    StepLength length{static_cast<float>(dt)};
    length.most = static_cast<float>(0.5 * dt * depth_speed_ / scene_.spacing);
    for_each(
        device_, fluid_.count,
        Fall<D>{fluid_.velocity.view(), acceleration_.view(), gravity * static_cast<float>(dt)});
    pressure_->solve(device_, view(), acceleration_.view(), length);
    for_each(device_, fluid_.count,
             Creep<D>{fluid_.position.view(), fluid_.velocity.view(), acceleration_.view(),
                      static_cast<float>(dt), 1 - friction,
                      longest_way * spacing_ / static_cast<float>(dt)});
    return dt;
}

template <int D>
void World<D>::remove_between_samples() {
    find_neighbors();
    for_each(device_, fluid_.count, WallDensity<D>{view(), density_.data()});
    remove_denser(sheet_density(k_over_samples * spacing_, view().kernel.support()));
}

/// Takes out the particles whose value in density_ is above the limit.
template <int D>
void World<D>::remove_denser(float limit) {
    if (reduce(device_, fluid_.count, 0u, IsAbove{density_.data(), limit}, Add{}) == 0)
        return;
    const std::vector<float> density = density_.to_host();
    std::vector<std::uint8_t> keep(density.size());
    for (std::size_t i = 0; i < keep.size(); ++i)
        keep[i] = !(density[i] > limit);
    Snapshot s = snapshot();
    keep_only(s.positions, keep, D);
    keep_only(s.velocities, keep, D);
    keep_only(s.volumes, keep, 1);
    keep_only(s.pressures, keep, 1);
    keep_only(s.divergence_pressures, keep, 1);
    keep_only(s.ids, keep, 1);
    keep_only(s.fluids, keep, 1);
    keep_only(s.spins, keep, k_spin_size<D>);
    restore(s);
}

template void World<2>::settle_fill(const SampledSolids<2>&, const Settling&);
template void World<3>::settle_fill(const SampledSolids<3>&, const Settling&);
template double World<2>::settle_once(float, float, float);
template double World<3>::settle_once(float, float, float);
template void World<2>::remove_between_samples();
template void World<3>::remove_between_samples();
template void World<2>::remove_denser(float);
template void World<3>::remove_denser(float);

}  // namespace millrace
