// The signed distances of solids: exact where the shape has a formula, on a grid for meshes.
#include <algorithm>

#include "geometry/flat_distance.hpp"
#include "geometry/line_distances.hpp"
#include "geometry/mesh_distance.hpp"
#include "geometry/shape_distances.hpp"
#include "geometry/solid.hpp"

namespace millrace {

namespace {

template <int D>
using Part = std::unique_ptr<SignedDistance<D>>;

template <int D>
Part<D> box_distance(const PlacedBox<D>& box) {
    return std::make_unique<BoxDistance<D>>(box.center(), box.half(), box.rotation);
}

template <int D>
struct DistanceOf {
    const Solid<D>& solid;
    double thickness, reach, spacing;

    /// What lies outside of the shape where the solid is a tank.
    SolidParts<D> turned_out(Part<D> shape) const {
        SolidParts<D> parts;
        if (solid.hollow)
            shape = std::make_unique<OutsideDistance<D>>(std::move(shape), thickness);
        parts.push_back(std::move(shape));
        return parts;
    }

    SolidParts<D> operator()(const PlacedBox<D>& box) const {
        SolidParts<D> parts;
        if (!solid.hollow && !box.has_open_faces())
            parts.push_back(box_distance<D>(box));
        else
            for (const PlacedBox<D>& slab : tank_slabs<D>(box, thickness))
                parts.push_back(box_distance<D>(slab));
        return parts;
    }
    SolidParts<D> operator()(const PlacedBall<D>& ball) const {
        return turned_out(std::make_unique<RoundLineDistance<D>>(
            std::vector<Vec<D, double>>{ball.center}, ball.radius));
    }
    SolidParts<D> operator()(const PlacedHalfSpace<D>& half) const {
        SolidParts<D> parts;
        parts.push_back(std::make_unique<HalfSpaceDistance<D>>(half.point, half.normal));
        return parts;
    }
    SolidParts<D> operator()(const PlacedCylinder& c) const requires(D == 3) {
        return turned_out(std::make_unique<CylinderDistance>(c.from, c.to, c.radius));
    }
    SolidParts<D> operator()(const PlacedCapsule& c) const requires(D == 3) {
        return turned_out(
            std::make_unique<RoundLineDistance<3>>(std::vector<Vec3d>{c.from, c.to}, c.radius));
    }
    SolidParts<D> operator()(const PlacedMesh& mesh) const requires(D == 3) {
        SolidParts<3> parts;
        if (mesh.triangles().triangles.empty())
            return parts;
        auto distance = std::make_unique<MeshDistance>(mesh.triangles(), reach, spacing);
        if (distance->is_closed())
            return turned_out(std::move(distance));
        parts.push_back(std::move(distance));
        return parts;
    }
    SolidParts<D> operator()(const PlacedPolygon& polygon) const requires(D == 2) {
        return turned_out(std::make_unique<FlatDistance>(Shape2::Kind::polygon, polygon.corners));
    }
    SolidParts<D> operator()(const PlacedChain& chain) const requires(D == 2) {
        SolidParts<D> parts;
        parts.push_back(std::make_unique<RoundLineDistance<2>>(chain.points, spacing / 4));
        return parts;
    }
};

}  // namespace

template <int D>
SolidParts<D> Solid<D>::distances(double thickness, double reach, double spacing) const {
    return std::visit(DistanceOf<D>{*this, thickness, reach, spacing}, shape);
}

template SolidParts<2> Solid<2>::distances(double, double, double) const;
template SolidParts<3> Solid<3>::distances(double, double, double) const;

}  // namespace millrace
