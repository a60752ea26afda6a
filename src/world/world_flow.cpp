// What comes into a World and leaves it: emitters and sinks.
#include <algorithm>
#include <cmath>

#include "exec/parallel.hpp"
#include "math/portable.hpp"
#include "math/scene_vectors.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

/// Takes particles in a sink out of the world: without a place they are not alive.
template <int D>
struct TakeOut {
    typename UniformGrid<D>::Bounds box;
    VectorView<D> position;
    MILLRACE_HD std::uint32_t operator()(std::uint32_t i) const {
        if (!box.contains(position.get(i)))
            return 0;
        position.set(i, Vec<D>::all(k_nowhere));
        return 1;
    }
};

struct Add {
    MILLRACE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a + b; }
};

template <int D>
struct Calm {
    const HoldZone<D>* zones;
    int count;
    VectorView<D> position;
    float* density;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x = position.get(i);
        for (int z = 0; z < count; ++z)
            if (zones[z].contains(x))
                density[i] = fminf(density[i], 1.0f);
    }
};

template <int D>
struct Hold {
    const HoldZone<D>* zones;
    int count;
    VectorView<D> position, velocity;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x = position.get(i);
        for (int z = 0; z < count; ++z)
            if (zones[z].contains(x))
                velocity.set(i, zones[z].velocity);
    }
};

}  // namespace

template <int D>
void World<D>::remove_sunk() {
    for (std::size_t s = 0; s < scene_.sinks.size(); ++s) {
        typename UniformGrid<D>::Bounds box;
        box.min = to_vec<D>(scene_.sinks[s].box.min);
        box.max = to_vec<D>(scene_.sinks[s].box.max);
        if (fluid_.count == 0)
            continue;
        const std::uint32_t taken = reduce(device_, fluid_.count, std::uint32_t{0},
                                           TakeOut<D>{box, fluid_.position.view()}, Add{});
        sunk_[s] += taken;
        lost_ -= taken;  // find_neighbors counts all that are gone
    }
}

/// Where the emitters are now: those on bodies move along.
template <int D>
std::vector<NozzleFrame<D>> World<D>::nozzle_frames() const {
    std::vector<NozzleFrame<D>> frames;
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
        NozzleFrame<D> frame = nozzle_frame<D>(emitters_[e].emitter());
        if constexpr (D == 3)
            if (emitter_bodies_[e] >= 0) {
                const BodyState& body = objects_.bodies()[emitter_bodies_[e]];
                const Vec3d arm =
                    rotate(body.rotation, frame.position - body_centers_[emitter_bodies_[e]]);
                frame.position = body.position + arm;
                frame.axes = to_matrix(body.rotation) * frame.axes;
                frame.velocity = body.velocity + cross(body.angular_velocity, arm);
            }
        frames.push_back(frame);
    }
    return frames;
}

template <int D>
void World<D>::emit() {
    if (emitters_.empty())
        return;
    const std::vector<NozzleFrame<D>> frames = nozzle_frames();
    const float volume = portable::power(spacing_, D);
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
        const std::vector<Vec<D>> come = emitters_[e].emit(time_, frames[e]);
        if (come.empty())
            continue;
        const Vec<D> velocity = emitters_[e].hold_zone(frames[e]).velocity;
        fluid_.append(device_, come, velocity, volume, next_id_, emitter_fluids_[e]);
        next_id_ += static_cast<std::uint32_t>(come.size());
    }
}

/// The fastest flow that comes in now.
template <int D>
double World<D>::emitter_speed() const {
    double fastest = 0;
    for (const EmitterState<D>& emitter : emitters_)
        if (time_ >= emitter.emitter().from && time_ < emitter.emitter().until && !emitter.spent())
            fastest = std::max(fastest, emitter.emitter().speed);
    return fastest;
}

template <int D>
bool World<D>::find_hold_zones() {
    std::vector<HoldZone<D>> zones;
    const std::vector<NozzleFrame<D>> frames = nozzle_frames();
    for (std::size_t e = 0; e < emitters_.size(); ++e)
        if (time_ >= emitters_[e].emitter().from && time_ < emitters_[e].emitter().until &&
            !emitters_[e].spent())
            zones.push_back(emitters_[e].hold_zone(frames[e]));
    hold_zones_.assign(zones);
    return !zones.empty();
}

/// Fluid in a nozzle does not expand: it cannot give way, and would drive out what is before it.
template <int D>
void World<D>::calm_emitted() {
    if (find_hold_zones())
        for_each(device_, fluid_.count,
                 Calm<D>{hold_zones_.data(), static_cast<int>(hold_zones_.size()),
                         fluid_.position.view(), density_.data()});
}

template <int D>
void World<D>::hold_emitted() {
    if (hold_zones_.size() > 0)
        for_each(device_, fluid_.count,
                 Hold<D>{hold_zones_.data(), static_cast<int>(hold_zones_.size()),
                         fluid_.position.view(), acceleration_.view()});
}

template void World<2>::remove_sunk();
template void World<3>::remove_sunk();
template std::vector<NozzleFrame<2>> World<2>::nozzle_frames() const;
template std::vector<NozzleFrame<3>> World<3>::nozzle_frames() const;
template double World<2>::emitter_speed() const;
template double World<3>::emitter_speed() const;
template void World<2>::emit();
template void World<3>::emit();
template bool World<2>::find_hold_zones();
template bool World<3>::find_hold_zones();
template void World<2>::calm_emitted();
template void World<3>::calm_emitted();
template void World<2>::hold_emitted();
template void World<3>::hold_emitted();

}  // namespace millrace
