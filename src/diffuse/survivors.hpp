#pragma once

#include <cstdint>
#include <vector>

#include "diffuse/advance.hpp"

namespace millrace {

void resize(DiffuseParticles& particles, std::size_t count);

/// Puts particle `from` in the place of particle `to`.
inline void move_particle(DiffuseParticles& particles, std::size_t from, std::size_t to) {
    particles.positions[to] = particles.positions[from];
    particles.velocities[to] = particles.velocities[from];
    particles.ages[to] = particles.ages[from];
    particles.lifetimes[to] = particles.lifetimes[from];
    particles.kinds[to] = particles.kinds[from];
    particles.ids[to] = particles.ids[from];
}

/// Of the particles from `begin` on, those without a mark go; the others close up.
void remove_rest(DiffuseParticles& particles, std::size_t begin,
                 const std::vector<std::uint8_t>& keep);

/// Finite and inside the domain, where there is one.
bool is_allowed(const Vec3& position, const DiffuseOptions& options);

}  // namespace millrace
