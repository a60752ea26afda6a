#include "world/world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "exec/parallel.hpp"
#include "fluid/density.hpp"
#include "math/scene_vectors.hpp"
#include "world/box2d_engine.hpp"
#include "world/scene_size.hpp"
#include "world/solver_settings.hpp"

namespace millrace {

namespace {

/// Adds the wall time of a block to a field of the report.
class StageTimer {
  public:
    StageTimer(const Device& device, double& ms) : device_(device), ms_(ms) {}
    ~StageTimer() {
        try {
            device_.synchronize();
        } catch (const RunError&) {
            // a fault of the device stays: the next call reports it
        }
        ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    const Device& device_;
    double& ms_;
    Clock::time_point start_ = Clock::now();
};

struct SpreadMaterials {
    Materials materials;
    const std::uint8_t* fluid;
    float* rest_density;
    float* mu;
    float* number;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const float rho0 = materials.rest_density[fluid[i]];
        number[i] = fluid[i];
        rest_density[i] = rho0;
        mu[i] = rho0 * materials.nu[fluid[i]];
    }
};

template <int D>
struct SetVector {
    VectorView<D> out;
    Vec<D> value;
    MILLRACE_HD void operator()(std::uint32_t i) const { out.set(i, value); }
};

// v* = v + dt a (S1 Eq. 3.11), in place of a.
template <int D>
struct Predict {
    VectorView<D> velocity, acceleration;
    float dt;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        acceleration.set(i, velocity.get(i) + acceleration.get(i) * dt);
    }
};

// Semi-implicit Euler (S1 Eq. 3.5-3.6); `next` holds v(t + dt).
template <int D>
struct Integrate {
    VectorView<D> position, velocity, next;
    float dt;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> v = next.get(i);
        velocity.set(i, v);
        position.set(i, position.get(i) + v * dt);
    }
};

template <int D>
struct Kinetic {
    const float* volume;
    const float* rest_density;
    VectorView<D> velocity;
    MILLRACE_HD double operator()(std::uint32_t i) const {
        return 0.5 * double(rest_density[i]) * volume[i] * squared_norm(velocity.get(i));
    }
};

struct AddUp {
    MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

struct Sums {
    double density, compression, kinetic, potential, mass;
    std::uint32_t living, broken;  ///< broken: without a finite place and speed
    float speed2, step_speed2;     ///< step_speed2: that counts for the step
    float top, bottom, pressure_speed2;
};

constexpr Sums k_nothing{0, 0, 0, 0, 0, 0, 0, 0, 0, -3e38f, 3e38f, 0};
constexpr Sums k_broken{0, 0, 0, 0, 0, 0, 1, 0, 0, -3e38f, 3e38f, 0};

template <int D>
struct Measure {
    FluidView<D> f;
    typename UniformGrid<D>::Bounds alive;
    Vec<D> gravity, up;
    MILLRACE_HD Sums operator()(std::uint32_t i) const {
        const Vec<D> x = f.position.get(i);
        const float v2 = squared_norm(f.velocity.get(i));
        if (!(v2 <= 3e38f) || !(squared_norm(x) <= 3e38f))
            return k_broken;
        if (!alive.contains(x))
            return k_nothing;
        const float rho0 = f.rest_density[i];
        const double mass = double(rho0) * f.volume[i];
        return {double(f.density[i]) * rho0,
                fmaxf(0.0f, f.density[i] - 1.0f),
                0.5 * mass * v2,
                -mass * dot(gravity, x),
                mass,
                1,
                0,
                v2,
                f.density[i] < k_spray_density ? v2 / (k_spray_way * k_spray_way) : v2,
                dot(up, x),
                dot(up, x),
                f.pressure[i] / rho0};
    }
};

struct JoinSums {
    MILLRACE_HD Sums operator()(const Sums& a, const Sums& b) const {
        return {a.density + b.density,
                a.compression + b.compression,
                a.kinetic + b.kinetic,
                a.potential + b.potential,
                a.mass + b.mass,
                a.living + b.living,
                a.broken + b.broken,
                fmaxf(a.speed2, b.speed2),
                fmaxf(a.step_speed2, b.step_speed2),
                fmaxf(a.top, b.top),
                fminf(a.bottom, b.bottom),
                fmaxf(a.pressure_speed2, b.pressure_speed2)};
    }
};

}  // namespace

template <int D>
World<D>::World(const Scene& scene, SceneSolids<D> solids, const Device& device,
                const Settling& settle)
    : World(scene, device, sample_solids<D>(scene, std::move(solids)), settle) {}

template <int D>
World<D>::World(const Scene& scene, const Device& device, const SampledSolids<D>& built,
                const Settling& settle)
    : scene_(scene),
      expected_(estimate_size<D>(scene, built.solids)),
      device_(device),
      spacing_(static_cast<float>(scene.spacing)),
      materials_(scene_materials(scene)),
      walls_(device, built.objects, static_cast<float>(scene.spacing * scene.support),
             wall_cell_budget(expected_)),
      objects_(
          scene, built.rigid, built.radii,
          built.rigid.bodies.empty() ? nullptr : make_engine<D>(scene, built.solids, built.rigid)),
      coupling_(device),
      fluid_(device),
      grid_(device),
      fluid_neighbors_(device),
      wall_neighbors_(device),
      forces_(device, scene),
      pressure_(
          make_pressure_solver<D>(scene.pressure.method, device,
                                  pressure_settings(scene, scene_heights<D>(scene, built.solids)))),
      density_(device),
      rest_density_(device),
      mu_(device),
      fluid_number_(device),
      acceleration_(device),
      time_step_(scene.time_step, scene.spacing, scene.seed, scene.pressure.max_iterations),
      watch_(make_watch<D>(scene, built.solids)),
      closed_walls_(device, built.solids.walls, scene.spacing),
      emitters_(scene, built.solids),
      hold_zones_(device),
      warnings_(built.warnings) {
    fill_with_fluid(built);
    place_objects();
    find_neighbors();
    set_rest_volumes();
    StepReport report;
    measure(report);
    if (settle && fluid_.count > 0 && comes_to_rest(scene)) {
        settle_fill(built, settle);
        measure(report);
    }
}

template <int D>
StepReport World<D>::step(double latest) {
    StepReport report;
    {
        const StageTimer total(device_, report.ms.total);
        {
            const StageTimer timer(device_, report.ms.rigid);
            place_objects();
        }
        {
            const StageTimer timer(device_, report.ms.neighbors);
            emit();
            find_neighbors();
        }
        {
            const StageTimer timer(device_, report.ms.rigid);
            find_contacts();
        }
        {
            const StageTimer timer(device_, report.ms.density);
            compute_density(device_, view());
            calm_emitted();
        }
        const double dt = take_step(latest, report).dt;
        last_dt_ = dt;
        time_ = time_ + dt >= latest - 1e-12 * latest ? latest : time_ + dt;
        ++step_;

        report.step = step_;
        report.time = time_;
        report.dt = dt;
        measure(report);
    }
    time_step_.observe(report);
    return report;
}

/// Forces, pressures and the motion that they make: where that would leave the scale of the scene,
/// again in a shorter step and without the pressures of before, of which some led there.
template <int D>
typename World<D>::Lengths World<D>::take_step(double latest, StepReport& report) {
    constexpr int k_most_retakes = 4;
    constexpr double k_shorter = 0.25;
    for (double longest = std::numeric_limits<double>::infinity();; ++report.retakes) {
        Lengths length;
        double kinetic;
        {
            const StageTimer timer(device_, report.ms.forces);
            length = apply_forces(latest, longest);
            kinetic =
                reduce(device_, fluid_.count, 0.0,
                       Kinetic<D>{fluid_.volume.data(), rest_density_.data(), acceleration_.view()},
                       AddUp{});
        }
        {
            const StageTimer timer(device_, report.ms.pressure);
            const PressureResult solved =
                pressure_->solve(device_, view(), acceleration_.view(), solver_step(length));
            report.iterations = solved.iterations;
            report.divergence_iterations = solved.divergence_iterations;
            report.converged = solved.converged;
            report.avg_density_error = solved.avg_error;
            report.max_density_error = solved.max_error;
        }
        std::string complaint = judge(length.dt, kinetic);
        if (complaint.empty()) {
            const std::vector<double> bodies = objects_.save();
            {
                const StageTimer timer(device_, report.ms.rigid);
                complaint = move_bodies(length);
            }
            if (complaint.empty()) {
                forces_.advance_spins(device_, view(), length.dt, length.share());
                integrate(length.dt);
                return length;
            }
            objects_.restore(bodies);
        }
        if (report.retakes == k_most_retakes)
            give_up(time_, complaint);
        longest = k_shorter * length.dt;
        forget_pressures();
    }
}

template <int D>
void World<D>::forget_pressures() {
    fluid_.pressure.zero();
    fluid_.divergence_pressure.zero();
}

/// Samples of scripted walls and bodies go to where these are (S1 Eq. 4.29-4.31).
template <int D>
void World<D>::place_objects() {
    if (objects_.any())
        walls_.place(device_, objects_.frames(time_));
}

/// Neighbour sets (S1 app. A). Particles outside the domain go.
template <int D>
void World<D>::find_neighbors() {
    remove_sunk();
    const typename UniformGrid<D>::Bounds alive = alive_bounds();
    const float radius = view().kernel.support();
    const std::size_t living = grid_.build(device_, fluid_.position.view(), fluid_.count, radius,
                                           cell_budget(first_count_), alive);
    lost_ += fluid_.count - living;
    fluid_.reorder(device_, grid_.order(), living);
    fluid_neighbors_.build(device_, grid_.view(), fluid_.position.view(), fluid_.position.view(),
                           living);
    wall_neighbors_.build(device_, walls_.grid(), walls_.position(), fluid_.position.view(), living,
                          walls_.near());
    resize_step_arrays();
    for_each(device_, living,
             SpreadMaterials{materials_, fluid_.fluid.data(), rest_density_.data(), mu_.data(),
                             fluid_number_.data()});
}

template <int D>
typename UniformGrid<D>::Bounds World<D>::alive_bounds() const {
    typename UniformGrid<D>::Bounds alive;
    if (scene_.domain) {
        alive.min = to_vec<D>(scene_.domain->min);
        alive.max = to_vec<D>(scene_.domain->max);
    }
    return alive;
}

/// Non-pressure accelerations, the step's length, predicted velocities (S1 Algorithm 1, 3 to 5).
template <int D>
typename World<D>::Lengths World<D>::apply_forces(double latest, double longest) {
    for_each(device_, fluid_.count, SetVector<D>{acceleration_.view(), to_vec<D>(scene_.gravity)});
    forces_.add_accelerations(device_, view(), acceleration_.view());
    const Lengths length = choose_length(latest, longest);
    start_coupling(length.dt);
    for_each(
        device_, fluid_.count,
        Predict<D>{fluid_.velocity.view(), acceleration_.view(), static_cast<float>(length.kick)});
    forces_.correct(device_, view(), acceleration_.view(), length.dt, length.share());
    forces_.drag_bodies(device_, view(), acceleration_.view(), length.dt);
    return length;
}

/// Which particles moving objects touch, for forces and pressures.
template <int D>
void World<D>::find_contacts() {
    if (objects_.any())
        coupling_.find_contacts(device_, fluid_.count, fluid_.position.view(),
                                wall_neighbors_.view(), view().kernel, walls_,
                                objects_.frames(time_));
}

/// How the objects would move without the fluid's pressure, for the solve that couples them.
template <int D>
void World<D>::start_coupling(double dt) {
    if (!objects_.any())
        return;
    std::vector<ObjectResponse<D>> responses;
    objects_.predict(time_, dt, twists_, responses);
    coupling_.start(device_, twists_, responses);
}

/// S1 Algorithm 5, with what the fluid did to the bodies.
template <int D>
std::string World<D>::move_bodies(const Lengths& length) {
    if (!objects_.any())
        return {};
    objects_.step(time_, length.dt, length.share(), coupling_.impulses());
    Prospect prospect;
    prospect.speed = objects_.max_body_speed();
    prospect.finite = std::isfinite(prospect.speed);
    return watch_.complaint(prospect);
}

template <int D>
void World<D>::integrate(double dt) {
    hold_emitted();
    outside_ += crossings_[0];
    outside_ -= std::min<std::uint64_t>(outside_, crossings_[1]);
    if (outside_ > 0 && !leaks_) {
        leaks_ = true;
        warnings_.push_back("particles leave a tank through its closed walls, the first at t = " +
                            std::to_string(time_) +
                            " s; summary.json counts them as particles_outside");
    }
    for_each(device_, fluid_.count,
             Integrate<D>{fluid_.position.view(), fluid_.velocity.view(), acceleration_.view(),
                          static_cast<float>(dt)});
}

template <int D>
void World<D>::measure(StepReport& report) {
    const Vec<D> gravity = to_vec<D>(scene_.gravity);
    const float g = norm(gravity);
    Vec<D> up = Vec<D>::all(0);
    up[1] = 1;
    if (g > 0)
        up = gravity * (-1 / g);
    const Sums sums = reduce(device_, fluid_.count, k_nothing,
                             Measure<D>{view(), alive_bounds(), gravity, up}, JoinSums{});
    if (sums.broken > 0 || !std::isfinite(sums.kinetic) || !std::isfinite(sums.potential))
        give_up(time_, "a place that is no number");
    max_speed_ = std::sqrt(sums.step_speed2);
    mass_ = sums.mass;
    if (sums.living)
        watch_.see_bottom(sums.bottom);
    const double height = sums.living ? double(sums.top) - sums.bottom : 0;
    pressure_speed_ = std::sqrt(sums.pressure_speed2);
    depth_speed_ = std::sqrt(g * height);
    depth_ = g > 0 && sums.mass > 0 ? 2 * (sums.potential / (sums.mass * g) - sums.bottom) : 0;
    rms_speed_ = sums.mass > 0 ? std::sqrt(2 * sums.kinetic / sums.mass) : 0;
    compression_ = sums.living ? sums.compression / sums.living : 0;
    report.fluid_particles = fluid_.count;
    report.outside = outside_;
    report.boundary_particles = walls_.count();
    report.avg_density = sums.living ? sums.density / sums.living : 0;
    report.compression = compression_;
    report.max_speed = std::sqrt(sums.speed2);
    report.kinetic_energy = sums.kinetic;
    report.potential_energy = sums.potential;
    report.max_height = sums.living ? sums.top + 0.5 * scene_.spacing : 0;
}

template <int D>
FluidView<D> World<D>::view() const {
    return {static_cast<std::uint32_t>(fluid_.count),
            spacing_,
            CubicSpline<D>(static_cast<float>(scene_.spacing * scene_.support)),
            fluid_neighbors_.view(),
            wall_neighbors_.view(),
            fluid_.position.view(),
            fluid_.velocity.view(),
            fluid_.volume.data(),
            walls_.volume(),
            const_cast<float*>(fluid_.pressure.data()),
            const_cast<float*>(fluid_.divergence_pressure.data()),
            const_cast<float*>(density_.data()),
            rest_density_.data(),
            mu_.data(),
            fluid_number_.data(),
            objects_.any() ? coupling_.view() : CouplingView<D>(),
            objects_.any() ? const_cast<BodyCoupling<D>*>(&coupling_) : nullptr,
            fluid_.turns ? fluid_.spin.view() : VectorView<k_spin_size<D>>()};
}

template <int D>
void World<D>::resize_step_arrays() {
    density_.resize(fluid_.count);
    rest_density_.resize(fluid_.count);
    mu_.resize(fluid_.count);
    fluid_number_.resize(fluid_.count);
    acceleration_.resize(fluid_.count);
}

template class World<2>;
template class World<3>;

}  // namespace millrace
