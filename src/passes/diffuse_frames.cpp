#include "passes/diffuse_frames.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "io/particle_formats.hpp"
#include "io/rounding.hpp"
#include "io/run_identity.hpp"
#include "io/surface_files.hpp"
#include "millrace/error.hpp"
#include "passes/run_frames.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

const std::string k_next_id = "NextId";

template <class T>
const std::vector<T>& field(const ParticleFrame& frame, const std::string& name, int components) {
    const Field* found = frame.find(name);
    if (!found || found->components != components ||
        !std::holds_alternative<std::vector<T>>(found->data))
        throw InputError("the frame has no field '" + name + "'");
    return std::get<std::vector<T>>(found->data);
}

std::vector<float> flat(const std::vector<Vec3>& vectors) {
    std::vector<float> numbers;
    numbers.reserve(3 * vectors.size());
    for (const Vec3& v : vectors)
        numbers.insert(numbers.end(), v.c, v.c + 3);
    return numbers;
}

std::vector<Vec3> unflat(const std::vector<float>& numbers) {
    std::vector<Vec3> vectors(numbers.size() / 3);
    for (std::size_t i = 0; i < vectors.size(); ++i)
        vectors[i] = {{numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]}};
    return vectors;
}

}  // namespace

DiffuseOptions diffuse_options(const Scene& scene, const DiffuseOutput& output) {
    DiffuseOptions options;
    options.rate = output.rate;
    options.shortest_life = output.shortest_life;
    options.longest_life = output.longest_life;
    options.seed = scene.seed;
    options.spacing = scene.spacing;
    options.gravity = scene.gravity;
    options.domain = scene.domain;
    return options;
}

FluidFrame fluid_of(const ParticleFrame& frame) {
    return {frame.time, frame.positions, field<float>(frame, "velocity", 3),
            field<std::uint32_t>(frame, "id", 1)};
}

void make_compact(DiffuseParticles& particles, const Scene& scene) {
    constexpr float k_age = 1.f / 16384, k_lifetime = 1.f / 64;  // [s]
    round_to(particles.positions, quantum_below(scene.spacing / 16));
    round_to(particles.velocities, quantum_below(scene.spacing * scene.output.fps / 16));
    for (float& age : particles.ages)
        age = rounded_to(age, k_age);
    for (float& lifetime : particles.lifetimes)
        lifetime = rounded_to(lifetime, k_lifetime);
}

ParticleFrame to_frame(const DiffuseParticles& particles, double time, double identity) {
    // by their ids, neighbours in the file are of one age and arose side by side
    std::vector<std::uint32_t> order(particles.count());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return particles.ids[i]; });
    const auto ordered = [&](const auto& values, auto&& of) {
        std::vector<std::remove_cvref_t<decltype(of(values[0]))>> result;
        result.reserve(order.size());
        for (const std::uint32_t i : order)
            result.push_back(of(values[i]));
        return result;
    };
    const auto same = [](auto value) { return value; };
    const auto number = [](DiffuseKind kind) { return static_cast<std::uint32_t>(kind); };
    ParticleFrame frame;
    frame.time = time;
    frame.positions = flat(ordered(particles.positions, same));
    frame.fields = {{"velocity", 3, flat(ordered(particles.velocities, same))},
                    {"kind", 1, ordered(particles.kinds, number)},
                    {"age", 1, ordered(particles.ages, same)},
                    {"lifetime", 1, ordered(particles.lifetimes, same)},
                    {"id", 1, ordered(particles.ids, same)}};
    frame.numbers = {{k_run_identity, identity}, {k_next_id, particles.next_id}};
    return frame;
}

DiffuseParticles from_frame(const ParticleFrame& frame) {
    DiffuseParticles particles;
    particles.positions = unflat(frame.positions);
    particles.velocities = unflat(field<float>(frame, "velocity", 3));
    particles.ages = field<float>(frame, "age", 1);
    particles.lifetimes = field<float>(frame, "lifetime", 1);
    for (const std::uint32_t kind : field<std::uint32_t>(frame, "kind", 1))
        particles.kinds.push_back(static_cast<DiffuseKind>(std::min(kind, 2u)));
    particles.ids = field<std::uint32_t>(frame, "id", 1);
    const auto next = frame.numbers.find(k_next_id);
    if (next == frame.numbers.end())
        throw InputError("the frame has no number NextId");
    particles.next_id = static_cast<std::uint32_t>(next->second);
    return particles;
}

Obstacles load_obstacles(const fs::path& run, const Scene& scene) {
    const ObjectSurfaces surfaces = load_object_surfaces(run, scene);
    return Obstacles(scene, surfaces.walls, surfaces.bodies);
}

fs::path diffuse_file(const fs::path& run, const Scene& scene, int number,
                      const std::string& ending) {
    return run / "diffuse" / frame_file(scene, number, ending);
}

void write_diffuse_frame(const fs::path& run, const Scene& scene, int number,
                         const ParticleFrame& frame, const std::vector<std::string>& formats) {
    for (const std::string& format : formats)
        if (format != "vtu")
            write_particles(diffuse_file(run, scene, number, format), frame);
    write_particles(diffuse_file(run, scene, number), frame);
}

}  // namespace millrace
