#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "millrace/scene.hpp"

namespace millrace {

/// A pressure method as users can choose it, for tests that hold for every method.
struct Method {
    std::string label;
    Pressure pressure;

    bool incompressible() const { return pressure.method != "wcsph"; }
};

inline std::ostream& operator<<(std::ostream& out, const Method& method) {
    return out << method.label;
}

inline std::vector<Method> all_methods() {
    std::vector<Method> all(8);
    const auto set = [&](std::size_t k, const char* label, const char* name, const char* solver) {
        all[k].label = label;
        all[k].pressure.method = name;
        all[k].pressure.linear_solver = solver;
    };
    set(0, "wcsph_tait", "wcsph", "nncg");
    set(1, "wcsph_linear", "wcsph", "nncg");
    set(2, "pcisph", "pcisph", "nncg");
    set(3, "iisph_cold", "iisph", "jacobi");
    set(4, "iisph_warm", "iisph", "jacobi");
    set(5, "iisph_nncg", "iisph", "nncg");
    set(6, "dfsph_jacobi", "dfsph", "jacobi");
    set(7, "dfsph_nncg", "dfsph", "nncg");
    all[1].pressure.equation_of_state = "linear";
    all[3].pressure.warm_start = false;
    return all;
}

inline std::string method_label(const testing::TestParamInfo<Method>& info) {
    return info.param.label;
}

}  // namespace millrace
