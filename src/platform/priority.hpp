#pragma once

namespace millrace::platform {

/// The calling thread, and those that it will start, leave the cores to others where both want
/// them: they get about a third of the time of a thread that did not call this.
void lower_priority();

}  // namespace millrace::platform
