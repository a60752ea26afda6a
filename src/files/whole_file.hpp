#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace millrace {

/// The bytes of a file. Throws InputError, with the path and the reason, for what is no file or
/// cannot be read: it waits for nobody at the other end of a pipe, reads no device without an end,
/// and takes no memory for a size above `most_bytes` or that of the machine's memory.
std::string whole_file(const std::filesystem::path& path, std::uint64_t most_bytes = UINT64_MAX);

/// Why whole_file would refuse the path before it reads anything; empty where it would not.
std::string file_problem(const std::filesystem::path& path, std::uint64_t most_bytes = UINT64_MAX);

}  // namespace millrace
