#include "rigid/bullet_contact_finder.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btConvexPolyhedron.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>

#include <algorithm>
#include <tuple>

#include "rigid/bullet_shapes.hpp"
#include "rigid/bullet_touch.hpp"
#include "rigid/contact_owners.hpp"
#include "rigid/sweep.hpp"

namespace millrace {
namespace {

/// Looks for contacts as far as the finder does.
class Dispatcher final : public btCollisionDispatcher {
  public:
    Dispatcher(btCollisionConfiguration* configuration, btScalar reach)
        : btCollisionDispatcher(configuration), reach_(reach) {
        btGImpactCollisionAlgorithm::registerAlgorithm(this);
    }

    btPersistentManifold* getNewManifold(const btCollisionObject* a,
                                         const btCollisionObject* b) override {
        btPersistentManifold* manifold = btCollisionDispatcher::getNewManifold(a, b);
        manifold->setContactBreakingThreshold(reach_);
        return manifold;
    }

  private:
    btScalar reach_;
};

/// Takes what Bullet's algorithms find as it is, instead of gathering four of it over the steps.
class Taken final : public btManifoldResult {
  public:
    Taken(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, btScalar reach,
          std::vector<BulletTouch>& found)
        : btManifoldResult(a, b), first_(a->getCollisionObject()), reach_(reach), found_(found) {
        m_closestPointDistanceThreshold = reach;
    }

    void addContactPoint(const btVector3& normal, const btVector3& point, btScalar gap) override {
        if (gap > reach_)
            return;
        const bool is_swapped = getPersistentManifold()->getBody0() != first_;
        found_.push_back({point + normal * (gap / 2), is_swapped ? -normal : normal, gap});
    }

  private:
    const btCollisionObject* first_;
    btScalar reach_;
    std::vector<BulletTouch>& found_;
};

/// A body or a part of a wall.
struct Part {
    int owner;             ///< as in BodyContact
    bool moves;            ///< or else stands as it was placed first
    std::uint32_t number;  ///< of the owner's parts
    btTransform place;     ///< in the owner's frame
    std::unique_ptr<btCollisionObject> object;

    const btCollisionShape& shape() const { return *object->getCollisionShape(); }
    TouchingShape placed() const { return {&shape(), object->getWorldTransform()}; }
};

/// The corner of a box or hull that is nearest to x; of other shapes an eighth of the space about
/// the middle. The distance is without end there.
std::pair<btScalar, std::uint32_t> place_on(const Part& part, const btVector3& x) {
    const btVector3 local = part.object->getWorldTransform().invXform(x);
    const btConvexPolyhedron* polyhedron = polyhedron_of(part.shape());
    std::pair<btScalar, std::uint32_t> nearest{BT_LARGE_FLOAT, 0};
    if (!polyhedron) {
        for (int k = 0; k < 3; ++k)
            nearest.second |= (local[k] > 0 ? 1u : 0u) << k;
        return nearest;
    }
    for (int i = 0; i < polyhedron->m_vertices.size(); ++i)
        nearest = std::min(
            nearest, {polyhedron->m_vertices[i].distance(local), static_cast<std::uint32_t>(i)});
    return nearest;
}

bool is_ball(const Part& part) {
    return part.shape().getShapeType() == SPHERE_SHAPE_PROXYTYPE;
}

/// A number for the place of a contact: of the part of b, and of the nearest corner of a or b. A
/// ball touches a part only once. The last bits are left to tell those apart that share a corner.
std::uint32_t feature_of(const Part& a, const Part& b, const btVector3& x) {
    std::uint32_t corner = 0;
    if (!is_ball(a) && !is_ball(b)) {
        const auto of_a = place_on(a, x), of_b = place_on(b, x);
        corner = of_b.first < of_a.first ? 2 * of_b.second + 1 : 2 * of_a.second;
    }
    return (b.number << 24) ^ (corner << 4);
}

class BulletContactFinder final : public ContactFinder {
  public:
    BulletContactFinder(const RigidDescription& description, double reach)
        : units_(bullet_units(description)),
          reach_(reach * units_.length),
          joined_(description),
          dispatcher_(&configuration_, reach_) {
        configuration_.setConvexConvexMultipointIterations(4, 4);  // of round shapes
        for (std::size_t i = 0; i < description.bodies.size(); ++i)
            add(static_cast<int>(i), true, 0,
                {bullet_body_shape(description.bodies[i], Quaterniond::identity(), units_, shapes_),
                 btTransform::getIdentity()});
        for (std::size_t w = 0; w < description.walls.size(); ++w) {
            const WallDescription& wall = description.walls[w];
            std::uint32_t number = 0;
            for (const BulletPart& part :
                 bullet_wall_parts(wall, description.bodies, units_, shapes_)) {
                add(wall_number(w), wall.moves(), number++, part);
                move(parts_.size() - 1, wall.state);
            }
        }
    }

    std::span<const BodyContact> find(std::span<const BodyState> bodies,
                                      std::span<const BodyState> walls) override {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (parts_[i].moves)
                move(i, frame_of(parts_[i].owner, bodies, walls));
        contacts_.clear();
        sweep_.for_pairs(bounds_, [this](std::size_t i, std::size_t j) {
            const bool i_first = comes_first(parts_[i].owner, parts_[j].owner);
            look_at(parts_[i_first ? i : j], parts_[i_first ? j : i]);
        });
        const auto key = [](const BodyContact& c) { return std::tuple(c.a, c.b, c.feature); };
        std::ranges::stable_sort(contacts_, {}, key);
        for (std::size_t i = 1; i < contacts_.size(); ++i)
            if (key(contacts_[i]) <= key(contacts_[i - 1]))
                contacts_[i].feature = contacts_[i - 1].feature + 1;
        return contacts_;
    }

  private:
    void add(int owner, bool moves, std::uint32_t number, const BulletPart& part) {
        auto object = std::make_unique<btCollisionObject>();
        find_faces(*part.shape);
        object->setCollisionShape(part.shape);
        parts_.push_back({owner, moves, number, part.place, std::move(object)});
        bounds_.emplace_back();
    }

    void move(std::size_t i, const BodyState& frame) {
        const btTransform at(to_bullet(frame.rotation), to_bullet(frame.position, units_.length));
        btCollisionObject& object = *parts_[i].object;
        object.setWorldTransform(at * parts_[i].place);
        btVector3 low, high;
        object.getCollisionShape()->getAabb(object.getWorldTransform(), low, high);
        bounds_[i] = {from_bullet(low) - Vec3d::all(reach_ / 2),
                      from_bullet(high) + Vec3d::all(reach_ / 2)};
    }

    void look_at(const Part& a, const Part& b) {
        if (a.owner < 0 || a.owner == b.owner || joined_.holds(a.owner, b.owner))
            return;
        touches_.clear();
        if (!find_touches(a.placed(), b.placed(), reach_, touches_))
            ask_bullet(a, b);
        keep_few(touches_);
        for (const BulletTouch& touch : touches_)
            contacts_.push_back({a.owner, b.owner, from_bullet(touch.point, 1 / units_.length),
                                 from_bullet(touch.normal), touch.gap / units_.length,
                                 feature_of(a, b, touch.point)});
    }

    /// An algorithm that is new every time remembers nothing of earlier steps.
    void ask_bullet(const Part& a, const Part& b) {
        const btCollisionObject &p = *a.object, &q = *b.object;
        const btCollisionObjectWrapper wrap_p(nullptr, &a.shape(), &p, p.getWorldTransform(), -1,
                                              -1);
        const btCollisionObjectWrapper wrap_q(nullptr, &b.shape(), &q, q.getWorldTransform(), -1,
                                              -1);
        btCollisionAlgorithm* algorithm =
            dispatcher_.findAlgorithm(&wrap_p, &wrap_q, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        if (!algorithm)
            return;
        Taken taken(&wrap_p, &wrap_q, reach_, touches_);
        algorithm->processCollision(&wrap_p, &wrap_q, btDispatcherInfo(), &taken);
        algorithm->~btCollisionAlgorithm();
        dispatcher_.freeCollisionAlgorithm(algorithm);
    }

    BulletUnits units_;
    btScalar reach_;  ///< in Bullet's units
    JoinedBodies joined_;
    BulletShapes shapes_;
    btDefaultCollisionConfiguration configuration_;
    Dispatcher dispatcher_;
    std::vector<Part> parts_;
    std::vector<SweepBounds<3>>
        bounds_;  ///< of the parts, grown by half the reach, in Bullet's units
    Sweep sweep_;
    std::vector<BulletTouch> touches_;
    std::vector<BodyContact> contacts_;
};

}  // namespace

std::unique_ptr<ContactFinder> make_bullet_contact_finder(const RigidDescription& description,
                                                          double reach) {
    return std::make_unique<BulletContactFinder>(description, reach);
}

}  // namespace millrace
