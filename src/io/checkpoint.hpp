#pragma once

#include <filesystem>
#include <string>

#include "millrace/simulation.hpp"

namespace millrace {

/// Everything that a run needs to go on as if it had not stopped.
struct Checkpoint {
    Snapshot snapshot;
    std::string scene;     ///< the resolved scene, as JSON
    std::string recorder;  ///< how much was written, sums for the summary and the probes, as JSON
};

/// Whether this build can write and read checkpoints: they need HDF5.
bool has_checkpoints();

/// Writes an HDF5 file with one dataset for every part. Its user block of 512 bytes is a text with
/// the size and the CRC-32 of the rest. The file appears whole, or not at all; throws RunError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws InputError, in one line, for a file that is missing, damaged or of another kind.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace millrace
