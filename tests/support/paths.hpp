#pragma once

#include <string>

// One file alone knows where the project lies, so that a compiler cache serves all others when the
// same sources are built in another folder.
namespace millrace {

/// A file of the source tree: in_sources("scenes/drop.json").
std::string in_sources(const std::string& path);
/// A file of the build tree: in_build("bin/millrace").
std::string in_build(const std::string& path);

}  // namespace millrace
