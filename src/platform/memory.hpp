#pragma once

#include <cstdint>

// Memory of the machine and of this process [bytes].
namespace millrace::platform {

/// Of the machine; UINT64_MAX where it is not known.
std::uint64_t physical_memory();
/// What programs may still take without swapping; physical_memory() where it is not known.
std::uint64_t available_memory();
/// The most that this process has held at once.
std::int64_t peak_memory();

}  // namespace millrace::platform
