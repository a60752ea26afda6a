#pragma once

#include <string>
#include <vector>

#include "millrace/scene.hpp"

namespace millrace {

/// What can be computed as the scene has it, but is hardly meant: a line each, with the key and
/// what to do. `D` is the dimension of the scene.
template <int D>
std::vector<std::string> advice_for(const Scene& scene);

}  // namespace millrace
