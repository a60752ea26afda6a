#include "fluid/forces.hpp"

#include <algorithm>
#include <limits>

#include "fluid/standard_viscosity.hpp"
#include "fluid/wall_grip.hpp"

namespace millrace {

template <int D>
FluidForces<D>::FluidForces(const Device& device, const Scene& scene)
    : longest_step_(std::numeric_limits<double>::infinity()),
      implicit_viscosity_(device),
      scratch_(device) {
    double nu = 0;
    for (std::size_t f = 0; f < scene.fluids.size() && f < k_max_fluids; ++f) {
        const Viscosity& viscosity = scene.fluids[f].viscosity;
        if (viscosity.method == "xsph") {
            xsph_.alpha[f] = static_cast<float>(viscosity.strength);
            smoothed_ = smoothed_ || viscosity.strength > 0;
        } else if (viscosity.method != "none" && viscosity.nu > 0) {
            viscous_ = true;
            implicit_ = implicit_ || viscosity.method == "implicit";
            nu = std::max(nu, viscosity.nu);
            if (viscosity.walls == "no-slip")
                walls_.grip[f] = static_cast<float>(wall_grip<D>(scene.support));
        }
    }
    if (scene.time_step.mode == "fixed")
        return;
    if (!implicit_)
        longest_step_ = longest_viscous_step<D>(nu, scene.spacing, scene.support);
    longest_step_ = std::max(longest_step_, scene.time_step.min);
}

template <int D>
void FluidForces<D>::add_accelerations(const Device& device, const FluidView<D>& fluid,
                                       VectorView<D> acceleration) {
    if (viscous_ && !implicit_)
        add_standard_viscosity(device, fluid, walls_, acceleration);
}

template <int D>
void FluidForces<D>::correct(const Device& device, const FluidView<D>& fluid,
                             VectorView<D> velocity, double dt, double share) {
    if (implicit_)
        implicit_viscosity_.solve(device, fluid, walls_, velocity, static_cast<float>(dt));
    if (smoothed_) {
        XsphStrength strength = xsph_;
        for (float& alpha : strength.alpha)
            alpha *= static_cast<float>(share);
        smooth_velocities(device, fluid, strength, scratch_, velocity);
    }
}

template <int D>
std::size_t FluidForces<D>::bytes() const {
    return implicit_viscosity_.bytes() + scratch_.bytes();
}

template class FluidForces<2>;
template class FluidForces<3>;

}  // namespace millrace
