#pragma once

#include <memory>

#include "geometry/solid.hpp"
#include "millrace/simulation.hpp"
#include "world/read_particles.hpp"

namespace millrace {

/// A scene whose fluid, contacts, joints and motors are solved together (S2): pressure.method
/// "spook" in 3D, and in 2D with rigid.engine "spook". It runs on the CPU.
template <int D>
class ConstraintWorld {
  public:
    /// Throws InputError for a scene that cannot be built.
    ConstraintWorld(const Scene& scene, SceneSolids<D> solids, int threads);
    /// The same, where nobody has made the solids yet.
    ConstraintWorld(const Scene& scene, int threads)
        : ConstraintWorld(scene, make_solids<D>(scene), threads) {}
    ConstraintWorld(ConstraintWorld&&) noexcept;
    ConstraintWorld& operator=(ConstraintWorld&&) noexcept;
    ~ConstraintWorld();

    /// One step of S2 Algorithm VIII.1, ending no later than `latest`.
    StepReport step(double latest);

    double time() const;
    std::int64_t step_count() const;
    std::size_t fluid_count() const;
    std::size_t boundary_count() const { return 0; }
    std::uint64_t lost_count() const;
    const std::vector<std::uint64_t>& sunk_counts() const;
    std::vector<std::string> warnings() const;
    std::vector<ObjectSurface> surfaces() const;
    std::string device_name() const { return "cpu"; }
    int threads() const;
    std::vector<BodyView> bodies() const;
    std::vector<float> host_densities() const;  ///< [kg/m^D]
    std::size_t memory_bytes() const;

    HostParticles host_particles() const;  ///< valid until the next step
    std::vector<std::uint64_t> emitted_counts() const;
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);

    /// The largest error of any joint: a length, or an angle times `arm` [m].
    double joint_error(double arm) const;
    /// What is left of the density rows after every sweep of the last step, relative density.
    /// Found only while asked for: it costs as much as a sweep.
    void watch_residuals(bool on);
    const std::vector<double>& residuals() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
