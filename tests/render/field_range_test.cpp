#include "render/field_range.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace millrace {
namespace {

TEST(Range, IgnoresOutliersAndWhatIsNotANumber) {
    std::vector<float> values{NAN, INFINITY};
    for (int i = 0; i <= 1000; ++i)
        values.push_back(0.003f * static_cast<float>(i));
    values.push_back(1e6f);
    const Range range = robust_range(values);
    EXPECT_EQ(range.min, 0);
    EXPECT_DOUBLE_EQ(range.max, 3);
}

TEST(Range, IsNeverEmpty) {
    for (const std::vector<float>& values :
         {std::vector<float>{}, {NAN}, {0, 0}, {1000, 1000}, {-5}, {1000, 1000.0001f}}) {
        const Range range = robust_range(values);
        EXPECT_LT(range.min, range.max);
    }
    EXPECT_EQ(robust_range({0, 0}).min, 0);
}

}  // namespace
}  // namespace millrace
