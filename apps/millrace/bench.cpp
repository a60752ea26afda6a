#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "benchmarks.hpp"
#include "commands.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

struct BenchOptions {
    std::string name;
    std::string device = "auto";
    int threads = 0;
    double particles = 100'000;
    bool list = false;
    bool json = false;
};

Device bench_device(const BenchOptions& options) {
    if (options.device == "cuda" || (options.device == "auto" && Device::cuda_available()))
        return Device::cuda();
    return Device::cpu(options.threads);
}

void run_benchmarks(const BenchOptions& options) {
    const std::vector<Benchmark>& all = benchmarks();
    if (options.list) {
        for (const Benchmark& b : all)
            std::printf("%-12s %s\n", b.name.c_str(), b.purpose.c_str());
        return;
    }
    const bool known = options.name.empty() ||
                       std::any_of(all.begin(), all.end(),
                                   [&](const Benchmark& b) { return b.name == options.name; });
    if (!known)
        throw InputError("bench: unknown benchmark '" + options.name + "'; see --list");
    const Device device = bench_device(options);
    nlohmann::json document = {{"device", device.name()}, {"threads", device.threads()}};
    if (!options.json)
        std::printf("%s, %d threads\n", device.name().c_str(), device.threads());
    for (const Benchmark& b : all) {
        if (!options.name.empty() && options.name != b.name)
            continue;
        if (!options.json)
            std::printf("\n%s: %s\n", b.name.c_str(), b.purpose.c_str());
        for (const BenchRow& row : b.run(device, options.particles)) {
            if (!options.json)
                std::printf("  %-20s %12.4g %-6s %s\n", row.name.c_str(), row.value,
                            row.unit.c_str(), row.note.c_str());
            document[b.name].push_back(
                {{"name", row.name}, {"value", row.value}, {"unit", row.unit}, {"note", row.note}});
        }
    }
    if (options.json)
        std::printf("%s\n", document.dump(2).c_str());
}

}  // namespace

void add_bench_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("bench", "Measures the speed of the solver");
    const auto options = std::make_shared<BenchOptions>();
    command->add_option("name", options->name, "one benchmark (all)");
    command->add_option("--device", options->device, "auto, cpu or cuda")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command->add_option("--threads", options->threads, "CPU threads (all cores)")
        ->check(CLI::Range(0, 4096));
    command->add_option("--particles", options->particles, "fluid particles, about (100000)")
        ->check(CLI::Range(1e3, 1e9));
    command->add_flag("--list", options->list, "name the benchmarks");
    command->add_flag("--json", options->json, "print JSON");
    command->callback([options] { run_benchmarks(*options); });
}

}  // namespace millrace
