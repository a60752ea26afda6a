#include "fluid/standard_viscosity.hpp"

#include <cmath>
#include <limits>

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <int D>
struct StandardViscosity {
    ViscousOperator<D> viscosity;
    VectorView<D> acceleration;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        acceleration.set(i, acceleration.get(i) + viscosity.acceleration(i, viscosity.f.velocity));
    }
};

}  // namespace

template <int D>
void add_standard_viscosity(const Device& device, const FluidView<D>& fluid,
                            const WallFriction<D>& walls, VectorView<D> acceleration) {
    for_each(device, fluid.count, StandardViscosity<D>{{fluid, walls}, acceleration});
}

template <int D>
double longest_viscous_step(double nu, double spacing, double support) {
    if (!(nu > 0))
        return std::numeric_limits<double>::infinity();
    const CubicSpline<D> kernel(static_cast<float>(support));
    const int reach = static_cast<int>(std::ceil(support)), reach_z = D == 3 ? reach : 0;
    double c = 0;
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -reach_z; z <= reach_z; ++z) {
                const double r2 = x * x + y * y + z * z;
                c -= 2.0 * (D + 2) / D * r2 / (r2 + 0.01) * kernel.gradient_factor(r2);
            }
    return spacing * spacing / (2 * c * nu);
}

template void add_standard_viscosity(const Device&, const FluidView<2>&, const WallFriction<2>&,
                                     VectorView<2>);
template void add_standard_viscosity(const Device&, const FluidView<3>&, const WallFriction<3>&,
                                     VectorView<3>);
template double longest_viscous_step<2>(double, double, double);
template double longest_viscous_step<3>(double, double, double);

}  // namespace millrace
