#include "load.hpp"

#include <cstdio>

namespace millrace {

Scene load_scene_aloud(const std::string& file, const std::vector<std::string>& settings) {
    std::vector<std::string> warnings;
    Scene scene = load_scene(file, settings, &warnings);
    for (const std::string& warning : warnings)
        std::fprintf(stderr, "warning: %s\n", warning.c_str());
    return scene;
}

}  // namespace millrace
