#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "millrace/error.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// What one step did; the fields of a line of stats.jsonl.
struct StepReport {
    std::int64_t step = 0;  ///< counted from 1
    double time = 0;        ///< simulated time after the step [s]
    double dt = 0;          ///< [s]
    std::size_t fluid_particles = 0;
    std::size_t boundary_particles = 0;
    int iterations = 0;  ///< of the pressure solver
    int divergence_iterations = 0;
    bool converged = true;         ///< false: the solver stopped at max_iterations
    double avg_density_error = 0;  ///< predicted compression, relative, mean over all particles
    double max_density_error = 0;  ///< the same of the worst particle
    double avg_density = 0;        ///< [kg/m^3], at the start of the step, as is the next
    double compression = 0;        ///< true density error: mean of (rho / rho0 - 1)+
    double max_speed = 0;          ///< [m/s]
    double kinetic_energy = 0;     ///< [J]
    double potential_energy = 0;   ///< [J], zero at the origin
    double max_height = 0;         ///< [m] highest particle centre against gravity, plus h/2
    /// How often the step was begun and not taken, since it would have left the scale of the scene
    int retakes = 0;
    std::uint64_t outside = 0;  ///< particles that went through closed walls, so far
    struct {
        double neighbors = 0, density = 0, forces = 0, pressure = 0, rigid = 0, total = 0;
    } ms;  ///< wall time of the stages [ms]
};

/// The whole changing state, enough to go on with the same bits.
struct Snapshot {
    double time = 0;
    std::int64_t step = 0;
    double last_dt = 1;             ///< length of the last step [s]
    std::uint64_t lost = 0;         ///< particles that left the domain so far
    std::uint64_t outside = 0;      ///< particles that went through closed walls so far
    std::vector<double> time_step;  ///< how the length of the steps is chosen; empty: from anew
    std::vector<float> positions;   ///< `dimension` floats per particle
    std::vector<float> velocities;  ///< likewise
    std::vector<float> volumes;
    std::vector<float> pressures;
    std::vector<float> divergence_pressures;  ///< of the first solve of dfsph
    std::vector<std::uint32_t> ids;
    std::vector<std::uint8_t> fluids;
    std::vector<float> spins;   ///< of micropolar fluids: in 2D 1 float per particle, in 3D 3
    std::uint32_t next_id = 0;  ///< of the next particle of an emitter
    std::vector<std::uint64_t> emitted;  ///< by every emitter so far
    std::vector<std::uint64_t> sunk;     ///< in every sink so far
    std::vector<double> bodies;          ///< so many numbers a body: state and what holds it
    std::vector<std::uint8_t> pool;      ///< of a scene that runs in the pool: Pool::save
};

/// The particles of one moment in arrays of their own, which other threads may read while the
/// simulation goes on.
struct ParticleArrays {
    std::vector<float> positions;   ///< x, y, z of every particle [m]; z is 0 in 2D
    std::vector<float> velocities;  ///< likewise [m/s]
    std::vector<float> densities;   ///< [kg/m^3] at the start of the last step
    std::vector<float> pressures;   ///< [Pa]; empty where they were not asked for
    std::vector<std::uint32_t> ids;
    std::vector<std::uint8_t> fluids;  ///< number of the particle's fluid in the scene
};

/// A rigid body as it is now. Vectors are of the world.
struct BodyView {
    std::string name;
    Vector position{};                           ///< of the centre of mass [m]
    std::array<double, 4> rotation{1, 0, 0, 0};  ///< quaternion w, x, y, z
    Vector velocity{};                           ///< of the centre of mass [m/s]
    Vector angular_velocity{};                   ///< [rad/s]
    Vector force{};                              ///< of the fluid in the last step [N]
    Vector torque{};                             ///< of the fluid, about the centre of mass [N m]
};

/// The surface of a wall or a body as triangles: of a wall in the world's frame, before it moved;
/// of a body about its centre of mass, along the axes of its frame. A plane has none.
struct ObjectSurface {
    std::string name;
    bool is_body = false;
    std::vector<Vector> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// How many particles and how much memory a scene takes, found without building it.
struct SceneSize {
    double fluid_particles = 0;
    double boundary_particles = 0;
    double bytes = 0;
};
SceneSize estimate_size(const Scene& scene);

/// A fluid simulation: built from a scene, stepped, read. Not safe for use from several threads at
/// once; several simulations side by side are.
class Simulation {
  public:
    struct Options {
        std::string device = "auto";  ///< "cpu", "cuda", or "auto": the GPU where there is one
        int threads = 0;              ///< on the CPU; 0: all cores
        /// Whether fluid beside walls that its lattice does not fit comes to rest before the first
        /// step; false for a snapshot that will be restored
        bool settle = true;
        /// Called meanwhile with the part that is done; empty: nobody wants to know
        std::function<void(double part)> on_settle{};
    };

    /// Throws InputError for a scene that cannot be built, RunError where the device is missing.
    explicit Simulation(const Scene& scene, const Options& options);
    explicit Simulation(const Scene& scene) : Simulation(scene, Options()) {}
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// One step as long as the scene's time_step allows, ending no later than `latest` [s], which
    /// must be later than time().
    /// Throws RunError when the simulation has blown up.
    StepReport step(double latest = 1e300);
    /// Steps until exactly `seconds` have passed; returns the last step's report.
    StepReport advance(double seconds);

    int dimension() const;
    double time() const;
    std::int64_t step_count() const;
    std::size_t fluid_count() const;
    std::size_t boundary_count() const;
    /// Particles that left the domain and were removed.
    std::uint64_t lost_count() const;
    /// Particles that went through the walls of a tank and are there still: a sign of steps or
    /// particles that are too coarse. Boxes that hold fluid and do not move are watched.
    std::uint64_t outside_count() const;

    /// `dimension` floats per particle. Particles change places from step to step: ids() tells
    /// which is which. A span is valid until the next call of step, advance or restore. The first
    /// call after a step copies the array, and no other one, from the GPU where it runs there.
    std::span<const float> positions() const;
    std::span<const float> velocities() const;
    /// [kg/m^3] at the start of the last step
    std::span<const float> densities() const;
    std::span<const float> pressures() const;  ///< [Pa]
    std::span<const float> volumes() const;    ///< at rest [m^3]
    std::span<const std::uint32_t> ids() const;
    std::span<const std::uint8_t> fluids() const;  ///< number of the particle's fluid in the scene
    /// Copies of several arrays at once, which stay.
    ParticleArrays read_particles(bool with_pressures = true) const;
    /// What a probe in the fluid reads at this moment (docs/running.md), one of the scene or any
    /// other: of "height" and "front" the place [m], of "pressure" [Pa], of "velocity" `dimension`
    /// numbers [m/s], of "energy" the kinetic and the potential one [J]. Empty where there is
    /// nothing to read, such as the height of no water. On the GPU it is found there.
    std::vector<double> probe(const Probe& probe) const;
    std::span<const float> boundary_positions() const;
    /// The scene's bodies, in its order.
    std::vector<BodyView> bodies() const;
    /// The scripted walls, in the order of the scene; the position is that of the origin of their
    /// frame, which was the world's before they moved.
    std::vector<BodyView> moving_walls() const;
    /// The surfaces of walls and bodies, for pictures and files.
    std::vector<ObjectSurface> surfaces() const;
    /// Particles that every sink of the scene has taken.
    std::vector<std::uint64_t> sunk_counts() const;
    /// Particles that every emitter of the scene has made, those of the first fluid first.
    std::vector<std::uint64_t> emitted_counts() const;
    /// What was mended in the scene or is known to go wrong there, and what went wrong since: one
    /// line each.
    std::vector<std::string> warnings() const;
    std::size_t warning_count() const;

    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);

    /// "cpu" or the name of the GPU
    std::string device_name() const;
    int threads() const;
    std::size_t memory_bytes() const;  ///< of particles, lists and solver

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// "0.1.0"
std::string version();
/// Whether this build has a GPU side, and whether a GPU is there.
bool has_cuda();
bool cuda_available();

}  // namespace millrace
