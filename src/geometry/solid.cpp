#include "geometry/solid.hpp"

#include <algorithm>

#include "geometry/mesh_file.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/point_file.hpp"
#include "geometry/remesh.hpp"
#include "geometry/shape_measures.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

std::string place_of(const char* list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
}

template <int D>
Vec<D, double> shortened(const Vec3d& v) {
    Vec<D, double> r;
    for (int k = 0; k < D; ++k)
        r[k] = v[k];
    return r;
}

}  // namespace

template <int D>
TriangleMesh Solid<D>::surface() const {
    if constexpr (D == 3)
        return triangles_of(shape, edge);
    return {};
}

template <int D>
bool Solid<D>::has_inside() const {
    if (std::holds_alternative<PlacedBox<D>>(shape))
        return !hollow;
    if constexpr (D == 2)
        return !std::holds_alternative<PlacedChain>(shape);
    else if (const auto* mesh = std::get_if<PlacedMesh>(&shape))
        return mesh->is_closed();
    return true;
}

template <int D>
void Solid<D>::mark_inside(std::span<const Vec<D>> places, const BodyState& frame,
                           std::vector<std::uint8_t>& flags) const {
    if (!has_inside())
        return;
    const Mat<D, double> back = transpose(matrix_of<D>(frame.rotation));
    const Vec<D, double> origin = shortened<D>(frame.position);
    if constexpr (D == 3)
        if (const auto* mesh = std::get_if<PlacedMesh>(&shape)) {  // many at once are faster
            std::vector<Vec3> local(places.begin(), places.end());
            for (Vec3& x : local)
                x = Vec3::from(back * (Vec3d::from(x) - origin));
            const std::vector<std::uint8_t> inside = mesh->inside().contains(local);
            for (std::size_t i = 0; i < local.size(); ++i)
                if ((inside[i] != 0) != hollow)
                    flags[i] = 1;
            return;
        }
    for (std::size_t i = 0; i < places.size(); ++i)
        if (contains<D>(shape, back * (Vec<D, double>::from(places[i]) - origin)) != hollow)
            flags[i] = 1;
}

template <int D>
Solid<D> make_wall(const Boundary& wall, double spacing) {
    Solid<D> solid;
    solid.name = wall.name;
    solid.hollow = wall.inside;
    solid.moves = wall.motion.has_value();
    solid.friction = wall.friction;
    solid.restitution = wall.restitution;
    solid.shape = placed_shape<D>(wall, spacing);
    solid.edge = spacing;
    return solid;
}

template <int D>
SolidBody<D> make_body(const Body& body, double spacing, const std::string& where,
                       std::vector<std::string>& warnings) {
    SolidBody<D> made;
    PlacedShape<D> shape = placed_shape<D>(body);
    if constexpr (D == 3)
        if (const auto* mesh = std::get_if<PlacedMesh>(&shape))
            shape =
                PlacedMesh(closed_surface(mesh->triangles(), spacing, where + ".mesh", warnings));
    const MassProperties of_shape = mass_properties<D>(shape, body.density);
    made.mass = body.mass ? *body.mass : of_shape.mass;
    made.center = of_shape.center;
    made.inertia = of_shape.inertia * (made.mass / of_shape.mass);
    if (body.center_of_mass) {  // the same matter, seen from there, unless its inertia is given
        made.center = to_vec3d(*body.center_of_mass);
        const Vec3d arm = made.center - of_shape.center;
        const Mat3d steiner =
            D == 2 ? Mat3d::identity() * (made.mass * squared_norm(arm))
                   : (Mat3d::identity() * squared_norm(arm) - outer(arm, arm)) * made.mass;
        made.inertia = made.inertia + steiner;
    }
    if (body.inertia) {
        const Vector& given = *body.inertia;
        made.inertia = Mat3d::zero();
        for (int k = 0; k < 3; ++k)
            made.inertia(k, k) = D == 2 ? given[2] : given[k];
    }
    made.solid.name = body.name;
    made.solid.moves = true;
    made.solid.friction = body.friction;
    made.solid.restitution = body.restitution;
    made.solid.shape = moved<D>(shape, -shortened<D>(made.center));
    made.solid.edge = spacing;
    const Quaterniond rotation = to_quaternion(body.rotation);
    made.state = {to_vec3d(body.position) + rotate(rotation, made.center), rotation,
                  to_vec3d(body.velocity), to_vec3d(body.angular_velocity)};
    return made;
}

namespace {

template <int D>
struct MakeFill {
    double spacing;
    const std::string& where;
    std::vector<std::string>& warnings;

    FilledVolume<D> operator()(std::monostate) const {
        throw InputError(where + ": needs a shape");
    }
    FilledVolume<D> operator()(const Box& box) const {
        return {PlacedBox<D>{to_vec<D, double>(box.min), to_vec<D, double>(box.max)}, {}};
    }
    FilledVolume<D> operator()(const Sphere& sphere) const {
        return {PlacedBall<D>{to_vec<D, double>(sphere.center), sphere.radius}, {}};
    }
    FilledVolume<D> operator()(const Polygon& polygon) const {
        if constexpr (D == 2)
            return {PlacedPolygon{Placement<2>({1, 1, 1}, {}, {}).points(polygon.points)}, {}};
        throw InputError(where + ": a polygon is available in 2D only");
    }
    FilledVolume<D> operator()(const MeshFile& mesh) const {
        if constexpr (D == 3)
            return {PlacedMesh(closed_surface(Placement<3>(mesh.scale, mesh.rotation, mesh.position)
                                                  .mesh(load_mesh(mesh.file)),
                                              spacing, where + ".mesh.file", warnings)),
                    {}};
        throw InputError(where + ": a mesh is available in 3D only");
    }
    FilledVolume<D> operator()(const PointFile& file) const {
        TriangleMesh cloud;
        cloud.vertices = load_points(file.file);
        FilledVolume<D> volume;
        for (const Vec3d& x :
             Placement<3>(file.scale, file.rotation, file.position).mesh(cloud).vertices)
            volume.points.push_back(shortened<D>(x));
        return volume;
    }
};

}  // namespace

template <int D>
FilledVolume<D> make_fill(const Fill& fill, double spacing, const std::string& where,
                          std::vector<std::string>& warnings) {
    return std::visit(MakeFill<D>{spacing, where, warnings}, fill.shape);
}

template <int D>
SceneSolids<D> make_solids(const Scene& scene) {
    SceneSolids<D> made;
    for (const Boundary& wall : scene.boundaries)
        made.walls.push_back(make_wall<D>(wall, scene.spacing));
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        made.bodies.push_back(
            make_body<D>(scene.bodies[b], scene.spacing, place_of("bodies", b), made.warnings));
    for (std::size_t f = 0; f < scene.fluids.size(); ++f) {
        made.fills.emplace_back();
        for (std::size_t j = 0; j < scene.fluids[f].fill.size(); ++j)
            made.fills.back().push_back(
                make_fill<D>(scene.fluids[f].fill[j], scene.spacing,
                             place_of("fluids", f) + "." + place_of("fill", j), made.warnings));
    }
    return made;
}

TriangleMesh closed_surface(const TriangleMesh& mesh, double spacing, const std::string& where,
                            std::vector<std::string>& warnings) {
    const MeshHealth health = inspect(mesh);
    if (health.solid())
        return mesh;
    if (health.closed && health.oriented && !health.self_intersecting)
        return turned_over(mesh);
    const Vec3d size = bounds(mesh).size();
    const double largest = std::max({size[0], size[1], size[2]});
    const double voxel = std::max(std::min(spacing / 2, largest / 50), largest / 400);
    warnings.push_back(where + ": the mesh " + describe(health) +
                       "; a watertight surface was made from it, look whether it is the shape that "
                       "you mean");
    TriangleMesh mended = watertight(mesh, voxel);
    if (mended.triangles.empty())
        throw InputError(where + ": the mesh " + describe(health) +
                         " and encloses no volume; close its holes");
    return mended;
}

template struct Solid<2>;
template struct Solid<3>;
template Solid<2> make_wall<2>(const Boundary&, double);
template Solid<3> make_wall<3>(const Boundary&, double);
template SolidBody<2> make_body<2>(const Body&, double, const std::string&,
                                   std::vector<std::string>&);
template SolidBody<3> make_body<3>(const Body&, double, const std::string&,
                                   std::vector<std::string>&);
template FilledVolume<2> make_fill<2>(const Fill&, double, const std::string&,
                                      std::vector<std::string>&);
template FilledVolume<3> make_fill<3>(const Fill&, double, const std::string&,
                                      std::vector<std::string>&);
template SceneSolids<2> make_solids<2>(const Scene&);
template SceneSolids<3> make_solids<3>(const Scene&);

}  // namespace millrace
