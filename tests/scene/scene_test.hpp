#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "millrace/error.hpp"
#include "millrace/scene.hpp"

namespace millrace::scene_test {

inline const std::string k_pool_3d = R"({
  "millrace": 1,
  "spacing": 0.1,
  "fluids": [{"fill": [{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}],
  "boundaries": [{"box": {"min": [0, 0, 0], "max": [2, 1, 1]}, "inside": true}]
})";

inline const std::string k_pool_2d = R"({
  "millrace": 1,
  "dimension": 2,
  "spacing": 0.1,
  "fluids": [{"fill": [{"box": {"min": [0, 0], "max": [1, 1]}}]}],
  "boundaries": [{"box": {"min": [0, 0], "max": [2, 1]}, "inside": true}]
})";

/// What parsing says about a wrong scene; empty if it accepts it.
inline std::string refusal_of(const std::string& json,
                              const std::vector<std::string>& overrides = {}) {
    try {
        parse_scene(json, "pool.json", overrides);
    } catch (const InputError& e) {
        EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
        return e.what();
    }
    return "";
}

/// The same for the pool in 3D or 2D with some keys set.
inline std::string refusal(const std::vector<std::string>& overrides) {
    return refusal_of(k_pool_3d, overrides);
}
inline std::string refusal_2d(const std::vector<std::string>& overrides) {
    return refusal_of(k_pool_2d, overrides);
}

inline Scene pool(const std::vector<std::string>& overrides = {}) {
    return parse_scene(k_pool_3d, "pool.json", overrides);
}
inline Scene pool_2d(const std::vector<std::string>& overrides = {}) {
    return parse_scene(k_pool_2d, "pool.json", overrides);
}

inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace millrace::scene_test
