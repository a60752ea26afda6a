#include "world/emitter_set.hpp"

#include <algorithm>

namespace millrace {

template <int D>
EmitterSet<D>::EmitterSet(const Scene& scene, const SceneSolids<D>& solids) {
    for (std::size_t f = 0; f < scene.fluids.size(); ++f)
        for (const Emitter& emitter : scene.fluids[f].emitters) {
            states_.emplace_back(emitter, scene.spacing);
            fluids_.push_back(static_cast<std::uint8_t>(f));
            bodies_.push_back(-1);
            for (std::size_t b = 0; b < scene.bodies.size(); ++b)
                if (!emitter.body.empty() && scene.bodies[b].name == emitter.body)
                    bodies_.back() = static_cast<int>(b);
        }
    for (const SolidBody<D>& body : solids.bodies)
        centers_.push_back(body.center);
}

template <int D>
std::vector<NozzleFrame<D>> EmitterSet<D>::frames(std::span<const BodyState> bodies) const {
    std::vector<NozzleFrame<D>> frames;
    for (std::size_t e = 0; e < states_.size(); ++e) {
        NozzleFrame<D> frame = nozzle_frame<D>(states_[e].emitter());
        if (bodies_[e] >= 0) {
            const auto b = static_cast<std::size_t>(bodies_[e]);
            Vec3d at = Vec3d::all(0);
            for (int k = 0; k < D; ++k)
                at[k] = frame.position[k];
            const Vec3d arm = rotate(bodies[b].rotation, at - centers_[b]);
            const Vec3d velocity = bodies[b].velocity + cross(bodies[b].angular_velocity, arm);
            for (int k = 0; k < D; ++k) {
                frame.position[k] = bodies[b].position[k] + arm[k];
                frame.velocity[k] = velocity[k];
            }
            frame.axes = matrix_of<D>(bodies[b].rotation) * frame.axes;
        }
        frames.push_back(frame);
    }
    return frames;
}

template <int D>
bool EmitterSet<D>::flows(std::size_t e, double time) const {
    const Emitter& emitter = states_[e].emitter();
    return time >= emitter.from && time < emitter.until && !states_[e].spent();
}

template <int D>
std::vector<HoldZone<D>> EmitterSet<D>::zones(double time,
                                              std::span<const NozzleFrame<D>> frames) const {
    std::vector<HoldZone<D>> zones;
    for (std::size_t e = 0; e < states_.size(); ++e)
        if (flows(e, time))
            zones.push_back(states_[e].hold_zone(frames[e]));
    return zones;
}

template <int D>
double EmitterSet<D>::speed(double time) const {
    double fastest = 0;
    for (std::size_t e = 0; e < states_.size(); ++e)
        if (flows(e, time))
            fastest = std::max(fastest, states_[e].emitter().speed);
    return fastest;
}

template <int D>
std::vector<std::uint64_t> EmitterSet<D>::save() const {
    std::vector<std::uint64_t> emitted;
    for (const EmitterState<D>& state : states_)
        emitted.push_back(state.emitted());
    return emitted;
}

template <int D>
void EmitterSet<D>::restore(const std::vector<std::uint64_t>& emitted) {
    for (std::size_t e = 0; e < states_.size(); ++e)
        states_[e].restore(emitted[e]);
}

template class EmitterSet<2>;
template class EmitterSet<3>;

}  // namespace millrace
