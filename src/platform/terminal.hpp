#pragma once

#include <cstdio>

namespace millrace::platform {

/// Whether a person reads the stream, and not a file or a program.
bool is_terminal(std::FILE* stream);
/// How many characters a line of the terminal has; 80 where it does not say.
int terminal_columns(std::FILE* stream);

}  // namespace millrace::platform
