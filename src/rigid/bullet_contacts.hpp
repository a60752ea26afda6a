#pragma once

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

namespace millrace {

/// Bullet's world with contacts that stand steps of any length.
///   friction     mu = sqrt(mu_a mu_b), along the way that the surfaces would slide
///   restitution  e = max(e_a, e_b), for contacts that close faster than `restitution_speed`
class ContactWorld final : public btDiscreteDynamicsWorld {
  public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

    /// The next step starts without what the contacts remember.
    void forget() { last_dt_ = 0; }

  protected:
    /// Walls are placed by the engine, with their velocities.
    void saveKinematicState(btScalar) override {}
    void solveConstraints(btContactSolverInfo& info) override;

  private:
    btScalar last_dt_ = 0;
};

}  // namespace millrace
