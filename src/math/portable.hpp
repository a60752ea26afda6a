#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "math/annotate.hpp"

// Elementary functions made of additions, multiplications, divisions and roots alone, which IEEE
// 754 fixes to the last bit: the results are the same on every processor, by every compiler and
// with every C library. Those of a C library are not (glibc itself has several, chosen by the CPU).
// Exact to two units in the last place, pow apart. Angles in radians.
namespace millrace::portable {

namespace detail {

/// 2^n for n from -1022 to 1023.
MILLRACE_HD inline double power_of_two(int n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// c[0] + c[1] z + c[2] z^2 + ...
template <int n>
MILLRACE_HD inline double polynomial(const double (&c)[n], double z) {
    double sum = c[n - 1];
    for (int k = n - 2; k >= 0; --k)
        sum = sum * z + c[k];
    return sum;
}

/// An angle as quarters of a turn and the rest, r + low, from -pi/4 to pi/4.
struct Quarters {
    int number;  ///< modulo 4
    double r, low;
};

/// Cody and Waite 1980: pi/2 in parts of 33 bits, whose multiples are exact. Beyond a million
/// radians the angle's own rounding is larger than what is asked for; there a plain remainder does.
MILLRACE_HD inline Quarters quarters(double x) {
    constexpr double k_first = 0x1.921fb54400000p+0, k_second = 0x1.0b4611a600000p-34,
                     k_third = 0x1.3198a2e037073p-69;
    if (!(std::abs(x) < 1e6)) {
        x = std::remainder(x, 0x1.921fb54442d18p+2);
        if (x != x)
            return {0, x, x};
    }
    const double n = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
    const double exact = x - n * k_first, second = n * k_second;
    const double near = exact - second;
    const double rest = n * k_third - ((exact - near) - second);
    const double r = near - rest;
    return {static_cast<int>(n) & 3, r, (near - r) - rest};
}

MILLRACE_HD inline double sine_series(double r, double low) {
    constexpr double k_series[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    const double z = r * r;
    return r + (r * z * polynomial(k_series, z) + low * (1 - 0.5 * z));
}

MILLRACE_HD inline double cosine_series(double r, double low) {
    constexpr double k_series[] = {
        1.0 / 24,        -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
        1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
    const double z = r * r, half = 0.5 * z, main = 1 - half;
    return main + (((1 - main) - half) + (z * z * polynomial(k_series, z) - r * low));
}

}  // namespace detail

MILLRACE_HD inline double sin(double x) {
    const auto [number, r, low] = detail::quarters(x);
    const double value = number & 1 ? detail::cosine_series(r, low) : detail::sine_series(r, low);
    return number & 2 ? -value : value;
}

MILLRACE_HD inline double cos(double x) {
    const auto [number, r, low] = detail::quarters(x);
    const double value = number & 1 ? detail::sine_series(r, low) : detail::cosine_series(r, low);
    return number == 1 || number == 2 ? -value : value;
}

/// e^x: x = k ln 2 + r, e^x = 2^k (1 + r + r^2/2! + ...).
MILLRACE_HD inline double exp(double x) {
    constexpr double k_series[] = {1.0 / 2,        1.0 / 6,         1.0 / 24,
                                   1.0 / 120,      1.0 / 720,       1.0 / 5040,
                                   1.0 / 40320,    1.0 / 362880,    1.0 / 3628800,
                                   1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    if (!(x < 709.79))
        return x >= 709.79 ? HUGE_VAL : x;
    if (x < -745.2)
        return 0;
    const double k = std::floor(x * 0x1.71547652b82fep+0 + 0.5);
    const double high = x - k * 0x1.62e42fee00000p-1, low = k * 0x1.a39ef35793c76p-33;
    const double r = high - low;
    const double value = 1 + (high + (r * r * detail::polynomial(k_series, r) - low));
    const int n = static_cast<int>(k),
              first = n / 2;  // in two steps: 2^n may be too large or small
    return value * detail::power_of_two(first) * detail::power_of_two(n - first);
}

/// ln x: x = 2^k m, with s = (m - 1)/(m + 1), ln m = 2 (s + s^3/3 + s^5/5 + ...).
MILLRACE_HD inline double log(double x) {
    constexpr double k_series[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                   2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
    if (!(x > 0))
        return x == 0 ? -HUGE_VAL : std::bit_cast<double>(0x7ff8000000000000);
    if (x > 0x1.fffffffffffffp+1023)
        return x;
    int k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    const auto bits = std::bit_cast<std::uint64_t>(x);
    k += static_cast<int>(bits >> 52) - 1023;
    double m = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        ++k;
    }
    const double f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    const double rest = s * (half + z * detail::polynomial(k_series, z));
    return k * 0x1.62e42fee00000p-1 - ((half - (rest + k * 0x1.a39ef35793c76p-33)) - f);
}

/// x^y for x >= 0. The relative error is about |y ln x| units in the last place.
MILLRACE_HD inline double pow(double x, double y) {
    return y == 0 ? 1.0 : exp(y * log(x));
}

/// The angle of (x, y), from -pi to pi. The quotient q of the smaller by the larger coordinate is
/// taken from the nearest c = k/8: atan q = atan c + atan((q - c)/(1 + q c)).
MILLRACE_HD inline double atan2(double y, double x) {
    constexpr double k_high[] = {0,
                                 0x1.fd5ba9aac2f6ep-4,
                                 0x1.f5b75f92c80ddp-3,
                                 0x1.6f61941e4def1p-2,
                                 0x1.dac670561bb4fp-2,
                                 0x1.1e00babdefeb4p-1,
                                 0x1.4978fa3269ee1p-1,
                                 0x1.700a7c5784634p-1,
                                 0x1.921fb54442d18p-1};
    constexpr double k_low[] = {0,
                                -0x1.cd37686760c17p-59,
                                0x1.8ab6e3cf7afbdp-57,
                                -0x1.c63aae6f6e918p-56,
                                0x1.a2b7f222f65e2p-56,
                                -0x1.928df287a668fp-58,
                                0x1.2419a87f2a458p-56,
                                -0x1.8c34d25aadef6p-56,
                                0x1.1a62633145c07p-55};
    constexpr double k_series[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
    constexpr double k_pi = 0x1.921fb54442d18p+1, k_pi_low = 0x1.1a62633145c07p-53;
    const double along = std::abs(x), across = std::abs(y);
    if (x != x || y != y)  // no numbers
        return x + y;
    const bool steep = across > along;
    double small = steep ? along : across, large = steep ? across : along;
    if (large == 0)
        return std::copysign(std::signbit(x) ? k_pi : 0.0, y);
    if (large > 0x1.fffffffffffffp+1023) {
        small = small == large ? 1 : 0;
        large = 1;
    } else if (large > 0x1p1000) {
        small *= 0x1p-100;
        large *= 0x1p-100;
    }
    const double q = small / large;
    const int k = static_cast<int>(8 * q + 0.5);
    const double c = k / 8.0, d = (small - c * large) / (large + c * small), z = d * d;
    const double rest = k_low[k] + d * z * detail::polynomial(k_series, z);
    double high = k_high[k], low = k == 0 ? rest : d + rest;
    if (k == 0)
        high = d;
    if (steep) {  // pi/2 - angle
        low = (k_pi_low / 2 - low) + ((k_pi / 2 - (k_pi / 2 - high)) - high);
        high = k_pi / 2 - high;
    }
    if (std::signbit(x)) {
        low = (k_pi_low - low) + ((k_pi - (k_pi - high)) - high);
        high = k_pi - high;
    }
    return std::copysign(high + low, y);
}

MILLRACE_HD inline double atan(double x) {
    return atan2(x, 1.0);
}

/// The cube root, by Newton's steps from a guess by the exponent.
MILLRACE_HD inline double cbrt(double x) {
    const double a = std::abs(x);
    if (!(a > 0) || a > 0x1.fffffffffffffp+1023)
        return x;
    const double scale = a < 0x1p-1000 ? 0x1p-300 : 1.0;  // of the root; subnormal numbers
    const double value = scale == 1.0 ? a : a * 0x1p900;
    const std::uint64_t third = std::bit_cast<std::uint64_t>(value) / 3 + 0x2a9f7893782da1ce;
    double root = std::bit_cast<double>(third);  // to 4 %
    for (int k = 0; k < 4; ++k)
        root -= (root - value / (root * root)) / 3;
    return std::copysign(root * scale, x);
}

// Computed in double precision and rounded once: exact to half a unit but for one case in millions.
MILLRACE_HD inline float sin(float x) {
    return static_cast<float>(sin(double{x}));
}
MILLRACE_HD inline float cos(float x) {
    return static_cast<float>(cos(double{x}));
}
MILLRACE_HD inline float exp(float x) {
    return static_cast<float>(exp(double{x}));
}
MILLRACE_HD inline float log(float x) {
    return static_cast<float>(log(double{x}));
}
MILLRACE_HD inline float pow(float x, float y) {
    return static_cast<float>(pow(double{x}, double{y}));
}
MILLRACE_HD inline float atan2(float y, float x) {
    return static_cast<float>(atan2(double{y}, double{x}));
}
MILLRACE_HD inline float cbrt(float x) {
    return static_cast<float>(cbrt(double{x}));
}

/// sqrt(x^2 + y^2 + z^2), where the squares are no larger than numbers can be.
template <class T>
MILLRACE_HD inline T hypot(T x, T y, T z = 0) {
    return std::sqrt(x * x + y * y + z * z);
}

/// x^n by multiplication, n >= 0.
template <class T>
MILLRACE_HD constexpr T power(T x, int n) {
    T product(1);
    for (int k = 0; k < n; ++k)
        product *= x;
    return product;
}

/// The power of two that is nearest to x > 0 in ratio.
inline double nearest_power_of_two(double x) {
    int exponent = 0;
    const double part = std::frexp(x, &exponent);  // from 0.5 to 1
    return std::ldexp(1.0, part * part < 0.5 ? exponent - 1 : exponent);
}

}  // namespace millrace::portable
