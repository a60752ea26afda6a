#pragma once

#include <optional>
#include <vector>

#include "exec/vector_buffer.hpp"
#include "math/mat.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// The opening of an emitter: the flow runs along the first axis of the frame, its position is the
/// centre of the opening.
template <int D>
struct NozzleFrame {
    Mat<D, double> axes;  ///< columns: flow, across (and up)
    Vec<D, double> position;
    Vec<D, double> velocity = Vec<D, double>::all(0);  ///< of the nozzle itself [m/s]
};

template <int D>
NozzleFrame<D> nozzle_frame(const Emitter& emitter);

/// Fluid within a nozzle flows with it, whatever pushes: it cannot fall back.
template <int D>
struct HoldZone {
    Vec<D> position, flow, velocity;
    Vec<D> across, up;
    float length, radius, half_width, half_height;  ///< radius 0: a rectangle
    MILLRACE_HD bool contains(const Vec<D>& x) const {
        const Vec<D> d = x - position;
        const float s = dot(d, flow), a = dot(d, across), b = D == 3 ? dot(d, up) : 0.0f;
        if (!(s > -length && s <= 0))
            return false;
        return radius > 0 ? a * a + b * b <= radius * radius
                          : fabsf(a) <= half_width && fabsf(b) <= half_height;
    }
};

/// Emits layers of particles a spacing apart, on a lattice across the opening.
template <int D>
class EmitterState {
  public:
    EmitterState(const Emitter& emitter, double spacing);

    /// The particles that have come in until a time and since the last call, where they are now.
    std::vector<Vec<D>> emit(double time, const NozzleFrame<D>& frame);
    HoldZone<D> hold_zone(const NozzleFrame<D>& frame) const;

    std::uint64_t emitted() const { return emitted_; }
    /// It has sent out all that it may.
    bool spent() const {
        return emitter_.max_particles > 0 && emitted_ + layer_.size() > emitter_.max_particles;
    }
    void restore(std::uint64_t emitted);

    const Emitter& emitter() const { return emitter_; }

  private:
    Emitter emitter_;
    double spacing_;
    double layer_distance_;              ///< along the flow, a spacing where whole ones fit across
    std::vector<Vec<D, double>> layer_;  ///< in the plane of the opening
    std::uint64_t layers_ = 0;           ///< that have come in
    std::uint64_t emitted_ = 0;
};

/// Particles that an emitter sends out until a time.
template <int D>
double count_emitted(const Emitter& emitter, double spacing, double end);

/// The walls of a nozzle, `depth` [m] outside of the fluid: a short tube with a closed back, as
/// samples in the frame of the nozzle's surroundings.
template <int D>
std::vector<Vec<D>> nozzle_samples(const Emitter& emitter, double spacing, double depth);

}  // namespace millrace
