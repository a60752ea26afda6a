#include "support/paths.hpp"

namespace millrace {

std::string in_sources(const std::string& path) {
    return MILLRACE_SOURCE_DIR "/" + path;
}

std::string in_build(const std::string& path) {
    return MILLRACE_BINARY_DIR "/" + path;
}

}  // namespace millrace
