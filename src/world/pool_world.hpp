#pragma once

#include <memory>

#include "geometry/solid.hpp"
#include "millrace/pool.hpp"
#include "millrace/simulation.hpp"
#include "rigid/flat_bodies.hpp"
#include "world/read_particles.hpp"

namespace millrace {

/// Of the method of a scene of the engine game [m]. Throws InputError for wrong settings.
double kernel_radius(const Scene& scene);

/// A scene of the engine game: its fluid in a pool, its walls as solids there, its bodies
/// beside it.
class PoolWorld {
  public:
    /// Throws InputError for a scene that cannot be built.
    PoolWorld(const Scene& scene, SceneSolids<2> solids, int threads);
    /// The same, where nobody has made the solids yet.
    PoolWorld(const Scene& scene, int threads) : PoolWorld(scene, make_solids<2>(scene), threads) {}

    /// One step of the pool and of the bodies, ending no later than `latest`.
    StepReport step(double latest);

    double time() const { return time_; }
    std::int64_t step_count() const { return step_; }
    std::size_t fluid_count() const { return pool_.size(); }
    std::size_t boundary_count() const { return 0; }
    std::uint64_t lost_count() const { return lost_; }
    const std::vector<std::uint64_t>& sunk_counts() const { return sunk_; }
    std::vector<std::string> warnings() const { return {}; }
    std::vector<ObjectSurface> surfaces() const { return {}; }  ///< the scene's outlines say it all
    std::string device_name() const { return "cpu"; }
    int threads() const { return pool_.options().threads; }
    std::vector<BodyView> bodies() const;
    std::vector<float> host_densities() const;  ///< [kg/m^2]
    std::size_t memory_bytes() const;

    HostParticles host_particles() const;  ///< valid until the next step
    std::vector<std::uint64_t> emitted_counts() const;
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);

  private:
    void add_fluids();
    void add_walls();
    void add_bodies();
    void add_emitters();
    void fill();

    double step_length(double latest) const;
    void set_emitters();
    void remove_sunk();
    void place_solids(double dt);
    void move_bodies(float dt);
    void measure(StepReport& report) const;
    float rest_density(std::size_t particle) const;

    struct SceneEmitter {
        EmitterId id;
        Emitter emitter;
        EmitterOptions options;
    };

    Scene scene_;
    SceneSolids<2> solids_;
    Pool pool_;
    FlatDescription flat_;
    std::vector<SolidId> wall_solids_, body_solids_;
    std::vector<SolidState> wall_states_;  ///< at the start of the step
    std::unique_ptr<FlatBodies> bodies_;   ///< null without bodies
    std::vector<SolidPush> pushes_;        ///< of the last step
    std::vector<SceneEmitter> emitters_;
    std::vector<std::uint64_t> sunk_;
    double time_ = 0, last_dt_ = 1;
    std::int64_t step_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace millrace
