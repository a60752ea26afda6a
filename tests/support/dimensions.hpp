#pragma once

#include <gtest/gtest.h>

#include <type_traits>

namespace millrace {

/// For typed tests of what is written once for 2D and 3D: D is TypeParam::value.
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

}  // namespace millrace
