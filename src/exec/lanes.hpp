#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "math/annotate.hpp"

// On the CPU the loops over neighbours handle k_lanes particles that lie side by side in memory at
// once; on the GPU a thread handles one. `Lanes` is the type of such a group of values, and the
// same pass source serves both.
namespace millrace {

// A group has eight floats on every processor, and nothing in it may depend on the maker's own
// estimates or on fused operations (the build forbids the compiler to fuse): one set of bits for
// all.
inline constexpr int k_lanes = 8;

using HalfFloats = float __attribute__((vector_size(16)));
using HalfInts = int __attribute__((vector_size(16)));

#if defined(__AVX__)
using PackFloats = float __attribute__((vector_size(32)));
using PackInts = int __attribute__((vector_size(32)));

inline PackFloats spread_lanes(float a) {
    return PackFloats{a, a, a, a, a, a, a, a};
}
inline PackFloats select_lanes(PackInts mask, PackFloats a, PackFloats b) {
    return mask ? a : b;
}
inline PackFloats max_lanes(PackFloats a, PackFloats b) {
    return __builtin_ia32_maxps256(a, b);
}
inline PackFloats min_lanes(PackFloats a, PackFloats b) {
    return __builtin_ia32_minps256(a, b);
}
#else
/// Two halves, where registers hold four floats (SSE, NEON, WebAssembly).
template <class Half, class Value>
struct TwoHalves {
    Half half[2];

    Value& operator[](int k) { return reinterpret_cast<Value*>(half)[k]; }
    Value operator[](int k) const { return reinterpret_cast<const Value*>(half)[k]; }
};
using PackFloats = TwoHalves<HalfFloats, float>;
using PackInts = TwoHalves<HalfInts, int>;

inline PackFloats operator+(PackFloats a, PackFloats b) {
    return {{a.half[0] + b.half[0], a.half[1] + b.half[1]}};
}
inline PackFloats operator-(PackFloats a, PackFloats b) {
    return {{a.half[0] - b.half[0], a.half[1] - b.half[1]}};
}
inline PackFloats operator-(PackFloats a) {
    return {{-a.half[0], -a.half[1]}};
}
inline PackFloats operator*(PackFloats a, PackFloats b) {
    return {{a.half[0] * b.half[0], a.half[1] * b.half[1]}};
}
inline PackFloats operator/(PackFloats a, PackFloats b) {
    return {{a.half[0] / b.half[0], a.half[1] / b.half[1]}};
}
inline PackInts operator<(PackFloats a, PackFloats b) {
    return {{a.half[0] < b.half[0], a.half[1] < b.half[1]}};
}
inline PackFloats spread_lanes(float a) {
    return {{HalfFloats{a, a, a, a}, HalfFloats{a, a, a, a}}};
}
inline PackFloats select_lanes(PackInts mask, PackFloats a, PackFloats b) {
    return {{mask.half[0] ? a.half[0] : b.half[0], mask.half[1] ? a.half[1] : b.half[1]}};
}
// As the instructions of x86 do it: the second where the first is no number.
inline PackFloats max_lanes(PackFloats a, PackFloats b) {
    return select_lanes(b < a, a, b);
}
inline PackFloats min_lanes(PackFloats a, PackFloats b) {
    return select_lanes(a < b, a, b);
}
#endif

/// k_lanes floats.
struct Pack {
    PackFloats v;

    Pack() = default;
    Pack(float a) : v(spread_lanes(a)) {}
    Pack(PackFloats values) : v(values) {}
};

/// The outcome of comparing packs: all bits set where true.
struct PackMask {
    PackInts v;
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
    return select_lanes(mask.v, a.v, b.v);
}
inline Pack max(Pack a, Pack b) {
    return max_lanes(a.v, b.v);
}
inline Pack min(Pack a, Pack b) {
    return min_lanes(a.v, b.v);
}
inline Pack sqrt(Pack a) {
    for (int k = 0; k < k_lanes; ++k)
        a.v[k] = std::sqrt(a.v[k]);
    return a;
}
/// 1/sqrt by exact operations: the estimates of processors differ from maker to maker.
inline Pack rsqrt(Pack a) {
    return Pack(1.0f) / sqrt(a);
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
    constexpr PackInts k_index{0, 1, 2, 3, 4, 5, 6, 7};
    return {k_index < (PackInts{} + count)};
#else
    constexpr HalfInts k_low{0, 1, 2, 3}, k_high{4, 5, 6, 7};
    return {{{k_low < (HalfInts{} + count), k_high < (HalfInts{} + count)}}};
#endif
}

/// Reads no other lanes than these; those are 0.
inline Pack load_lanes(const float* from, PackMask lanes) {
#if defined(__AVX__)
    return __builtin_ia32_maskloadps256(reinterpret_cast<const PackFloats*>(from), lanes.v);
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
    __builtin_ia32_maskstoreps256(reinterpret_cast<PackFloats*>(to), lanes.v, p.v);
#else
    for (int k = 0; k < k_lanes; ++k)
        if (lanes.v[k])
            to[k] = p.v[k];
#endif
}

/// Bit k is set where lane k is.
inline unsigned lane_bits(PackMask mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<PackFloats>(mask.v)));
#elif defined(__SSE__)
    const auto bits = [](HalfInts half) {
        return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<HalfFloats>(half)));
    };
    return bits(mask.v.half[0]) | bits(mask.v.half[1]) << 4;
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
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
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
