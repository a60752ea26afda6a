#pragma once

#include <string>

#include "math/vec.hpp"
#include "world/scene_heights.hpp"

namespace millrace {

/// What a step would lead to, before it is taken.
struct Prospect {
    bool finite = true;        ///< every velocity
    double speed = 0;          ///< of the fastest particle or body [m/s]
    double way = 0;            ///< of a particle in the step, in spacings; spray counts by less
    double pressure_gain = 0;  ///< kinetic energy that the pressures brought from nowhere [J]
    double mass = 0;           ///< of the fluid [kg]
    double compression = 0;    ///< mean of (rho / rho0 - 1)+, at the start of the step
};

/// Knows how fast things can go in a scene, by what drives it: falls, walls, emitters, surface
/// tension, what moves at the start. What goes far beyond that is no fluid any more, and ends in
/// nonsense.
class Watch {
  public:
    /// `widest_body`: the distance of the farthest point of any body from its centre of mass [m].
    Watch(const Scene& scene, const SceneHeights& heights, double widest_body);

    /// The fluid has reached down to this height, against gravity [m].
    void see_bottom(double height);
    /// Scripted walls go as fast as this [m/s].
    void see_walls(double speed);
    /// The same of a wall of any size in the scene.
    void see_motion(const BodyState& frame);

    /// The speed of the fastest fall, with those of walls, emitters and the start [m/s]. What is
    /// pushed by something heavier may go faster by the root of the ratio of their densities.
    double scale() const;

    /// Why a step should not be taken; empty: it may.
    std::string complaint(const Prospect& prospect) const;

    /// The line with which a run ends: what is wrong, when and where, and what is the likely cause.
    /// `near`: what moves there, empty: nothing.
    std::string last_words(double time, const Vec3d& place, const std::string& complaint,
                           const std::string& near) const;

  private:
    std::string cause_;  ///< what is known to go wrong in the scene
    bool fixed_step_;
    double gravity_;            ///< [m/s^2]
    double density_ratio_ = 1;  ///< of the heaviest fluid or body and the lightest fluid
    double top_, bottom_;       ///< of everything, against gravity [m]
    double start2_ = 0;         ///< squared speed of what comes in or moves at the start
    double walls_ = 0;          ///< of the fastest wall so far [m/s]
};

template <int D>
Watch make_watch(const Scene& scene, const SceneSolids<D>& solids);

}  // namespace millrace
