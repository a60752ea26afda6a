#pragma once

#include <cstdint>
#include <cstdlib>

namespace millrace {

/// Physics must not pass by the luck of one run: MILLRACE_TEST_SEED=N runs the tests of physics
/// with other random numbers and places. Limits hold for at least seeds 1 to 5, with room.
inline std::uint64_t test_seed() {
    const char* text = std::getenv("MILLRACE_TEST_SEED");
    return text ? std::strtoull(text, nullptr, 10) : 1;
}

/// A number from -1 to 1 that follows from the seed and `number`; 0 for seed 1.
inline float seeded_offset(unsigned number) {
    if (test_seed() == 1)
        return 0;
    std::uint64_t x = test_seed() * 0x9e3779b97f4a7c15u + number * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return static_cast<float>((x ^ x >> 31) >> 40) / 8388608.0f - 1.0f;
}

}  // namespace millrace
