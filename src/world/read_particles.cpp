#include "world/read_particles.hpp"

#include <algorithm>

#include "exec/read_back.hpp"
#include "world/constraint_world.hpp"
#include "world/pool_world.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

std::vector<float> with_components(std::span<const float> flat, int dimension, int components) {
    if (dimension == components)
        return {flat.begin(), flat.end()};
    const std::size_t n = flat.size() / dimension;
    std::vector<float> wide(n * components, 0.0f);
    for (std::size_t i = 0; i < n; ++i)
        std::copy_n(&flat[i * dimension], dimension, &wide[i * components]);
    return wide;
}

template <class HostWorld>
std::vector<float> read_host_field(const HostWorld& world, ParticleField field, int components) {
    const HostParticles host = world.host_particles();
    switch (field) {
        case ParticleField::position:
            return with_components(host.positions, host.dimension, components);
        case ParticleField::velocity:
            return with_components(host.velocities, host.dimension, components);
        case ParticleField::volume:
            return std::vector<float>(host.ids.size(), host.volume);
        case ParticleField::pressure:
            return {host.pressures.begin(), host.pressures.end()};
        case ParticleField::density:
            break;
    }
    return world.host_densities();
}

}  // namespace

template <int D>
std::vector<float> read_field(const World<D>& world, ParticleField field, int components) {
    const FluidParticles<D>& fluid = world.fluid();
    switch (field) {
        case ParticleField::position:
            return read_flat(world.device(), fluid.position, fluid.count, components);
        case ParticleField::velocity:
            return read_flat(world.device(), fluid.velocity, fluid.count, components);
        case ParticleField::volume:
            return fluid.volume.to_host();
        case ParticleField::pressure:
            return fluid.pressure.to_host();
        case ParticleField::density:
            break;
    }
    return world.host_densities();
}

std::vector<float> read_field(const PoolWorld& world, ParticleField field, int components) {
    return read_host_field(world, field, components);
}

template <int D>
std::vector<float> read_field(const ConstraintWorld<D>& world, ParticleField field,
                              int components) {
    return read_host_field(world, field, components);
}

template <int D>
std::vector<std::uint32_t> read_ids(const World<D>& world) {
    return world.fluid().id.to_host();
}

template <int D>
std::vector<std::uint8_t> read_fluids(const World<D>& world) {
    return world.fluid().fluid.to_host();
}

template std::vector<float> read_field(const World<2>&, ParticleField, int);
template std::vector<float> read_field(const World<3>&, ParticleField, int);
template std::vector<float> read_field(const ConstraintWorld<2>&, ParticleField, int);
template std::vector<float> read_field(const ConstraintWorld<3>&, ParticleField, int);
template std::vector<std::uint32_t> read_ids(const World<2>&);
template std::vector<std::uint32_t> read_ids(const World<3>&);
template std::vector<std::uint8_t> read_fluids(const World<2>&);
template std::vector<std::uint8_t> read_fluids(const World<3>&);

}  // namespace millrace
