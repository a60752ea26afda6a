#include "passes/estimate.hpp"

#include <algorithm>
#include <cstdio>
#include <system_error>

#include "exec/device.hpp"

namespace millrace {

namespace {

double usable_memory() {
    return 0.8 * static_cast<double>(Device::cpu().free_memory());
}

void warn_if_short(const char* of_what, double needed, double there) {
    if (needed > there)
        std::fprintf(stderr, "warning: about %s of %s are needed, %s are free\n",
                     bytes_text(needed).c_str(), of_what, bytes_text(there).c_str());
}

}  // namespace

void tell(const Estimate& estimate, const std::filesystem::path& folder, bool quiet) {
    const double memory = estimate.memory * estimate.jobs;
    const double disk = estimate.disk * static_cast<double>(estimate.frames);
    if (!quiet) {
        std::printf(
            "%s: %zu frames to make, about %s on the disk; %d at once, about %s of memory\n",
            estimate.what.c_str(), estimate.frames, bytes_text(disk).c_str(), estimate.jobs,
            bytes_text(memory).c_str());
        std::fflush(stdout);
    }
    warn_of_disk(disk, folder);
    warn_if_short("memory", memory, usable_memory());
}

void warn_of_disk(double bytes, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::path there = std::filesystem::absolute(folder, error);
    while (!error && !std::filesystem::exists(there, error) && there.has_relative_path())
        there = there.parent_path();
    const std::filesystem::space_info space = std::filesystem::space(there, error);
    if (!error && space.capacity > 0)  // /proc and such have none
        warn_if_short("disk", bytes, static_cast<double>(space.available));
}

int fitting_jobs(double bytes) {
    return static_cast<int>(std::clamp(usable_memory() / std::max(bytes, 1.0), 1.0, 1024.0));
}

std::string bytes_text(double bytes) {
    const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; ++unit)
        bytes /= 1000;
    char text[64];
    std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
    return text;
}

}  // namespace millrace
