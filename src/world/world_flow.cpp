// What comes into a World and leaves it: emitters and sinks.
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

template <int D>
void World<D>::emit() {
    if (emitters_.empty())
        return;
    const std::vector<NozzleFrame<D>> frames = emitters_.frames(objects_.bodies());
    const float volume = portable::power(spacing_, D);
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
        const std::vector<Vec<D>> come = emitters_[e].emit(time_, frames[e]);
        if (come.empty())
            continue;
        const Vec<D> velocity = emitters_[e].hold_zone(frames[e]).velocity;
        fluid_.append(device_, come, velocity, volume, next_id_, emitters_.fluid(e));
        next_id_ += static_cast<std::uint32_t>(come.size());
    }
}

template <int D>
bool World<D>::find_hold_zones() {
    const std::vector<HoldZone<D>> zones =
        emitters_.zones(time_, emitters_.frames(objects_.bodies()));
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
template void World<2>::emit();
template void World<3>::emit();
template bool World<2>::find_hold_zones();
template bool World<3>::find_hold_zones();
template void World<2>::calm_emitted();
template void World<3>::calm_emitted();
template void World<2>::hold_emitted();
template void World<3>::hold_emitted();

}  // namespace millrace
