#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace millrace {

/// What a pass will take, told before it starts.
struct Estimate {
    std::string what;        ///< "surfaces"
    std::size_t frames = 0;  ///< that are left to make
    int jobs = 1;            ///< frames at once
    double memory = 0;       ///< of one frame [bytes]
    double disk = 0;         ///< of one frame [bytes]
};

/// Prints one line unless `quiet`, and warns on stderr where memory or disk will not do.
void tell(const Estimate& estimate, const std::filesystem::path& folder, bool quiet);

/// Warns on stderr where the disk of a folder, or of the one that it will be made in, has less.
void warn_of_disk(double bytes, const std::filesystem::path& folder);

/// How many frames of so many bytes fit into the memory that is free, at least 1.
int fitting_jobs(double bytes);

/// "1.23 GB"
std::string bytes_text(double bytes);

}  // namespace millrace
