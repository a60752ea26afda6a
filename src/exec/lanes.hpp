#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "math/annotate.hpp"

// On the CPU the loops over neighbours handle k_lanes particles that lie side by side in memory at
// once; on the GPU a thread handles one. `Lanes` is the type of such a group of values, and the
// same pass source serves both.
namespace millrace {

#if defined(__AVX__)
inline constexpr int k_lanes = 8;
#else
inline constexpr int k_lanes = 4;  // SSE, NEON
#endif

/// k_lanes floats.
struct Pack {
    using Floats = float __attribute__((vector_size(k_lanes * sizeof(float))));
    Floats v;

    Pack() = default;
#if defined(__AVX__)
    Pack(float a) : v{a, a, a, a, a, a, a, a} {}
#else
    Pack(float a) : v{a, a, a, a} {}
#endif
    Pack(Floats values) : v(values) {}
};

/// The outcome of comparing packs: all bits set where true.
struct PackMask {
    using Ints = int __attribute__((vector_size(k_lanes * sizeof(int))));
    Ints v;
};

inline Pack operator+(Pack a, Pack b) {
    return a.v + b.v;
}
inline Pack operator-(Pack a, Pack b) {
    return a.v - b.v;
}
inline Pack operator-(Pack a) {
    return -a.v;
}
inline Pack operator*(Pack a, Pack b) {
    return a.v * b.v;
}
inline Pack operator/(Pack a, Pack b) {
    return a.v / b.v;
}
inline Pack& operator+=(Pack& a, Pack b) {
    return a = a + b;
}
inline PackMask operator<(Pack a, Pack b) {
    return {a.v < b.v};
}
inline Pack select(PackMask mask, Pack a, Pack b) {
    return mask.v ? a.v : b.v;
}
inline Pack max(Pack a, Pack b) {
#if defined(__AVX__)
    return __builtin_ia32_maxps256(a.v, b.v);
#elif defined(__SSE__)
    return __builtin_ia32_maxps(a.v, b.v);
#else
    return a.v > b.v ? a.v : b.v;
#endif
}
inline Pack min(Pack a, Pack b) {
#if defined(__AVX__)
    return __builtin_ia32_minps256(a.v, b.v);
#elif defined(__SSE__)
    return __builtin_ia32_minps(a.v, b.v);
#else
    return a.v < b.v ? a.v : b.v;
#endif
}
inline Pack sqrt(Pack a) {
    for (int k = 0; k < k_lanes; ++k)
        a.v[k] = std::sqrt(a.v[k]);
    return a;
}
/// 1/sqrt to 23 bits: the hardware's estimate and one Newton step.
inline Pack rsqrt(Pack a) {
#if defined(__AVX__)
    const Pack y = __builtin_ia32_rsqrtps256(a.v);
    return y * (Pack(1.5f) - Pack(0.5f) * a * y * y);
#elif defined(__SSE__)
    const Pack y = __builtin_ia32_rsqrtps(a.v);
    return y * (Pack(1.5f) - Pack(0.5f) * a * y * y);
#else
    return Pack(1.0f) / sqrt(a);
#endif
}

inline Pack load_pack(const float* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof p.v);
    return p;
}

inline void store_pack(float* to, Pack p) {
    std::memcpy(to, &p.v, sizeof p.v);
}

/// Lanes 0 to count - 1.
inline PackMask first_lanes(int count) {
#if defined(__AVX__)
    constexpr PackMask::Ints k_index{0, 1, 2, 3, 4, 5, 6, 7};
#else
    constexpr PackMask::Ints k_index{0, 1, 2, 3};
#endif
    return {k_index < (PackMask::Ints{} + count)};
}

/// Reads no other lanes than these; those are 0.
inline Pack load_lanes(const float* from, PackMask lanes) {
#if defined(__AVX__)
    return __builtin_ia32_maskloadps256(reinterpret_cast<const Pack::Floats*>(from), lanes.v);
#else
    Pack p(0.0f);
    for (int k = 0; k < k_lanes; ++k)
        if (lanes.v[k])
            p.v[k] = from[k];
    return p;
#endif
}

/// Writes no other lanes than these.
inline void store_lanes(float* to, Pack p, PackMask lanes) {
#if defined(__AVX__)
    __builtin_ia32_maskstoreps256(reinterpret_cast<Pack::Floats*>(to), lanes.v, p.v);
#else
    for (int k = 0; k < k_lanes; ++k)
        if (lanes.v[k])
            to[k] = p.v[k];
#endif
}

/// Bit k is set where lane k is.
inline unsigned lane_bits(PackMask mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(
        __builtin_ia32_movmskps256(reinterpret_cast<Pack::Floats>(mask.v)));
#else
    unsigned bits = 0;
    for (int k = 0; k < k_lanes; ++k)
        bits |= (mask.v[k] ? 1u : 0u) << k;
    return bits;
#endif
}

#if defined(__CUDA_ARCH__)
using Lanes = float;
#else
using Lanes = Pack;
#endif

/// The sum over the lanes, in a fixed order.
inline float sum_lanes(Pack p) {
    const auto& v = p.v;
#if defined(__AVX__)
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#else
    return (v[0] + v[2]) + (v[1] + v[3]);
#endif
}
MILLRACE_HD inline float sum_lanes(float value) {
    return value;
}

/// A group of particles that a loop over neighbours hands to its body.
struct LaneIndex {
    std::uint32_t first;
};

/// The values of a group of particles.
MILLRACE_HD inline Lanes load_lanes(const float* from, LaneIndex j) {
#if defined(__CUDA_ARCH__)
    return from[j.first];
#else
    return load_pack(from + j.first);
#endif
}

}  // namespace millrace
