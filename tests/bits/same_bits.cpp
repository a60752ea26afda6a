// millrace_bits: runs short scenes of every engine and compares the bits of every step with
// golden.txt. They are the same on every processor, at every x86-64 level and for any number of
// threads, so that a difference means that results changed (then --update, and say why in the
// commit) or that something depends on the machine (then --trace tells the first step that
// differs).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "millrace/error.hpp"
#include "millrace/scene.hpp"
#include "millrace/simulation.hpp"
#include "support/paths.hpp"

namespace {

struct Case {
    const char* name;
    const char* scene;  ///< of the folder scenes/
    int steps;
    std::vector<std::string> overrides;
};

const std::vector<Case> k_cases = {
    {"dfsph", "dam_break", 80, {"spacing=0.08"}},
    {"iisph", "dam_break", 50, {"spacing=0.08", "pressure.method=iisph"}},
    {"pcisph", "dam_break", 50, {"spacing=0.08", "pressure.method=pcisph"}},
    {"wcsph", "dam_break", 150, {"spacing=0.08", "pressure.method=wcsph"}},
    {"dfsph_2d", "dam_break_2d", 200, {"spacing=0.03"}},
    {"implicit_viscosity", "honey", 40, {"spacing=0.02"}},
    {"surface_tension", "drop", 60, {}},
    {"two_fluids", "oil_and_water", 80, {}},
    {"bullet_joints", "raft", 25, {"spacing=0.07"}},
    {"meshes_and_keyframes", "bottle", 20, {"spacing=0.015"}},
    {"scripted_walls", "harbour", 6, {"spacing=0.25"}},
    {"emitters", "water_wheel", 40, {"spacing=0.06"}},
    {"constraint_fluid", "dam_break", 30, {"spacing=0.08", "engine=constraints"}},
    {"constraint_machine", "2d/paddle_steamer", 30, {}},
    {"game_spook_box2d", "2d/five_boxes", 240, {}},
    {"game_clavet", "2d/goo_on_stairs", 200, {}},
    {"game_emitters", "2d/water_slide", 200, {}},
    {"game_dfsph", "2d/bucket", 60, {"pressure.method=dfsph"}},
};

constexpr int k_early = 5;  ///< steps that --early runs, for emulated processors

/// FNV-1a, 64 bits.
class Hash {
  public:
    template <class T>
    void add(std::span<const T> values) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
        for (std::size_t k = 0; k < values.size_bytes(); ++k)
            state_ = (state_ ^ bytes[k]) * 0x100000001b3u;
    }
    void add(double value) { add(std::span<const double>(&value, 1)); }
    std::string text() const {
        char text[17];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(state_));
        return text;
    }

  private:
    std::uint64_t state_ = 0xcbf29ce484222325u;
};

void add_state(Hash& hash, const millrace::Simulation& simulation) {
    hash.add(simulation.time());
    hash.add(simulation.ids());
    hash.add(simulation.positions());
    hash.add(simulation.velocities());
    for (const millrace::BodyView& body : simulation.bodies()) {
        for (const auto& vector : {body.position, body.velocity, body.angular_velocity})
            hash.add(std::span<const double>(vector));
        hash.add(std::span<const double>(body.rotation));
    }
}

struct Options {
    int threads = 2;
    bool early = false, update = false, trace = false;
    std::string only;
};

/// The hashes of the first steps and of all.
std::pair<std::string, std::string> run(const Case& one, const Options& options) {
    const std::string file = millrace::in_sources("scenes/" + std::string(one.scene) + ".json");
    millrace::Simulation simulation(millrace::load_scene(file, one.overrides),
                                    {.device = "cpu", .threads = options.threads});
    Hash hash;
    add_state(hash, simulation);
    std::string early;
    for (int step = 1; step <= one.steps && !(options.early && step > k_early); ++step) {
        if (options.trace)
            std::printf("%s %d %s\n", one.name, step, hash.text().c_str());
        simulation.step();
        add_state(hash, simulation);
        if (step == k_early)
            early = hash.text();
    }
    return {early, hash.text()};
}

bool read_options(int count, char** words, Options& options) {
    for (int k = 1; k < count; ++k) {
        if (!std::strcmp(words[k], "--early"))
            options.early = true;
        else if (!std::strcmp(words[k], "--update"))
            options.update = true;
        else if (!std::strcmp(words[k], "--trace"))
            options.trace = true;
        else if (!std::strcmp(words[k], "--threads") && k + 1 < count)
            options.threads = std::atoi(words[++k]);
        else if (!std::strcmp(words[k], "--only") && k + 1 < count)
            options.only = words[++k];
        else
            return false;
    }
    return true;
}

using Golden = std::map<std::string, std::pair<std::string, std::string>>;

Golden read_golden(const std::string& file) {
    Golden golden;
    std::ifstream in(file);
    for (std::string name, early, all; in >> name >> early >> all;)
        golden[name] = {early, all};
    return golden;
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr,
                     "usage: millrace_bits [--threads N] [--only NAME] [--early] [--trace] "
                     "[--update]\n");
        return 2;
    }
    const std::string file = millrace::in_sources("tests/bits/golden.txt");
    auto golden = read_golden(file);
    int passed = 0, failed = 0;
    for (const Case& one : k_cases) {
        if (!options.only.empty() && options.only != one.name)
            continue;
        std::pair<std::string, std::string> found;
        try {
            found = run(one, options);
        } catch (const std::exception& error) {
            std::printf("%s: %s\n", one.name, error.what());
        }
        const auto before = golden[one.name];
        const bool same =
            found.first == before.first && (found.second == before.second || options.early);
        std::printf("%-20s %s %s %s\n", one.name, found.first.c_str(), found.second.c_str(),
                    same ? "as before" : "differs");
        std::fflush(stdout);
        ++(same ? passed : failed);
        golden[one.name] = found;
    }
    if (options.update) {
        std::ofstream out(file);
        for (const Case& one : k_cases)
            out << one.name << ' ' << golden[one.name].first << ' ' << golden[one.name].second
                << '\n';
        return 0;
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
