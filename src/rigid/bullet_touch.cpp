#include "rigid/bullet_touch.hpp"

#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexPolyhedron.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <BulletCollision/CollisionShapes/btTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btPolyhedralContactClipping.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>
#include <optional>
#include <span>

namespace millrace {
namespace {

using Touches = std::vector<BulletTouch>;

constexpr double k_along_face = 0.9995;  // cosine; a normal this near that of a face is its own
constexpr double k_alike = 0.95;         // cosine, of normals that are about the same
constexpr std::size_t k_enough = 4;      // touches with about the same normal
constexpr double k_same_place = 1e-3;    // in widths of what is touched

/// How far the surface is outside of the corners that the polyhedron has.
btScalar margin_around(const btCollisionShape& shape) {
    return shape.getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE ? shape.getMargin() : 0;
}

/// The places of a shape that can touch a plane first when it goes down, in the shape's frame.
void lowest_places(const btCollisionShape& shape, const btVector3& down,
                   std::vector<btVector3>& places) {
    if (const btConvexPolyhedron* polyhedron = polyhedron_of(shape)) {
        for (int i = 0; i < polyhedron->m_vertices.size(); ++i)
            places.push_back(polyhedron->m_vertices[i] + down * margin_around(shape));
    } else if (shape.getShapeType() == SPHERE_SHAPE_PROXYTYPE) {
        places.push_back(down * static_cast<const btSphereShape&>(shape).getRadius());
    } else if (shape.getShapeType() == CAPSULE_SHAPE_PROXYTYPE) {
        const auto& capsule = static_cast<const btCapsuleShape&>(shape);
        for (const double side : {-1.0, 1.0})
            places.push_back(btVector3(0, side * capsule.getHalfHeight(), 0) +
                             down * capsule.getRadius());
    } else if (shape.getShapeType() == CYLINDER_SHAPE_PROXYTYPE) {
        const btVector3 half =
            static_cast<const btCylinderShape&>(shape).getHalfExtentsWithMargin();
        btVector3 out(down.x(), 0, down.z());
        out = out.length2() > SIMD_EPSILON ? out.normalized() : btVector3(1, 0, 0);
        const btVector3 across(-out.z(), 0, out.x());
        for (const double side : {-1.0, 1.0})
            for (const btVector3& rim : {out, across, -out, -across})
                places.push_back(rim * half.x() + btVector3(0, side * half.y(), 0));
    } else if (shape.getShapeType() == GIMPACT_SHAPE_PROXYTYPE) {
        const auto& part = *static_cast<const btGImpactMeshShape&>(shape).getMeshPart(0);
        const btScalar margin = shape.getMargin();
        part.lockChildShapes();
        for (int i = 0; i < part.getVertexCount(); ++i) {
            btVector3 vertex;
            part.getVertex(i, vertex);
            places.push_back(vertex + down * margin);
        }
        part.unlockChildShapes();
    }
}

/// A plane with its solid side behind it, in the world.
struct FacePlane {
    btVector3 point, normal;

    btScalar distance(const btVector3& x) const { return normal.dot(x - point); }
};

/// Calls add(place in the world, gap) for the places of a shape that are near a plane.
template <class Add>
void touch_plane(const TouchingShape& a, const FacePlane& plane, btScalar reach, const Add& add) {
    std::vector<btVector3> places;
    lowest_places(*a.shape, -plane.normal * a.at.getBasis(), places);
    for (const btVector3& place : places) {
        const btVector3 x = a.at * place;
        const btScalar gap = plane.distance(x);
        if (gap <= reach)
            add(x, gap);
    }
}

bool touch_static_plane(const TouchingShape& a, const TouchingShape& b, btScalar reach,
                        Touches& found) {
    const auto& shape = static_cast<const btStaticPlaneShape&>(*b.shape);
    const btVector3& n = shape.getPlaneNormal();
    const FacePlane plane{b.at * (n * shape.getPlaneConstant()), b.at.getBasis() * n};
    touch_plane(a, plane, reach, [&](const btVector3& x, btScalar gap) {
        found.push_back({x - plane.normal * (gap / 2), plane.normal, gap});
    });
    return true;
}

/// The nearest places of two convex shapes, or how they part along the smallest way.
std::optional<BulletTouch> nearest(const TouchingShape& a, const TouchingShape& b, btScalar reach) {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    const auto *p = static_cast<const btConvexShape*>(a.shape),
               *q = static_cast<const btConvexShape*>(b.shape);
    btGjkPairDetector detector(p, q, &simplex, &depth);
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = a.at;
    input.m_transformB = b.at;
    const btScalar farthest = p->getMargin() + q->getMargin() + reach;
    input.m_maximumDistanceSquared = farthest * farthest;
    btPointCollector closest;
    detector.getClosestPoints(input, closest, nullptr);
    if (!closest.m_hasResult || closest.m_distance > reach)
        return {};
    const btVector3& n = closest.m_normalOnBInWorld;
    return BulletTouch{closest.m_pointInWorld + n * (closest.m_distance / 2), n,
                       closest.m_distance};
}

/// The face of a polyhedron that looks along a direction, and how well.
struct LookingFace {
    int face = -1;
    btScalar cosine = -2;
    btVector3 normal;
};

LookingFace face_along(const TouchingShape& placed, const btVector3& direction) {
    LookingFace best;
    const btConvexPolyhedron* polyhedron = polyhedron_of(*placed.shape);
    for (int i = 0; polyhedron && i < polyhedron->m_faces.size(); ++i) {
        const btScalar* plane = polyhedron->m_faces[i].m_plane;
        const btVector3 normal = placed.at.getBasis() * btVector3(plane[0], plane[1], plane[2]);
        if (normal.dot(direction) > best.cosine)
            best = {i, normal.dot(direction), normal};
    }
    return best;
}

/// The face of a polyhedron before which all of another lies, or overlaps it least.
struct PartingFace {
    LookingFace face;
    btScalar gap = -BT_LARGE_FLOAT;
};

PartingFace parting_face(const TouchingShape& base, const TouchingShape& other) {
    const btConvexPolyhedron &p = *polyhedron_of(*base.shape), &q = *polyhedron_of(*other.shape);
    const btScalar around = margin_around(*base.shape) + margin_around(*other.shape);
    PartingFace best;
    for (int i = 0; i < p.m_faces.size(); ++i) {
        const btScalar* plane = p.m_faces[i].m_plane;
        const btVector3 normal = base.at.getBasis() * btVector3(plane[0], plane[1], plane[2]);
        const btVector3 on_face = base.at * p.m_vertices[p.m_faces[i].m_indices[0]];
        btScalar gap = BT_LARGE_FLOAT;
        for (int k = 0; k < q.m_vertices.size(); ++k)
            gap = std::min(gap, normal.dot(other.at * q.m_vertices[k] - on_face));
        if (gap - around > best.gap)
            best = {{i, 1, normal}, gap - around};
    }
    return best;
}

/// Gathers places of one surface with their distances from a face.
struct Gathered : btDiscreteCollisionDetectorInterface::Result {
    std::vector<std::pair<btVector3, btScalar>> places;

    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3&, const btVector3& point, btScalar distance) override {
        places.emplace_back(point, distance);
    }
};

/// Whether x is above the outline, which runs counter-clockwise about the normal, or no farther
/// beside it than `slack`.
bool is_within(std::span<const btVector3> outline, const btVector3& normal, const btVector3& x,
               btScalar slack) {
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const btVector3 along = outline[(i + 1) % outline.size()] - outline[i];
        if (along.cross(normal).normalized().dot(x - outline[i]) > slack)
            return false;
    }
    return true;
}

/// The places of `other` before a face of `base`, with their distances from it.
void gather_before(const TouchingShape& base, const LookingFace& face, const TouchingShape& other,
                   btScalar reach, Gathered& gathered) {
    const btConvexPolyhedron &p = *polyhedron_of(*base.shape), *q = polyhedron_of(*other.shape);
    const btScalar around = margin_around(*base.shape);
    if (q) {
        btVertexArray from, to;
        const btScalar both = around + margin_around(*other.shape);
        btPolyhedralContactClipping::clipHullAgainstHull(-face.normal, p, *q, base.at, other.at,
                                                         -BT_LARGE_FLOAT, reach + both, from, to,
                                                         gathered);
        for (auto& [point, distance] : gathered.places) {
            point -= face.normal * margin_around(*other.shape);
            distance -= both;
        }
        return;
    }
    std::vector<btVector3> outline;
    const auto& corners = p.m_faces[face.face].m_indices;
    for (int i = 0; i < corners.size(); ++i)
        outline.push_back(base.at * p.m_vertices[corners[i]]);
    const FacePlane plane{outline[0] + face.normal * around, face.normal};
    touch_plane(other, plane, reach, [&](const btVector3& x, btScalar gap) {
        if (is_within(outline, face.normal, x, around))
            gathered.places.emplace_back(x, gap);
    });
}

/// Two polyhedra along a face of one of them, unless they are clearly nearest along edges: the
/// normal of shapes that just touch is not exact enough to tell a face.
bool touch_faces(const TouchingShape& a, const TouchingShape& b, btScalar reach,
                 const std::optional<BulletTouch>& closest, Touches& found) {
    constexpr double k_clearly = 0.1;  // in reaches
    const PartingFace of_a = parting_face(a, b), of_b = parting_face(b, a);
    const bool is_of_a = of_a.gap > of_b.gap + k_clearly * k_clearly * reach;
    const PartingFace& face = is_of_a ? of_a : of_b;
    if (face.gap > reach || (closest && face.gap < closest->gap - k_clearly * reach))
        return false;
    Gathered gathered;
    gather_before(is_of_a ? a : b, face.face, is_of_a ? b : a, reach, gathered);
    const btVector3& normal = face.face.normal;
    for (const auto& [point, distance] : gathered.places)
        found.push_back({point - normal * (distance / 2), is_of_a ? -normal : normal, distance});
    return !gathered.places.empty();
}

bool touch_convex(const TouchingShape& a, const TouchingShape& b, btScalar reach, Touches& found) {
    const auto closest = nearest(a, b, reach);
    if (polyhedron_of(*a.shape) && polyhedron_of(*b.shape) &&
        touch_faces(a, b, reach, closest, found))
        return true;
    if (!closest)
        return true;
    const LookingFace of_a = face_along(a, -closest->normal), of_b = face_along(b, closest->normal);
    const bool is_of_a = of_a.cosine > of_b.cosine;
    const LookingFace& face = is_of_a ? of_a : of_b;
    Gathered gathered;
    if (face.cosine > k_along_face)
        gather_before(is_of_a ? a : b, face, is_of_a ? b : a, reach, gathered);
    for (const auto& [point, distance] : gathered.places)
        found.push_back(
            {point - face.normal * (distance / 2), is_of_a ? -face.normal : face.normal, distance});
    if (gathered.places.empty())
        found.push_back(*closest);
    return true;
}

/// Touches of a convex shape with the triangles of a surface that has two sides. Where a triangle's
/// edge is touched that lies in the plane of another that is touched on its face, this is no edge
/// of the surface.
class TriangleTouches final : public btTriangleCallback {
  public:
    TriangleTouches(const TouchingShape& a, const btTransform& at, btScalar reach, Touches& found)
        : a_(a), at_(at), reach_(reach), found_(found) {}

    void processTriangle(btVector3* corners, int, int) override {
        btTriangleShape triangle(corners[0], corners[1], corners[2]);
        triangle.setMargin(0);
        const auto closest = nearest(a_, {&triangle, at_}, reach_);
        if (!closest)
            return;
        btVector3 normal =
            at_.getBasis() * (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        normal.normalize();
        const bool is_behind = normal.dot(closest->normal) < 0;
        if (is_behind)
            normal = -normal;
        if (normal.dot(closest->normal) < k_along_face) {
            of_edges_.push_back(*closest);
            return;
        }
        const FacePlane plane{at_ * corners[0], normal};
        planes_.push_back(plane);
        std::vector<btVector3> outline{at_ * corners[0], at_ * corners[1], at_ * corners[2]};
        if (is_behind)
            std::swap(outline[1], outline[2]);
        touch_face(plane, outline, *closest);
    }

    void add_edges() {
        for (const BulletTouch& touch : of_edges_) {
            const btVector3 on_triangle = touch.point - touch.normal * (touch.gap / 2);
            const bool is_inner = std::ranges::any_of(planes_, [&](const FacePlane& plane) {
                return std::abs(plane.distance(on_triangle)) < k_same_place * reach_;
            });
            if (!is_inner)
                found_.push_back(touch);
        }
    }

  private:
    void touch_face(const FacePlane& plane, std::span<const btVector3> outline,
                    const BulletTouch& closest) {
        const std::size_t before = found_.size();
        for (const btVector3& x : places_before(plane, outline)) {
            const btScalar gap = plane.distance(x);
            if (gap <= reach_)
                found_.push_back({x - plane.normal * (gap / 2), plane.normal, gap});
        }
        if (found_.size() == before)
            found_.push_back(closest);
    }

    /// Of a polyhedron the face against the plane, cut to the outline; else the lowest places.
    std::vector<btVector3> places_before(const FacePlane& plane,
                                         std::span<const btVector3> outline) const {
        std::vector<btVector3> places;
        const btConvexPolyhedron* polyhedron = polyhedron_of(*a_.shape);
        if (!polyhedron) {
            touch_plane(a_, plane, reach_, [&](const btVector3& x, btScalar) {
                if (is_within(outline, plane.normal, x, 0))
                    places.push_back(x);
            });
            return places;
        }
        const auto& face = polyhedron->m_faces[face_along(a_, -plane.normal).face];
        btVertexArray kept, cut;
        for (int i = 0; i < face.m_indices.size(); ++i)
            kept.push_back(a_.at * polyhedron->m_vertices[face.m_indices[i]] -
                           plane.normal * margin_around(*a_.shape));
        for (std::size_t i = 0; i < outline.size(); ++i, kept = cut) {
            const btVector3& corner = outline[i];
            const btVector3 out =
                (outline[(i + 1) % outline.size()] - corner).cross(plane.normal).normalized();
            cut.resize(0);
            btPolyhedralContactClipping::clipFace(kept, cut, out, -out.dot(corner));
        }
        for (int i = 0; i < kept.size(); ++i)
            places.push_back(kept[i]);
        return places;
    }

    TouchingShape a_;
    btTransform at_;
    btScalar reach_;
    Touches& found_;
    Touches of_edges_;
    std::vector<FacePlane> planes_;  ///< of triangles that are touched on their faces
};

bool touch_triangles(const TouchingShape& a, const TouchingShape& b, btScalar reach,
                     Touches& found) {
    btVector3 low, high;
    a.shape->getAabb(b.at.inverseTimes(a.at), low, high);
    const btVector3 around(reach, reach, reach);
    TriangleTouches touches(a, b.at, reach, found);
    static_cast<const btTriangleMeshShape&>(*b.shape).processAllTriangles(&touches, low - around,
                                                                          high + around);
    touches.add_edges();
    return true;
}

}  // namespace

void find_faces(btCollisionShape& shape) {
    const int type = shape.getShapeType();
    if (type == BOX_SHAPE_PROXYTYPE || type == CONVEX_HULL_SHAPE_PROXYTYPE)
        static_cast<btPolyhedralConvexShape&>(shape).initializePolyhedralFeatures();
}

const btConvexPolyhedron* polyhedron_of(const btCollisionShape& shape) {
    return shape.isPolyhedral()
               ? static_cast<const btPolyhedralConvexShape&>(shape).getConvexPolyhedron()
               : nullptr;
}

bool find_touches(const TouchingShape& a, const TouchingShape& b, btScalar reach, Touches& found) {
    if (b.shape->getShapeType() == STATIC_PLANE_PROXYTYPE)
        return touch_static_plane(a, b, reach, found);
    if (a.shape->isConvex() && b.shape->getShapeType() == TRIANGLE_MESH_SHAPE_PROXYTYPE)
        return touch_triangles(a, b, reach, found);
    const bool has_faces = polyhedron_of(*a.shape) || polyhedron_of(*b.shape);
    return a.shape->isConvex() && b.shape->isConvex() && has_faces &&
           touch_convex(a, b, reach, found);
}

void keep_few(Touches& touches) {
    std::ranges::stable_sort(touches, {}, &BulletTouch::gap);
    Touches kept, rest = touches;
    while (!rest.empty()) {
        // those like the deepest that is left
        const btVector3 normal = rest.front().normal;
        const auto others = std::ranges::stable_partition(
            rest, [&](const BulletTouch& t) { return normal.dot(t.normal) > k_alike; });
        Touches alike(rest.begin(), others.begin());
        rest.erase(rest.begin(), others.begin());
        std::vector<btScalar> far(alike.size(), BT_LARGE_FLOAT);  // from those that are kept
        std::size_t chosen = 0;
        btScalar width = 0;
        for (std::size_t n = 0; n < k_enough; ++n) {
            kept.push_back(alike[chosen]);
            for (std::size_t i = 0; i < alike.size(); ++i)
                far[i] = std::min(far[i], alike[i].point.distance(alike[chosen].point));
            chosen = static_cast<std::size_t>(std::ranges::max_element(far) - far.begin());
            width = std::max(width, far[chosen]);
            if (far[chosen] <= k_same_place * width)
                break;
        }
    }
    touches = std::move(kept);
}

}  // namespace millrace
