#pragma once

#include <stdexcept>

namespace millrace {

/// The user's input is wrong; the text names the place and the remedy in one line.
/// The command-line tool ends with exit code 2.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The run failed for a reason outside the input (disk full, no device, lost precision).
/// The command-line tool ends with exit code 1.
class RunError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace millrace
