#pragma once

#include <span>
#include <vector>

#include "geometry/solid.hpp"
#include "particles/emitter.hpp"

namespace millrace {

/// The emitters of a scene: what they have emitted, and where those that ride on bodies are.
template <int D>
class EmitterSet {
  public:
    EmitterSet(const Scene& scene, const SceneSolids<D>& solids);

    bool empty() const { return states_.empty(); }
    std::size_t size() const { return states_.size(); }
    EmitterState<D>& operator[](std::size_t e) { return states_[e]; }
    /// Number of the fluid that an emitter emits.
    std::uint8_t fluid(std::size_t e) const { return fluids_[e]; }

    /// Where the nozzles are while the bodies are in these states.
    std::vector<NozzleFrame<D>> frames(std::span<const BodyState> bodies) const;
    /// The zones of nozzles that flow at a time, in which fluid is held to its way.
    std::vector<HoldZone<D>> zones(double time, std::span<const NozzleFrame<D>> frames) const;
    /// The fastest flow that comes in at a time [m/s].
    double speed(double time) const;

    /// How many particles each has emitted.
    std::vector<std::uint64_t> save() const;
    void restore(const std::vector<std::uint64_t>& emitted);

  private:
    bool flows(std::size_t e, double time) const;

    std::vector<EmitterState<D>> states_;
    std::vector<std::uint8_t> fluids_;
    std::vector<int> bodies_;     ///< that they ride on; -1: none
    std::vector<Vec3d> centers_;  ///< of mass of every body, in its frame [m]
};

}  // namespace millrace
