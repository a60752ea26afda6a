#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/pvd.hpp"
#include "io/vtu.hpp"
#include "millrace/scene.hpp"

// A run that takes a moment, and what a run must leave behind.
namespace millrace::test {

/// A column of water, 100 particles in 2D, that falls apart in a tank, seen by every kind of probe.
inline const char* k_small_scene = R"({
  "millrace": 1, "name": "column", "dimension": 2, "spacing": 0.05, "end": 0.25,
  "fluids": [ { "fill": [ { "box": { "min": [0, 0], "max": [0.5, 0.5] } } ] } ],
  "boundaries": [ { "box": { "min": [0, 0], "max": [1, 1] }, "inside": true, "open": ["+y"] } ],
  "output": { "fps": 40 },
  "probes": [
    { "name": "level", "type": "height", "at": [0.2] },
    { "name": "floor", "type": "pressure", "at": [0.1, 0.02], "interval": 0.01 },
    { "name": "flow", "type": "velocity", "at": [0.4, 0.1], "interval": 0.03 },
    { "name": "front", "type": "front", "axis": 0 },
    { "name": "energy", "type": "energy" }
  ] })";

inline Scene small_scene(const std::vector<std::string>& overrides = {}) {
    return parse_scene(k_small_scene, "column.json", overrides);
}

inline std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::istringstream text(read_file(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

/// Every file of a run, ended or killed, that is there can be read from its first to its last byte.
inline void expect_whole_files(const std::filesystem::path& run) {
    const auto content = [&](const char* name) {
        return std::filesystem::exists(run / name) ? read_file(run / name) : "";
    };
    const auto lines = [&](const char* name) {
        return std::filesystem::exists(run / name) ? lines_of(run / name)
                                                   : std::vector<std::string>();
    };
    for (const char* name : {"scene.json", "stats.jsonl", "bodies.jsonl", "probes.csv"}) {
        EXPECT_TRUE(content(name).empty() || content(name).back() == '\n') << name;
    }
    for (const char* name : {"stats.jsonl", "bodies.jsonl"}) {
        for (const std::string& line : lines(name))
            EXPECT_TRUE(nlohmann::json::accept(line)) << name << ": " << line;
    }
    const std::vector<std::string> rows = lines("probes.csv");
    for (const std::string& row : rows)
        EXPECT_EQ(std::count(row.begin(), row.end(), ','),
                  std::count(rows[0].begin(), rows[0].end(), ','))
            << row;
    if (std::filesystem::exists(run / "particles.pvd")) {
        for (const PvdEntry& frame : read_pvd(run / "particles.pvd"))
            EXPECT_EQ(read_vtu(run / frame.file).time, frame.time);
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run)) {
        if (entry.path().extension() == ".vtu") {
            EXPECT_NO_THROW(read_vtu(entry.path())) << entry.path();
        }
        if (entry.path().extension() == ".h5") {
            EXPECT_NO_THROW(read_checkpoint(entry.path())) << entry.path();
        }
    }
    EXPECT_TRUE(content("summary.json").empty() || nlohmann::json::accept(content("summary.json")));
}

/// The contract of an ended run: files, keys, nothing temporary.
inline void expect_contract(const std::filesystem::path& run) {
    using nlohmann::json;
    expect_whole_files(run);
    const auto expect_keys = [](const json& object, const char* names, const std::string& where) {
        std::istringstream list(names);
        for (std::string name; list >> name;)
            EXPECT_TRUE(object.contains(name)) << where << ": no " << name;
    };
    const Scene scene = load_scene(run / "scene.json");
    EXPECT_EQ(scene_to_json(scene), read_file(run / "scene.json"));
    const json summary = json::parse(read_file(run / "summary.json"));
    expect_keys(summary,
                "status steps sim_seconds wall_seconds speed mean_dt mean_iterations "
                "particle_updates_per_second particles_lost peak_memory_bytes device threads "
                "version solver unconverged_steps fluid_particles boundary_particles "
                "true_density_error",
                "summary");
    const std::vector<std::string> steps = lines_of(run / "stats.jsonl");
    EXPECT_EQ(summary["steps"], steps.size());
    double time = 0;
    for (const std::string& line : steps) {
        const json step = json::parse(line);
        expect_keys(step,
                    "step time dt fluid_particles boundary_particles iterations "
                    "divergence_iterations converged avg_density_error max_density_error "
                    "avg_density max_speed kinetic_energy potential_energy max_height ms",
                    "stats");
        expect_keys(step["ms"], "neighbors density forces pressure rigid output total", "ms");
        EXPECT_LT(time, step["time"].get<double>());
        time = step["time"];
    }
    const std::vector<PvdEntry> frames = read_pvd(run / "particles.pvd");
    const std::vector<std::string> bodies = lines_of(run / "bodies.jsonl");
    ASSERT_EQ(frames.size(), bodies.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(json::parse(bodies[i])["time"], frames[i].time);
        EXPECT_TRUE(json::parse(bodies[i])["bodies"].is_object());
        const ParticleFrame frame = read_vtu(run / frames[i].file);
        for (const char* field : {"velocity", "density", "id"})
            EXPECT_NE(frame.find(field), nullptr) << field;
    }
    EXPECT_TRUE(lines_of(run / "probes.csv")[0].starts_with("time"));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run))
        EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

/// All bits that do not depend on the clock.
inline void expect_same_run(const std::filesystem::path& a, const std::filesystem::path& b) {
    const auto names = [](const std::filesystem::path& run) {
        std::set<std::string> frames;
        for (const auto& entry : std::filesystem::directory_iterator(run / "particles"))
            frames.insert("particles/" + entry.path().filename().string());
        return frames;
    };
    EXPECT_EQ(names(a), names(b));
    for (const std::string& name : names(a))
        EXPECT_TRUE(read_file(a / name) == read_file(b / name)) << name << " differs";
    for (const char* name : {"scene.json", "particles.pvd", "bodies.jsonl", "probes.csv"})
        EXPECT_EQ(read_file(a / name), read_file(b / name)) << name;
    const auto stats = [](const std::filesystem::path& run) {
        std::vector<std::string> steps;
        for (const std::string& line : lines_of(run / "stats.jsonl")) {
            nlohmann::json step = nlohmann::json::parse(line);
            step.erase("ms");
            steps.push_back(step.dump());
        }
        return steps;
    };
    EXPECT_EQ(stats(a), stats(b));
}

}  // namespace millrace::test
