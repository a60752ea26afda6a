#pragma once

#include <functional>
#include <memory>

#include "fluid/forces.hpp"
#include "millrace/simulation.hpp"
#include "particles/fluid_particles.hpp"
#include "pressure/pressure_solver.hpp"
#include "timestep/time_step_controller.hpp"
#include "world/closed_walls.hpp"
#include "world/emitter_set.hpp"
#include "world/fluid_fill.hpp"
#include "world/moving_objects.hpp"
#include "world/sampled_solids.hpp"
#include "world/watch.hpp"

namespace millrace {

// Spray, that is particles with hardly a neighbour, may go three times as far in a step: nothing
// happens to them on their way, and less than the reach of the walls' samples stops them there.
// Otherwise one drop would set the step of the whole fluid.
inline constexpr float k_spray_density = 0.6f;
inline constexpr float k_spray_way = 3;

/// A scene, sampled and running on a device.
template <int D>
class World {
  public:
    /// `settle` is called while the fluid comes to rest, with the part that is done; where there is
    /// none, it is left as it was filled: for a snapshot that will be restored.
    using Settling = std::function<void(double part)>;
    World(const Scene& scene, SceneSolids<D> solids, const Device& device, const Settling& settle);
    /// The same, where nobody has made the solids yet.
    World(
        const Scene& scene, const Device& device, const Settling& settle = [](double) {})
        : World(scene, make_solids<D>(scene), device, settle) {}

    /// One step of S1 Algorithm 1, ending no later than `latest`. One that would leave the scale
    /// of the scene is taken shorter; throws RunError where that does not help.
    StepReport step(double latest);

    double time() const { return time_; }
    std::int64_t step_count() const { return step_; }
    std::size_t fluid_count() const { return fluid_.count; }
    std::size_t boundary_count() const { return walls_.count(); }
    std::uint64_t lost_count() const { return lost_; }
    std::uint64_t outside_count() const { return outside_; }
    const std::vector<std::uint64_t>& sunk_counts() const { return sunk_; }
    std::vector<std::uint64_t> emitted_counts() const;
    const MovingObjects<D>& objects() const { return objects_; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    const std::vector<ObjectSurface>& surfaces() const { return surfaces_; }
    const Device& device() const { return device_; }
    std::string device_name() const { return device_.name(); }
    int threads() const { return device_.threads(); }
    const FluidParticles<D>& fluid() const { return fluid_; }
    const BoundaryParticles<D>& walls() const { return walls_; }
    std::vector<float> host_densities() const;  ///< [kg/m^D]
    std::size_t memory_bytes() const;

    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);

    // The stages of a step in their order, public for benchmarks and tests.
    void find_neighbors();
    FluidView<D> view() const;

  private:
    typename UniformGrid<D>::Bounds alive_bounds() const;
    World(const Scene& scene, const Device& device, const SampledSolids<D>& built,
          const Settling& settle);
    void place_objects();
    void fill_with_fluid(const SampledSolids<D>& built);
    void remove_sunk();
    void emit();
    FluidSamples<D> sample(const SampledSolids<D>& built, AtWalls at_walls) const;
    void set_fluid(const FluidSamples<D>& samples);
    void set_rest_volumes();
    void settle_fill(const SampledSolids<D>& built, const Settling& settle);
    double settle_once(float friction, float longest_way, float stiffness);
    void remove_between_samples();
    void remove_denser(float limit);
    void resize_step_arrays();
    struct Lengths {
        double dt;
        double uncut;    ///< what dt would have been without a time to end at
        double natural;  ///< the flow's own time, in which errors are undone
        double kick;     ///< how long forces act: dt, or half of the last step and of this one

        double share() const { return dt < natural ? dt / natural : 1; }
    };
    Lengths take_step(double latest, StepReport& report);
    Lengths apply_forces(double latest, double longest);
    Lengths choose_length(double latest, double longest);
    std::string judge(double dt, double kinetic_before);
    double work_on_objects() const;
    [[noreturn]] void give_up(double time, const std::string& complaint) const;
    std::string moving_near(const Vec<D>& place) const;
    double in_parts(double dt, double bearable);
    StepLength solver_step(const Lengths& length) const;
    void find_contacts();
    void start_coupling(double dt);
    void forget_pressures();
    bool find_hold_zones();
    void calm_emitted();
    void hold_emitted();
    void integrate(double dt);
    std::string move_bodies(const Lengths& length);
    void measure(StepReport& report);

    Scene scene_;
    SceneSize expected_;  ///< to the end of the run
    Device device_;
    float spacing_;
    Materials materials_;
    BoundaryParticles<D> walls_;
    MovingObjects<D> objects_;
    BodyCoupling<D> coupling_;
    FluidParticles<D> fluid_;
    std::size_t first_count_ = 0;  ///< particles at the start: bounds the grid's table
    UniformGrid<D> grid_;
    NeighborList<D> fluid_neighbors_, wall_neighbors_;
    FluidForces<D> forces_;
    std::unique_ptr<PressureSolver<D>> pressure_;

    Buffer<float> density_, rest_density_, mu_, fluid_number_;
    VectorBuffer<D> acceleration_;  ///< later in the step: the predicted velocity

    double time_ = 0;
    std::int64_t step_ = 0;
    double last_dt_ = 1;
    TimeStepController time_step_;
    // these set the length of the next step
    double max_speed_ = 0;
    double pressure_speed_ = 0;  ///< sqrt(max p / rho0)
    double depth_speed_ = 0;     ///< the same for a column as high as the fluid
    double depth_ = 0;           ///< twice the mean height over the lowest particle [m]
    double rms_speed_ = 0;       ///< of the fluid, by its kinetic energy [m/s]
    double compression_ = 0;     ///< mean of (rho / rho0 - 1)+
    double mass_ = 0;            ///< of the fluid [kg]
    std::uint64_t lost_ = 0;
    Watch watch_;
    ClosedWalls<D> closed_walls_;
    std::uint64_t outside_ = 0;            ///< particles that went through closed walls
    std::uint32_t crossings_[2] = {0, 0};  ///< of closed walls in the step to come: out, in
    std::vector<Twist<D>> twists_;         ///< of the objects, without the fluid

    EmitterSet<D> emitters_;
    Buffer<HoldZone<D>> hold_zones_;
    std::uint32_t next_id_ = 0;
    std::vector<std::uint64_t> sunk_;  ///< particles that every sink has taken
    std::vector<std::string> warnings_;
    bool takes_parts_ = false, leaks_ = false;  ///< which was said
    std::vector<ObjectSurface> surfaces_;
};

}  // namespace millrace
