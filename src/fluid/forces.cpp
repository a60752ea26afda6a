#include "fluid/forces.hpp"

#include <algorithm>
#include <limits>

#include "fluid/akinci2013_cohesion.hpp"
#include "fluid/standard_viscosity.hpp"
#include "fluid/surface_normals.hpp"
#include "fluid/wall_drag.hpp"
#include "fluid/wall_grip.hpp"

namespace millrace {

template <int D>
FluidForces<D>::FluidForces(const Device& device, const Scene& scene)
    : longest_step_(std::numeric_limits<double>::infinity()),
      implicit_viscosity_(device),
      drag_(device),
      smoothed_velocity_(device),
      normals_(device),
      curvature_(device),
      curl_(device),
      next_spin_(device),
      curl_size_(device) {
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
            if (viscosity.walls == "no-slip") {
                walls_.grip[f] = static_cast<float>(wall_grip<D>(scene.support));
                grips_ = true;
            }
        }
    }
    double capillary = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < scene.fluids.size() && f < k_max_fluids; ++f) {
        const SurfaceTension& tension = scene.fluids[f].surface_tension;
        if (tension.method == "none" || !(tension.sigma > 0))
            continue;
        const bool cohesion = tension.method == "cohesion";
        (cohesion ? cohesion_ : color_field_).sigma[f] = static_cast<float>(tension.sigma);
        (cohesion ? cohesion_used_ : color_field_used_) = true;
        capillary = std::min(capillary, longest_capillary_step(
                                            tension.sigma, scene.fluids[f].density, scene.spacing));
    }
    double spinning = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < scene.fluids.size() && f < k_max_fluids; ++f) {
        const Vorticity& vorticity = scene.fluids[f].vorticity;
        if (vorticity.method == "micropolar") {
            micropolar_.nu_t[f] = static_cast<float>(vorticity.nu_t);
            micropolar_.inertia[f] = static_cast<float>(vorticity.inertia);
            micropolar_.smoothing[f] = static_cast<float>(vorticity.smoothing);
            micropolar_used_ = true;
            spinning = std::min(
                spinning, longest_spin_step(vorticity.nu_t, vorticity.inertia, scene.spacing));
        } else if (vorticity.method == "confinement" && vorticity.strength > 0) {
            confinement_.strength[f] = static_cast<float>(vorticity.strength);
            confinement_used_ = true;
        }
    }
    if (scene.time_step.mode == "fixed")
        return;
    const double viscous = implicit_ ? std::numeric_limits<double>::infinity()
                                     : longest_viscous_step<D>(nu, scene.spacing, scene.support);
    longest_step_ = std::max(std::min({viscous, capillary, spinning}), scene.time_step.min);
}

template <int D>
void FluidForces<D>::add_accelerations(const Device& device, const FluidView<D>& fluid,
                                       VectorView<D> acceleration) {
    if (viscous_ && !implicit_)
        add_standard_viscosity(device, fluid, walls_, acceleration);
    if (color_field_used_ || cohesion_used_) {
        normals_.resize(fluid.count);
        compute_surface_normals(device, fluid, normals_.view());
    }
    if (color_field_used_) {
        curvature_.resize(fluid.count);
        add_color_field_tension(device, fluid, color_field_, normals_.view(), curvature_.view(),
                                acceleration);
    }
    if (cohesion_used_)
        add_akinci2013_cohesion(device, fluid, cohesion_, normals_.view(), acceleration);
    if (confinement_used_ || micropolar_used_)
        curl_.resize(fluid.count);
    if (confinement_used_) {
        curl_size_.resize(fluid.count);
        add_vorticity_confinement(device, fluid, confinement_, curl_.view(), curl_size_.data(),
                                  acceleration);
    }
    if (micropolar_used_) {  // leaves the curl for the spins
        compute_vorticity(device, fluid, micropolar_, curl_.view());
        add_micropolar(device, fluid, micropolar_, acceleration);
    }
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
        smooth_velocities(device, fluid, strength, smoothed_velocity_, velocity);
    }
}

template <int D>
void FluidForces<D>::advance_spins(const Device& device, const FluidView<D>& fluid, double dt,
                                   double share) {
    if (!micropolar_used_)
        return;
    next_spin_.resize(fluid.count);
    millrace::advance_spins(device, fluid, micropolar_, curl_.view(), static_cast<float>(dt),
                            static_cast<float>(share), next_spin_.view());
}

template <int D>
void FluidForces<D>::drag_bodies(const Device& device, const FluidView<D>& fluid,
                                 VectorView<D> predicted, double dt) {
    if (!grips_ || !fluid.coupling)
        return;
    compute_wall_drag(device, fluid, walls_, implicit_ ? predicted : fluid.velocity, drag_);
    fluid.coupling->add_pushes(device, drag_, static_cast<float>(dt));
}

template <int D>
std::size_t FluidForces<D>::bytes() const {
    return implicit_viscosity_.bytes() + smoothed_velocity_.bytes() + normals_.bytes() +
           curvature_.bytes() + curl_.bytes() + next_spin_.bytes() + curl_size_.bytes();
}

template class FluidForces<2>;
template class FluidForces<3>;

}  // namespace millrace
