#pragma once

#include <filesystem>
#include <string>

namespace millrace::fuzz {

/// Reads a file as the program does where a user names one. `kind` is the name of a folder of the
/// corpus. An error of the user's is the right answer to a damaged file; every other exception is
/// passed on. True where the file was taken, damaged or not.
bool read_input(const std::string& kind, const std::filesystem::path& file);

}  // namespace millrace::fuzz
