#pragma once

#include <cmath>

#include "math/annotate.hpp"

// The functions that code templated on a number type T may call, unqualified, on its values. Here
// for float and double; a pack of floats brings its own overloads, found through its namespace.
namespace millrace {

inline MILLRACE_HD float sqrt(float x) {
    return std::sqrt(x);
}

inline MILLRACE_HD double sqrt(double x) {
    return std::sqrt(x);
}

/// 1 / sqrt(x)
inline MILLRACE_HD float rsqrt(float x) {
#if defined(__CUDA_ARCH__)
    return ::rsqrtf(x);
#else
    return 1.0f / std::sqrt(x);
#endif
}

/// 1 / sqrt(x)
inline MILLRACE_HD double rsqrt(double x) {
#if defined(__CUDA_ARCH__)
    return ::rsqrt(x);
#else
    return 1.0 / std::sqrt(x);
#endif
}

inline MILLRACE_HD float max(float a, float b) {
    return a < b ? b : a;
}

inline MILLRACE_HD double max(double a, double b) {
    return a < b ? b : a;
}

inline MILLRACE_HD float min(float a, float b) {
    return b < a ? b : a;
}

inline MILLRACE_HD double min(double a, double b) {
    return b < a ? b : a;
}

/// a where the mask is set, b elsewhere. Both are evaluated.
inline MILLRACE_HD float select(bool mask, float a, float b) {
    return mask ? a : b;
}

/// a where the mask is set, b elsewhere. Both are evaluated.
inline MILLRACE_HD double select(bool mask, double a, double b) {
    return mask ? a : b;
}

}  // namespace millrace
