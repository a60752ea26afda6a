#pragma once

#include <bit>
#include <cstdint>

namespace millrace {

/// Every bit of the result depends on every bit of x: the finaliser of SplitMix64 (Steele, Lea,
/// Flood 2014).
inline std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Numbers that follow from a seed, a fluid particle and a time alone, whoever asks for them and
/// when: nothing is carried from one to the next but their count.
class RandomNumbers {
  public:
    RandomNumbers(std::uint64_t seed, std::uint32_t particle, double time)
        : key_(mixed(mixed(mixed(seed) ^ particle) ^ std::bit_cast<std::uint64_t>(time))) {}

    /// Uniform in [0, 1), with 24 bits.
    float next() { return static_cast<float>(mixed(key_ ^ count_++) >> 40) * 0x1p-24f; }

  private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

}  // namespace millrace
