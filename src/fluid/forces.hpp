#pragma once

#include "fluid/color_field_tension.hpp"
#include "fluid/implicit_viscosity.hpp"
#include "fluid/xsph.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// The non-pressure forces within and between the fluids of a scene: viscosity and surface
/// tension, each fluid with its own methods. Gravity is not among them. Nothing is remembered from
/// one step to the next.
template <int D>
class FluidForces {
  public:
    FluidForces(const Device& device, const Scene& scene);

    /// Adds the forces that follow from where the particles are and how they move now.
    void add_accelerations(const Device& device, const FluidView<D>& fluid,
                           VectorView<D> acceleration);

    /// The longest step that these forces allow [s]; infinite where the scene fixes the step.
    double longest_step() const { return longest_step_; }

    /// Corrects the predicted velocities by what needs the length of the step: implicit viscosity
    /// and XSPH. `share` is dt over the step that would have been taken without a time to end at.
    void correct(const Device& device, const FluidView<D>& fluid, VectorView<D> velocity, double dt,
                 double share);

    /// Adds what viscous fluid pulls moving bodies along with to the coupling's pushes; after
    /// `correct`.
    void drag_bodies(const Device& device, const FluidView<D>& fluid, VectorView<D> predicted,
                     double dt);

    std::size_t bytes() const;

  private:
    WallFriction<D> walls_;
    XsphStrength xsph_;
    Tension color_field_, cohesion_;
    bool viscous_ = false;
    bool grips_ = false;     ///< some fluid does not slip
    bool implicit_ = false;  ///< then all viscous fluids are: the pairs between them belong to both
    bool smoothed_ = false;
    bool color_field_used_ = false, cohesion_used_ = false;
    double longest_step_;
    ImplicitViscosity<D> implicit_viscosity_;
    Buffer<Push<D>> drag_;
    VectorBuffer<D> smoothed_velocity_, normals_, curvature_;  ///< scratch memory of a step
};

}  // namespace millrace
