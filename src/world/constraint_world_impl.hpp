#pragma once

#include "rigid/spook_bodies.hpp"
#include "spook/viscous_rows.hpp"
#include "world/constraint_world.hpp"
#include "world/emitter_set.hpp"
#include "world/fluid_solids.hpp"

namespace millrace {

template <int D>
struct ConstraintWorld<D>::Impl {
    Impl(const Scene& scene, SceneSolids<D> solids, int threads);

    void fill();
    void relax_fill();
    StepReport step(double latest);

    // the stages of a step, in their order
    struct Lengths {
        double dt, natural;  ///< of the step, and of the one that it is a part of [s]
    };
    Lengths choose_length(double latest) const;
    void place_solids(double dt);
    void find_contacts(double dt);
    FluidStep<D> fluid_step(double dt, double natural);
    void emit();
    void remove_sunk();
    void remove_outside();
    void sort();
    void predict(double dt);
    int solve(const FluidStep<D>& step, double dt);
    void move(double dt);
    void measure(StepReport& report);

    void keep(const std::vector<std::uint8_t>& stays);
    float rest_density(std::size_t i) const;
    std::span<const BodyState> wall_states() const { return walls_; }

    Scene scene;
    Workers workers;
    std::vector<std::string> warnings;
    SceneSolids<D> scene_solids;
    RigidDescription description;
    DensityRows<FluidStep<D>> density;
    ViscousRows<D> viscous;
    SpookBodies bodies;
    FluidSolids<D> solids;
    Columns<D> columns;

    // of every particle
    std::vector<Vec<D>> position, velocity;
    std::vector<float> pressure, relative_density, inverse_mass, mu;
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> fluid;
    std::vector<float> way;  ///< that each goes in a step [m]

    std::vector<BodyState> walls_;
    std::vector<BodyPush> fluid_pushes;  ///< on bodies and walls in the step at hand
    std::vector<Wrench> pushes;          ///< of the fluid on the bodies in the last step
    EmitterSet<D> emitters;
    std::vector<HoldZone<D>> zones;
    std::vector<std::uint64_t> sunk;
    double time = 0, last_dt = 1, max_speed = 0;
    std::int64_t step_count = 0;
    std::uint64_t lost = 0;
    std::uint32_t next_id = 0;
    bool watches = false;
    std::vector<double> residuals;
};

}  // namespace millrace
