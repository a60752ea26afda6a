#pragma once

#include <cstdint>
#include <cstring>

#include "exec/lanes.hpp"
#include "math/vec.hpp"

// Vectors as the sweeps over density rows want them: four of them at a time, gathered from where
// they lie apart.
namespace millrace {

/// One vector as it is stored: two floats in the plane, four in space, of which the last is 0.
template <int D>
struct Stored;

template <>
struct Stored<2> {
    using Type = Vec2;
};
template <>
struct Stored<3> {
    using Type = float __attribute__((vector_size(16)));
};

inline Vec2 to_stored(const Vec2& v) {
    return v;
}
inline Stored<3>::Type to_stored(const Vec3& v) {
    return Stored<3>::Type{v[0], v[1], v[2], 0};
}
inline Vec2 to_vec(const Vec2& v) {
    return v;
}
inline Vec3 to_vec(Stored<3>::Type v) {
    return {{v[0], v[1], v[2]}};
}
inline float dot(Stored<3>::Type a, Stored<3>::Type b) {
    const Stored<3>::Type p = a * b;
    return (p[0] + p[1]) + (p[2] + p[3]);
}

template <int D>
struct FourVectors;

/// x and y of the first, of the second, ...
template <>
struct FourVectors<2> {
    using Floats = float __attribute__((vector_size(32)));
    using Doubles = double __attribute__((vector_size(32)));
    Floats v;

    static FourVectors gathered(const Vec2* u, const std::uint32_t* j) {
        double p[4];
        for (int k = 0; k < 4; ++k)
            std::memcpy(&p[k], &u[j[k]], sizeof(double));
        return {reinterpret_cast<Floats>(Doubles{p[0], p[1], p[2], p[3]})};
    }
    static FourVectors loaded(const Vec2* from) {
        FourVectors four;
        std::memcpy(&four.v, from, sizeof four.v);
        return four;
    }
    void scatter(Vec2* u, const std::uint32_t* j) const {
        const Doubles w = reinterpret_cast<Doubles>(v);
        for (int k = 0; k < 4; ++k) {
            const double p = w[k];
            std::memcpy(&u[j[k]], &p, sizeof p);
        }
    }
    float sum() const { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }
    FourVectors operator*(const FourVectors& b) const { return {v * b.v}; }
    FourVectors operator*(float b) const { return {v * b}; }
    FourVectors operator+(const FourVectors& b) const { return {v + b.v}; }
};

template <>
struct FourVectors<3> {
    using Quad = Stored<3>::Type;
    Quad v[4];

    static FourVectors gathered(const Quad* u, const std::uint32_t* j) {
        return {{u[j[0]], u[j[1]], u[j[2]], u[j[3]]}};
    }
    static FourVectors loaded(const Quad* from) { return {{from[0], from[1], from[2], from[3]}}; }
    void scatter(Quad* u, const std::uint32_t* j) const {
        for (int k = 0; k < 4; ++k)
            u[j[k]] = v[k];
    }
    float sum() const {
        const Quad q = (v[0] + v[1]) + (v[2] + v[3]);
        return (q[0] + q[1]) + (q[2] + q[3]);
    }
    FourVectors operator*(const FourVectors& b) const {
        return {{v[0] * b.v[0], v[1] * b.v[1], v[2] * b.v[2], v[3] * b.v[3]}};
    }
    FourVectors operator*(float b) const { return {{v[0] * b, v[1] * b, v[2] * b, v[3] * b}}; }
    FourVectors operator+(const FourVectors& b) const {
        return {{v[0] + b.v[0], v[1] + b.v[1], v[2] + b.v[2], v[3] + b.v[3]}};
    }
};

/// Half h of a pack.
inline HalfFloats half_of(Pack p, int h) {
#if defined(__AVX__)
    return h == 0 ? __builtin_shufflevector(p.v, p.v, 0, 1, 2, 3)
                  : __builtin_shufflevector(p.v, p.v, 4, 5, 6, 7);
#else
    return p.v.half[h];
#endif
}

/// Stores k_lanes vectors, of which the components are given, side by side.
inline void store_vectors(const Vec<2, Pack>& v, Vec2* to) {
#if defined(__AVX__)
    const PackFloats low = __builtin_shufflevector(v[0].v, v[1].v, 0, 8, 1, 9, 2, 10, 3, 11);
    const PackFloats high = __builtin_shufflevector(v[0].v, v[1].v, 4, 12, 5, 13, 6, 14, 7, 15);
    std::memcpy(to, &low, sizeof low);
    std::memcpy(to + k_lanes / 2, &high, sizeof high);
#else
    for (int h = 0; h < 2; ++h) {
        const HalfFloats a = half_of(v[0], h), b = half_of(v[1], h);
        const HalfFloats low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        const HalfFloats high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        std::memcpy(to + 4 * h, &low, sizeof low);
        std::memcpy(to + 4 * h + 2, &high, sizeof high);
    }
#endif
}
inline void store_vectors(const Vec<3, Pack>& v, Stored<3>::Type* to) {
    for (int h = 0; h < 2; ++h) {
        const HalfFloats x = half_of(v[0], h), y = half_of(v[1], h), z = half_of(v[2], h), w{};
        const HalfFloats xy_low = __builtin_shufflevector(x, y, 0, 4, 1, 5);
        const HalfFloats xy_high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
        const HalfFloats zw_low = __builtin_shufflevector(z, w, 0, 4, 1, 5);
        const HalfFloats zw_high = __builtin_shufflevector(z, w, 2, 6, 3, 7);
        to[4 * h] = __builtin_shufflevector(xy_low, zw_low, 0, 1, 4, 5);
        to[4 * h + 1] = __builtin_shufflevector(xy_low, zw_low, 2, 3, 6, 7);
        to[4 * h + 2] = __builtin_shufflevector(xy_high, zw_high, 0, 1, 4, 5);
        to[4 * h + 3] = __builtin_shufflevector(xy_high, zw_high, 2, 3, 6, 7);
    }
}

}  // namespace millrace
