// Orders of size that hold on every machine.
#include "platform/memory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::platform {
namespace {

TEST(Memory, PartsAreNoMoreThanTheWhole) {
    EXPECT_GT(available_memory(), 0u);
    EXPECT_LE(available_memory(), physical_memory());
    EXPECT_LT(static_cast<std::uint64_t>(peak_memory()), physical_memory());
}

TEST(Memory, ThePeakCountsWhatIsTaken) {
    constexpr std::int64_t k_bytes = 64 << 20;
    const std::vector<char> taken(k_bytes, 'x');  // written, so that it is there
    EXPECT_GE(peak_memory(), k_bytes);
}

}  // namespace
}  // namespace millrace::platform
