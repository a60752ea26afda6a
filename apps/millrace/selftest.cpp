#include "analysis/selftest.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "commands.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

void run_selftest(const std::string& device_name) {
    const bool cuda = device_name == "cuda" || (device_name == "auto" && Device::cuda_available());
    const Device device = cuda ? Device::cuda() : Device::cpu();
    if (cuda)
        std::printf("%s against one CPU thread\n", device.name().c_str());
    else
        std::printf("%d CPU threads against one\n", device.threads());
    std::printf("%-32s %-12s %-10s\n", "check", "difference", "tolerance");
    int failed = 0;
    for (const SelftestCheck& check : selftest(device)) {
        failed += !check.passed();
        std::printf("%-32s %-12.3g %-10.3g %s (%s)\n", check.name.c_str(), check.difference,
                    check.tolerance, check.passed() ? "ok" : "FAILED", check.note.c_str());
    }
    if (failed)
        throw RunError("selftest: " + std::to_string(failed) + " checks failed");
    std::printf("all checks passed\n");
}

}  // namespace

void add_selftest_command(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("selftest", "The same work on every device found, compared");
    const auto device = std::make_shared<std::string>("auto");
    command->add_option("--device", *device, "auto, cpu or cuda")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    command->callback([device] { run_selftest(*device); });
}

}  // namespace millrace
