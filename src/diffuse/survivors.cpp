#include "diffuse/survivors.hpp"

#include <cmath>

namespace millrace {

void resize(DiffuseParticles& particles, std::size_t count) {
    particles.positions.resize(count);
    particles.velocities.resize(count);
    particles.ages.resize(count);
    particles.lifetimes.resize(count);
    particles.kinds.resize(count);
    particles.ids.resize(count);
}

void remove_rest(DiffuseParticles& particles, std::size_t begin,
                 const std::vector<std::uint8_t>& keep) {
    std::size_t end = begin;
    for (std::size_t k = 0; k < keep.size(); ++k)
        if (keep[k])
            move_particle(particles, begin + k, end++);
    resize(particles, end);
}

bool is_allowed(const Vec3& position, const DiffuseOptions& options) {
    for (int k = 0; k < 3; ++k) {
        if (!std::isfinite(position[k]))
            return false;
        if (options.domain &&
            (position[k] < options.domain->min[k] || position[k] > options.domain->max[k]))
            return false;
    }
    return true;
}

}  // namespace millrace
