#include "rigid/bullet_contacts.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

btVector3 velocity_at(const btCollisionObject& object, const btVector3& place) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    if (!body || body->isStaticObject())
        return {0, 0, 0};
    return body->getVelocityInLocalPoint(place - body->getCenterOfMassPosition());
}

btVector3 acceleration_of(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body ? body->getTotalForce() * body->getInvMass() : btVector3(0, 0, 0);
}

/// Bullet lets a contact that has not closed yet take part of the approach away, and a bounce with
/// it. One that closes within this step bounces now, as if closed; the others do not bounce.
void prepare_bounce(btManifoldPoint& point, btScalar e, btScalar closing, btScalar closing_at_end,
                    const btContactSolverInfo& info) {
    const bool bounces = e > 0 && closing > info.m_restitutionVelocityThreshold;
    const btScalar gap = point.getDistance();
    const bool closes = gap <= closing_at_end * info.m_timeStep;
    point.m_combinedRestitution = bounces && closes ? e : 0;
    if (bounces && closes)
        point.setDistance(std::min(gap, -info.m_linearSlop));
}

/// Friction acts along the slide that is about to come, and at right angles to it; the impulses of
/// the last step are carried over as a vector. Their sizes follow the length of the step.
void prepare_friction(btManifoldPoint& point, const btVector3& slide, btScalar impulse_ratio) {
    const btVector3& n = point.m_normalWorldOnB;
    btVector3 last(0, 0, 0);
    if (point.m_contactPointFlags & BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED)
        last = point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
               point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
    btVector3 along = slide - n * n.dot(slide);
    const btScalar speed = along.length();
    if (speed > 1e-9) {
        point.m_lateralFrictionDir1 = along / speed;
        point.m_lateralFrictionDir2 = n.cross(point.m_lateralFrictionDir1);
    } else {
        btPlaneSpace1(n, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
    }
    point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
    point.m_contactMotion1 = point.m_contactMotion2 = 0;
    point.m_appliedImpulse *= impulse_ratio;
    point.m_appliedImpulseLateral1 = last.dot(point.m_lateralFrictionDir1) * impulse_ratio;
    point.m_appliedImpulseLateral2 = last.dot(point.m_lateralFrictionDir2) * impulse_ratio;
}

}  // namespace

void ContactWorld::solveConstraints(btContactSolverInfo& info) {
    const btScalar dt = info.m_timeStep;
    const btScalar ratio = last_dt_ > 0 ? std::min(dt / last_dt_, btScalar(10)) : 0;
    last_dt_ = dt;
    btDispatcher& dispatcher = *getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        const btCollisionObject& a = *manifold.getBody0();
        const btCollisionObject& b = *manifold.getBody1();
        const btVector3 gain = (acceleration_of(a) - acceleration_of(b)) * dt;
        const btScalar e = std::max(a.getRestitution(), b.getRestitution());
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            btManifoldPoint& point = manifold.getContactPoint(k);
            const btVector3 v = velocity_at(a, point.getPositionWorldOnA()) -
                                velocity_at(b, point.getPositionWorldOnB());
            const btVector3& n = point.m_normalWorldOnB;
            point.m_combinedFriction = std::sqrt(a.getFriction() * b.getFriction());
            prepare_bounce(point, e, -n.dot(v), -n.dot(v + gain), info);
            prepare_friction(point, v + gain, ratio);
        }
    }
    btDiscreteDynamicsWorld::solveConstraints(info);
}

}  // namespace millrace
