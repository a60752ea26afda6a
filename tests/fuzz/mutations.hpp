#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Damage as it happens to files, and as people type it into them.
namespace millrace::fuzz {

using Random = std::mt19937_64;

/// One to a few changes to the bytes: bits, bytes, parts lost or twice, other numbers, the rest of
/// another file. The same for the same state of `random`, on every machine.
std::string mutated(const std::string& bytes, const std::vector<std::string>& others,
                    Random& random);

}  // namespace millrace::fuzz
