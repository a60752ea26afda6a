#include "analysis/experiment.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "io/progress.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

struct ExperimentArguments {
    std::string name, out;
    Simulation::Options device;
    double seconds = 0;
    bool list = false, json = false, quick = false;
};

const Experiment& find_experiment(const std::string& name) {
    const std::vector<Experiment>& all = experiments();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.name == name; });
    if (found == all.end())
        throw InputError(all.empty()
                             ? "experiment: not built in; see MILLRACE_EXPERIMENTS of CMake"
                             : "experiment: there is no experiment '" + name + "'; see --list");
    return *found;
}

void run_experiment(const ExperimentArguments& arguments, const CLI::App& command) {
    if (arguments.list) {
        for (const Experiment& e : experiments())
            std::printf("%-20s %s\n", e.name.c_str(), e.purpose.c_str());
        return;
    }
    if (arguments.name.empty())
        throw InputError("experiment: name one; see --list");
    const Experiment& experiment = find_experiment(arguments.name);
    if (command.count("--seconds") && !(arguments.seconds > 0 && std::isfinite(arguments.seconds)))
        throw InputError("--seconds: must be a time of more than 0 s");
    const std::filesystem::path folder =
        arguments.out.empty() ? "out/" + experiment.name : arguments.out;

    ExperimentOptions options;
    options.quick = arguments.quick;
    options.seconds = arguments.seconds;
    options.device = arguments.device;
    ExperimentReport report;
    {
        Progress progress(false, stderr);
        options.progress = [&](double done, const std::string& text) {
            progress.update(done, text);
        };
        options.save = [&](const ExperimentReport& so_far) { write_report(folder, so_far); };
        report = experiment.run(options);
    }
    write_report(folder, report);
    if (arguments.json)
        std::printf("%s\n", report_json(report).dump(2).c_str());
    else
        std::printf("%s\nwritten to %s\n", report_markdown(report).c_str(), folder.c_str());
}

}  // namespace

void add_experiment_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("experiment", "One experiment of the sources: table, plots, verdict");
    const auto arguments = std::make_shared<ExperimentArguments>();
    command->add_option("NAME", arguments->name, "The experiment");
    command->add_flag("--list", arguments->list, "Name the experiments");
    command->add_flag("--quick", arguments->quick, "Coarser and shorter: minutes on two cores");
    command->add_option("--seconds", arguments->seconds,
                        "Simulated time of every case (that of the experiment)");
    command->add_option("--out", arguments->out, "Folder to write (out/NAME)");
    command->add_flag("--json", arguments->json, "Print JSON instead of tables");
    command->add_option("--device", arguments->device.device, "auto, cpu or cuda (auto)")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command->add_option("--threads", arguments->device.threads, "Threads on the CPU (all cores)")
        ->check(CLI::Range(0, 1024));
    command->callback([arguments, command] { run_experiment(*arguments, *command); });
}

}  // namespace millrace
