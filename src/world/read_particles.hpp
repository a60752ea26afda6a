#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "millrace/simulation.hpp"

// What users see of a world's particles, brought to the host: every array by itself, and only those
// that someone asks for.
namespace millrace {

template <int D>
class World;
class PoolWorld;
template <int D>
class ConstraintWorld;

enum class ParticleField { position, velocity, volume, pressure, density };
inline constexpr int k_particle_fields = 5;

/// The particles of a world that keeps them on the host.
struct HostParticles {
    int dimension = 3;
    std::span<const float> positions, velocities;  ///< `dimension` floats a particle
    float volume = 0;                              ///< at rest, the same of all
    std::span<const float> pressures;
    std::span<const std::uint32_t> ids;
    std::span<const std::uint8_t> fluids;
};

/// `components` floats a vector: as many as the world has dimensions, or more, and those are 0.
template <int D>
std::vector<float> read_field(const World<D>& world, ParticleField field, int components = D);
std::vector<float> read_field(const PoolWorld& world, ParticleField field, int components = 2);
template <int D>
std::vector<float> read_field(const ConstraintWorld<D>& world, ParticleField field,
                              int components = D);

template <int D>
std::vector<std::uint32_t> read_ids(const World<D>& world);
template <class HostWorld>
std::vector<std::uint32_t> read_ids(const HostWorld& world) {
    const std::span<const std::uint32_t> ids = world.host_particles().ids;
    return {ids.begin(), ids.end()};
}

template <int D>
std::vector<std::uint8_t> read_fluids(const World<D>& world);
template <class HostWorld>
std::vector<std::uint8_t> read_fluids(const HostWorld& world) {
    const std::span<const std::uint8_t> fluids = world.host_particles().fluids;
    return {fluids.begin(), fluids.end()};
}

/// A frame's arrays, straight from the world.
template <class AnyWorld>
ParticleArrays read_particles(const AnyWorld& world, bool with_pressures) {
    return {read_field(world, ParticleField::position, 3),
            read_field(world, ParticleField::velocity, 3),
            read_field(world, ParticleField::density),
            with_pressures ? read_field(world, ParticleField::pressure) : std::vector<float>(),
            read_ids(world),
            read_fluids(world)};
}

/// The arrays that were read since the last step, each when it was asked for first.
class ReadArrays {
  public:
    template <class AnyWorld>
    std::span<const float> field(const AnyWorld& world, ParticleField field) {
        auto& array = fields_[static_cast<std::size_t>(field)];
        if (!array)
            array = read_field(world, field);
        return *array;
    }
    template <class AnyWorld>
    std::span<const std::uint32_t> ids(const AnyWorld& world) {
        if (!ids_)
            ids_ = read_ids(world);
        return *ids_;
    }
    template <class AnyWorld>
    std::span<const std::uint8_t> fluids(const AnyWorld& world) {
        if (!fluids_)
            fluids_ = read_fluids(world);
        return *fluids_;
    }
    void forget() { *this = {}; }

  private:
    std::array<std::optional<std::vector<float>>, k_particle_fields> fields_;
    std::optional<std::vector<std::uint32_t>> ids_;
    std::optional<std::vector<std::uint8_t>> fluids_;
};

}  // namespace millrace
