#include "io/rounding.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "math/vec.hpp"

namespace millrace {
namespace {

TEST(Rounding, TheQuantumIsAPowerOfTwoThatIsNotLarger) {
    EXPECT_EQ(quantum_below(0.03), 1.f / 64);
    EXPECT_EQ(quantum_below(0.25), 0.25f);
    EXPECT_EQ(quantum_below(5), 4.f);
}

TEST(Rounding, NumbersGoToTheNearestMultiple) {
    const float quantum = 1.f / 64;
    for (const float x : {0.f, 0.1f, -0.1f, 1.2345f, -77.7f}) {
        const float rounded = rounded_to(x, quantum);
        EXPECT_LE(std::abs(rounded - x), quantum / 2);
        EXPECT_EQ(rounded / quantum, std::round(rounded / quantum));
        EXPECT_EQ(rounded_to(rounded, quantum), rounded);
    }
}

TEST(Rounding, LeavesAloneWhatHasNoMultiple) {
    EXPECT_EQ(rounded_to(1e30f, 0.5f), 1e30f);
    EXPECT_EQ(rounded_to(std::numeric_limits<float>::infinity(), 0.5f),
              std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(rounded_to(std::nanf(""), 0.5f)));
}

TEST(Rounding, TakesAllComponents) {
    std::vector<Vec3> vectors{{{0.3f, -0.7f, 1.1f}}};
    round_to(vectors, 0.5f);
    EXPECT_EQ(vectors[0][0], 0.5f);
    EXPECT_EQ(vectors[0][1], -0.5f);
    EXPECT_EQ(vectors[0][2], 1.0f);
}

}  // namespace
}  // namespace millrace
