#include "diffuse/spawn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "diffuse/particle_index.hpp"
#include "diffuse/survivors.hpp"
#include "exec/parallel.hpp"
#include "math/portable.hpp"

namespace millrace {
namespace {

constexpr std::uint32_t k_most_of_one = 100'000;  // of a particle in a step, whatever the rate

/// Cut down where there is no room for all, by the same part everywhere.
std::vector<float> expected_counts(const Device& device, const SortedFluid& fluid, double dt,
                                   double room, const std::vector<PotentialValues>& values,
                                   const DiffuseThresholds& thresholds,
                                   const DiffuseOptions& options) {
    std::vector<float> expected(fluid.count());
    for_each(device, expected.size(), [&](std::uint32_t i) {
        const Potentials potentials = potentials_of(values[i], thresholds);
        expected[i] = static_cast<float>(
            std::min<double>(expected_count(potentials, options.rate, dt), k_most_of_one));
    });
    double sum = 0;
    for (const float n_d : expected)
        sum += n_d;
    if (sum > room)
        for (float& n_d : expected)
            n_d *= static_cast<float>(room / sum);
    return expected;
}

/// Longer for more violent water, and by chance, so that foam does not vanish all at once (S1
/// 'Dissolution').
float lifetime(double kinetic_potential, float xi, const DiffuseOptions& options) {
    return static_cast<float>(options.shortest_life +
                              (options.longest_life - options.shortest_life) * kinetic_potential *
                                  xi);
}

}  // namespace

SweptCylinder::SweptCylinder(const Vec3& from, const Vec3& to, double spacing, double dt)
    : start(from),
      way(to - from),
      radius(static_cast<float>(spacing * portable::cbrt(3 / (4 * std::numbers::pi)))),
      duration(static_cast<float>(dt)) {
    const float length = norm(way);
    const Vec3 along = length > 0 ? way / length : Vec3{{0, 1, 0}};
    // an axis that is not along it, less its part along it
    Vec3 other = Vec3::all(0);
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(along[k]) < std::abs(along[least]))
            least = k;
    other[least] = 1;
    across[0] = normalized(other - along * dot(other, along));
    across[1] = cross(along, across[0]);
}

void SweptCylinder::sample(RandomNumbers& random, Vec3& position, Vec3& velocity) const {
    const float r = radius * std::sqrt(random.next());
    const float theta = 2 * std::numbers::pi_v<float> * random.next();
    const Vec3 off_axis =
        across[0] * (r * portable::cos(theta)) + across[1] * (r * portable::sin(theta));
    position = start + off_axis + way * random.next();
    velocity = off_axis + way / duration;
}

void spawn(DiffuseParticles& particles, const SortedFluid& fluid, const FluidFrame& from,
           const FluidFrame& to, const DiffuseThresholds& thresholds, const DiffuseOptions& options,
           const Obstacles& obstacles, const Device& device) {
    const double dt = to.time - from.time;
    const std::size_t old_count = particles.count();
    if (!(dt > 0) || options.most <= old_count)
        return;
    const std::size_t room = options.most - old_count;
    const std::vector<PotentialValues> values =
        potential_values(device, fluid, options.spacing, least_kinetic(thresholds));
    const std::vector<float> expected =
        expected_counts(device, fluid, dt, static_cast<double>(room), values, thresholds, options);

    // where those of each fluid particle begin
    std::vector<std::size_t> begin(fluid.count() + 1, 0);
    for (std::uint32_t i = 0; i < fluid.count(); ++i) {
        std::uint32_t n = 0;
        if (expected[i] > 0)
            n = stochastically_rounded(
                expected[i],
                RandomNumbers(options.seed, to.ids[fluid.original(i)], to.time).next());
        begin[i + 1] = std::min(begin[i] + n, room);
    }
    const std::size_t added = begin.back();
    if (added == 0)
        return;
    resize(particles, old_count + added);
    const ParticleIndex places(from.ids);
    std::vector<std::uint8_t> keep(added);
    for_each(device, fluid.count(), [&](std::uint32_t i) {
        if (begin[i] == begin[i + 1])
            return;
        const std::uint32_t id = to.ids[fluid.original(i)];
        const Vec3 x = fluid.positions().get(i);
        const std::uint32_t before = places.find(id);
        // one that was not there came along its velocity
        Vec3 start = x - fluid.velocities().get(i) * static_cast<float>(dt);
        if (before != ParticleIndex::k_none)
            start = {{from.positions[3 * before], from.positions[3 * before + 1],
                      from.positions[3 * before + 2]}};
        const SweptCylinder cylinder(start, x, options.spacing, dt);
        const double kinetic = potentials_of(values[i], thresholds).kinetic;
        RandomNumbers random(options.seed, id, to.time);
        random.next();  // the one that rounded
        for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
            const std::size_t d = old_count + k;
            cylinder.sample(random, particles.positions[d], particles.velocities[d]);
            particles.ages[d] = 0;
            particles.lifetimes[d] = lifetime(kinetic, random.next(), options);
            particles.kinds[d] = DiffuseKind::foam;
            particles.ids[d] = particles.next_id + static_cast<std::uint32_t>(k);
            keep[k] = is_allowed(particles.positions[d], options) &&
                      !obstacles.blocks(start, particles.positions[d]);
        }
    });
    particles.next_id += static_cast<std::uint32_t>(added);
    remove_rest(particles, old_count, keep);
}

}  // namespace millrace
