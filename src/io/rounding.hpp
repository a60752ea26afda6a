#pragma once

#include <cmath>
#include <vector>

namespace millrace {

/// The power of two that is at most `length`: numbers that are multiples of it have zeros at their
/// end, which a compressor finds.
inline float quantum_below(double length) {
    return std::ldexp(1.f, std::ilogb(length));
}

/// The nearest multiple of a power of two; numbers that are too large to have one stay, and what is
/// not finite.
inline float rounded_to(float x, float quantum) {
    constexpr float k_exact = 1 << 22;
    const float multiple = x / quantum;
    return std::abs(multiple) < k_exact ? std::nearbyint(multiple) * quantum : x;
}

/// All components of vectors.
template <class Vector>
void round_to(std::vector<Vector>& vectors, float quantum) {
    for (Vector& v : vectors)
        for (float& x : v.c)
            x = rounded_to(x, quantum);
}

}  // namespace millrace
