#pragma once

namespace millrace::platform {

/// From now on the first Ctrl-C, SIGTERM or SIGHUP only asks to stop; a second one ends the
/// program.
void catch_signals();

/// The signal that asked to stop, or 0.
int caught_signal();

}  // namespace millrace::platform
