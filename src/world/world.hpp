#pragma once

#include <memory>

#include "fluid/forces.hpp"
#include "millrace/simulation.hpp"
#include "particles/emitter.hpp"
#include "particles/fluid_particles.hpp"
#include "pressure/pressure_solver.hpp"
#include "timestep/time_step_controller.hpp"
#include "world/moving_objects.hpp"
#include "world/scene_objects.hpp"

namespace millrace {

/// A scene, sampled and running on a device.
template <int D>
class World {
  public:
    World(const Scene& scene, const Device& device);

    /// One step of S1 Algorithm 1, ending no later than `latest`.
    StepReport step(double latest);

    double time() const { return time_; }
    std::int64_t step_count() const { return step_; }
    std::size_t fluid_count() const { return fluid_.count; }
    std::size_t boundary_count() const { return walls_.count(); }
    std::uint64_t lost_count() const { return lost_; }
    const std::vector<std::uint64_t>& sunk_counts() const { return sunk_; }
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
    World(const Scene& scene, const Device& device, const SceneObjects<D>& built);
    void place_objects();
    void fill_with_fluid(const SceneObjects<D>& built);
    void remove_sunk();
    void emit();
    double emitter_speed() const;
    std::vector<NozzleFrame<D>> nozzle_frames() const;
    void set_rest_volumes();
    void resize_step_arrays();
    struct Lengths {
        double dt;
        double uncut;  ///< what dt would have been without a time to end at
    };
    Lengths apply_forces(double latest);
    Lengths choose_length(double latest);
    StepLength solver_step(const Lengths& length) const;
    void find_contacts();
    void start_coupling(double dt);
    bool find_hold_zones();
    void calm_emitted();
    void hold_emitted();
    void integrate(double dt);
    void move_bodies(double dt);
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
    std::uint64_t lost_ = 0;

    std::vector<EmitterState<D>> emitters_;
    std::vector<std::uint8_t> emitter_fluids_;
    std::vector<int> emitter_bodies_;  ///< that they ride on; -1: none
    std::vector<Vec3d> body_centers_;  ///< centres of mass in the bodies' frames
    Buffer<HoldZone<D>> hold_zones_;
    std::uint32_t next_id_ = 0;
    std::vector<std::uint64_t> sunk_;  ///< particles that every sink has taken
    std::vector<std::string> warnings_;
    std::vector<ObjectSurface> surfaces_;
};

}  // namespace millrace
