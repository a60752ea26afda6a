#include "boundary/standoff.hpp"

#include <cmath>

#include "math/kernels/cubic_spline.hpp"

namespace millrace {

namespace {

constexpr int k_shifts = 8;  // sideways shifts per axis

// The sum of W over a plane lattice of unit spacing at the given distance, with its points shifted
// sideways against the point of interest.
template <int D>
double plane_sum(const CubicSpline<D>& kernel, double distance, double shift_x, double shift_z) {
    const int reach = static_cast<int>(std::ceil(kernel.support())) + 1;
    const int reach_z = D == 3 ? reach : 0;
    double sum = 0;
    for (int a = -reach; a <= reach; ++a)
        for (int b = -reach_z; b <= reach_z; ++b) {
            const double x = a + shift_x, z = D == 3 ? b + shift_z : 0;
            sum += kernel.w(distance * distance + x * x + z * z);
        }
    return sum;
}

template <int D>
double mean_plane_sum(const CubicSpline<D>& kernel, double distance) {
    double sum = 0;
    const int shifts_z = D == 3 ? k_shifts : 1;
    for (int a = 0; a < k_shifts; ++a)
        for (int b = 0; b < shifts_z; ++b)
            sum += plane_sum(kernel, distance, double(a) / k_shifts, double(b) / k_shifts);
    return sum / (k_shifts * shifts_z);
}

}  // namespace

template <int D>
double missing_density(double support) {
    const CubicSpline<D> kernel(static_cast<float>(support));
    double missing = 0;
    for (int layer = 1; layer <= support; ++layer)
        missing += plane_sum(kernel, layer, 0, 0);
    return missing;
}

template <int D>
double wall_standoff(double support) {
    const CubicSpline<D> kernel(static_cast<float>(support));
    const double missing = missing_density<D>(support);
    const double wall_volume = 1 / plane_sum(kernel, 0, 0, 0);  // S1 Eq. 4.4 on a plane
    double near = 0, far = support;
    for (int k = 0; k < 60; ++k) {
        const double middle = (near + far) / 2;
        (wall_volume * mean_plane_sum(kernel, middle) > missing ? near : far) = middle;
    }
    return (near + far) / 2;
}

template double missing_density<2>(double);
template double missing_density<3>(double);
template double wall_standoff<2>(double);
template double wall_standoff<3>(double);

}  // namespace millrace
