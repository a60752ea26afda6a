#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace millrace {

/// One time of an animation.
struct PvdEntry {
    double time = 0;  ///< simulated time [s]
    std::string
        file;  ///< relative to the folder of the .pvd file, e.g. "particles/tank_000000.vtu"
};

/// Writes the ParaView collection that makes one animation of many files; it is replaced
/// atomically, so that it may be rewritten at every frame. Throws RunError.
void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries);

/// Reads a file of write_pvd; throws InputError.
std::vector<PvdEntry> read_pvd(const std::filesystem::path& path);

}  // namespace millrace
