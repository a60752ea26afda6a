#include "fluid/wall_grip.hpp"

#include <cmath>

#include "boundary/standoff.hpp"
#include "math/kernels/cubic_spline.hpp"

namespace millrace {

namespace {

constexpr int k_shifts = 8;  // sideways shifts per axis

}  // namespace

template <int D>
double wall_grip(double support) {
    const CubicSpline<D> kernel(static_cast<float>(support));
    const int reach = static_cast<int>(std::ceil(support)) + 1, reach_z = D == 3 ? reach : 0;
    const double depth = sample_depth<D>(support);
    const int shifts_z = D == 3 ? k_shifts : 1;
    double volume_sum = 0;  // S1 Eq. 4.4 on a plane
    for (int a = -reach; a <= reach; ++a)
        for (int b = -reach_z; b <= reach_z; ++b)
            volume_sum += kernel.w(double(a * a + b * b));
    double stress = 0;
    for (double y = 0.5; y + depth < support; y += 1)
        for (int shift_x = 0; shift_x < k_shifts; ++shift_x)
            for (int shift_z = 0; shift_z < shifts_z; ++shift_z)
                for (int a = -reach; a <= reach; ++a)
                    for (int b = -reach_z; b <= reach_z; ++b) {
                        const double x = a + double(shift_x) / k_shifts;
                        const double z = D == 3 ? b + double(shift_z) / k_shifts : 0;
                        const double r2 = x * x + z * z + (y + depth) * (y + depth);
                        stress -= y * kernel.gradient_factor(r2);
                    }
    stress *= 2.0 / (volume_sum * k_shifts * shifts_z);
    return 1 / stress;
}

template double wall_grip<2>(double);
template double wall_grip<3>(double);

}  // namespace millrace
