#include "diffuse/advance.hpp"

#include "diffuse/motion.hpp"
#include "diffuse/spawn.hpp"
#include "exec/parallel.hpp"

namespace millrace {

void advance(DiffuseParticles& particles, const FluidFrame& from, const FluidFrame& to,
             const DiffuseThresholds& thresholds, const DiffuseOptions& options,
             const Obstacles& obstacles) {
    const Device device = Device::cpu(options.threads);
    const SortedFluid fluid(device, to, options.spacing);
    move_all(particles, fluid, to.time - from.time, options, obstacles, device);
    const std::size_t old_count = particles.count();
    spawn(particles, fluid, from, to, thresholds, options, obstacles, device);
    for_each(device, particles.count() - old_count, [&](std::uint32_t k) {
        const std::size_t d = old_count + k;
        particles.kinds[d] = kind_by(near_fluid(fluid, particles.positions[d]).count);
    });
}

double diffuse_memory(double fluid_particles, double diffuse_particles) {
    // grid, sorted copies, normals and potentials; the particles, and once more while they grow
    return 240 * fluid_particles + 2 * 40 * diffuse_particles;
}

}  // namespace millrace
