#include "io/particle_frame.hpp"

#include <algorithm>
#include <utility>

#include "io/run_identity.hpp"

namespace millrace {

namespace {

bool has_pressures(const Scene& scene) {
    const auto& wanted = scene.output.fields;
    return std::find(wanted.begin(), wanted.end(), "pressure") != wanted.end();
}

}  // namespace

ParticleFrame particle_frame(const Scene& scene, double identity, const Simulation& simulation) {
    const bool with_pressures = has_pressures(scene);
    ParticleArrays arrays = simulation.read_particles(with_pressures);
    ParticleFrame frame;
    frame.time = simulation.time();
    frame.dimension = scene.dimension;
    frame.positions = std::move(arrays.positions);
    frame.fields.reserve(5);
    frame.fields.push_back({"velocity", 3, std::move(arrays.velocities)});
    frame.fields.push_back({"density", 1, std::move(arrays.densities)});
    frame.fields.push_back({"id", 1, std::move(arrays.ids)});
    if (with_pressures)
        frame.fields.push_back({"pressure", 1, std::move(arrays.pressures)});
    if (scene.fluids.size() > 1)
        frame.fields.push_back(
            {"fluid", 1, std::vector<std::uint32_t>(arrays.fluids.begin(), arrays.fluids.end())});
    frame.numbers[k_run_identity] = identity;
    return frame;
}

double frame_memory(const Scene& scene, double particles) {
    if (scene.output.particles.empty())
        return 0;
    constexpr double k_file = 64;  // bytes of a particle, with the blocks that it is packed from
    const double numbers = 8 + (has_pressures(scene) ? 1 : 0) + (scene.fluids.size() > 1 ? 1 : 0);
    return (k_most_frames * numbers * sizeof(float) + k_file) * particles;
}

}  // namespace millrace
