#pragma once

namespace millrace {

/// How many threads the loops take that the calling thread starts: all cores, unless it was set.
int host_threads();
/// For the calling thread, and no other.
void set_host_threads(int threads);

}  // namespace millrace
