#include "io/particle_frame.hpp"

#include <algorithm>

#include "io/run_identity.hpp"

namespace millrace {

namespace {

/// Three components a vector, in 2D too.
std::vector<float> in_space(std::span<const float> vectors, int dimension) {
    if (dimension == 3)
        return {vectors.begin(), vectors.end()};
    std::vector<float> padded;
    padded.reserve(vectors.size() / 2 * 3);
    for (std::size_t i = 0; i < vectors.size(); i += 2)
        padded.insert(padded.end(), {vectors[i], vectors[i + 1], 0});
    return padded;
}

template <class T, class From>
std::vector<T> list(std::span<const From> values) {
    return {values.begin(), values.end()};
}

}  // namespace

ParticleFrame particle_frame(const Scene& scene, const Simulation& simulation) {
    ParticleFrame frame;
    frame.time = simulation.time();
    frame.dimension = scene.dimension;
    frame.positions = in_space(simulation.positions(), scene.dimension);
    frame.fields = {{"velocity", 3, in_space(simulation.velocities(), scene.dimension)},
                    {"density", 1, list<float>(simulation.densities())},
                    {"id", 1, list<std::uint32_t>(simulation.ids())}};
    const auto& wanted = scene.output.fields;
    if (std::find(wanted.begin(), wanted.end(), "pressure") != wanted.end())
        frame.fields.push_back({"pressure", 1, list<float>(simulation.pressures())});
    if (scene.fluids.size() > 1)
        frame.fields.push_back({"fluid", 1, list<std::uint32_t>(simulation.fluids())});
    frame.numbers[k_run_identity] = run_identity(scene);
    return frame;
}

}  // namespace millrace
