#pragma once

#include "math/kernels/cubic_spline.hpp"

namespace millrace {

/// A point that acts on a particle as a wall does.
struct WallSample {
    float distance;  ///< of the point to the particle [m]
    float volume;    ///< [m^2]
};

/// The point at the distance r with the volume V for which V W(r) = density and V W'(r) = slope:
/// r follows from the ratio of both, which grows from 0 at r = 0 without bounds. With q = r / H,
///
///     -H W'/W = (6 q - 9 q^2) / (1/2 - 3 q^2 + 3 q^3)  for q < 1/2,   3 / (1 - q)  beyond.
inline WallSample wall_sample(const CubicSpline<2>& kernel, float density, float slope) {
    const float support = kernel.support();
    if (!(density > 0))
        return {support, 0};
    const float ratio = -slope * support / density;
    float q = 1 - 3 / ratio;
    if (ratio < 6) {
        q = ratio * (1.0f / 12);
        for (int k = 0; k < 4; ++k) {  // Newton's method
            const float f = 0.5f * ratio + q * (-6 + q * (9 - 3 * ratio + 3 * ratio * q));
            q -= f / (-6 + q * (18 - 6 * ratio + 9 * ratio * q));
        }
    }
    const float distance = q * support;
    const float w = kernel.w(distance * distance);
    return w > 0 ? WallSample{distance, density / w} : WallSample{support, 0};
}

}  // namespace millrace
