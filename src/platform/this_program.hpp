#pragma once

#include <filesystem>

namespace millrace::platform {

/// The file of the running program; empty where it is not known.
std::filesystem::path program_file();

/// Starts this program from its beginning with a variable of the environment set; where that
/// fails, all goes on as it was.
void start_again_with(const char* variable, const char* value, char** arguments);

/// Where the program was started with a closed standard output, the first file that it opens must
/// not take its place: what is printed would get into that file.
void keep_standard_places();

/// Loads a shared library for the whole process; false where there is none of this name.
bool load_library(const char* name);

}  // namespace millrace::platform
