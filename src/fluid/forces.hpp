#pragma once

#include "fluid/bender2017_micropolar.hpp"
#include "fluid/color_field_tension.hpp"
#include "fluid/implicit_viscosity.hpp"
#include "fluid/vorticity_confinement.hpp"
#include "fluid/xsph.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// The non-pressure forces within and between the fluids of a scene: viscosity, surface tension and
/// what keeps whirls alive, each fluid with its own methods. Gravity is not among them. Nothing is
/// remembered here from one step to the next; spins are part of the particles.
template <int D>
class FluidForces {
  public:
    FluidForces(const Device& device, const Scene& scene);

    /// Adds the forces that follow from where the particles are and how they move now.
    void add_accelerations(const Device& device, const FluidView<D>& fluid,
                           VectorView<D> acceleration);

    /// The longest step that these forces allow [s]; infinite where the scene fixes the step.
    double longest_step() const { return longest_step_; }

    /// Whether particles have a spin.
    bool turns() const { return micropolar_used_; }

    /// Corrects the predicted velocities by what needs the length of the step, implicit viscosity
    /// and XSPH. `share` is dt over the flow's own time, at most 1: see StepLength.
    void correct(const Device& device, const FluidView<D>& fluid, VectorView<D> velocity, double dt,
                 double share);
    /// Turns the particles on, by what `add_accelerations` left for it.
    void advance_spins(const Device& device, const FluidView<D>& fluid, double dt, double share);

    /// Adds what viscous fluid pulls moving bodies along with to the coupling's pushes; after
    /// `correct`.
    void drag_bodies(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                     double dt);

    std::size_t bytes() const;

  private:
    WallFriction<D> walls_;
    XsphStrength xsph_;
    Tension color_field_, cohesion_;
    Micropolar micropolar_;
    Confinement confinement_;
    bool viscous_ = false;
    bool grips_ = false;     ///< some fluid does not slip
    bool implicit_ = false;  ///< then all viscous fluids are: the pairs between them belong to both
    bool smoothed_ = false;
    bool color_field_used_ = false, cohesion_used_ = false;
    bool micropolar_used_ = false, confinement_used_ = false;
    double longest_step_;
    ImplicitViscosity<D> implicit_viscosity_;
    Buffer<Push<D>> drag_;
    // scratch memory of a step
    VectorBuffer<D> smoothed_velocity_, normals_, curvature_;
    VectorBuffer<k_spin_size<D>> curl_, next_spin_;
    Buffer<float> curl_size_;
};

}  // namespace millrace
