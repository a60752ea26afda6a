#include "render/tank.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/placed_shape.hpp"
#include "math/scene_vectors.hpp"
#include "render/pose.hpp"

namespace millrace {
namespace {

struct Paint {
    float r, g, b, opacity;
};

constexpr Paint k_wall_paint{0.78f, 0.86f, 0.93f, 0.16f};
constexpr Paint k_edge_paint{0.90f, 0.95f, 1.00f, 0.55f};
constexpr double k_edge_width = 0.0022;  // of the size of the scene
constexpr double k_edge_lift = 0.4;      // in spacings
constexpr double k_ground_size = 3.5;    // of the size of the scene
constexpr double k_plane_size = 0.75;    // likewise

/// One of the six faces of a box, named as in the scene file: "-x" ... "+z".
struct Face {
    int axis;
    bool upper;
};

constexpr Face k_faces[] = {{0, false}, {0, true}, {1, false}, {1, true}, {2, false}, {2, true}};

double size_of(const Box& box) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (box.max[k] - box.min[k]) * (box.max[k] - box.min[k]);
    return std::sqrt(sum);
}

/// A box of the scene where its motion has brought it in a frame.
class BoxInFrame {
  public:
    BoxInFrame(const Boundary& wall, const Box& box, const BodyFrame& frame)
        : box_(Placement<3>(wall).box(box, wall.open)), motion_(wall_pose(frame, wall.name)) {}

    bool is_open(const Face& face) const { return box_.is_open(face.axis, face.upper); }
    /// The corners of a face, one after the other around it.
    std::array<Vec3d, 4> corners(const Face& face) const {
        const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
        std::array<Vec3d, 4> corners;
        for (int i = 0; i < 4; ++i) {
            corners[i][face.axis] = (face.upper ? box_.high : box_.low)[face.axis];
            corners[i][u] = (i == 1 || i == 2 ? box_.high : box_.low)[u];
            corners[i][v] = (i >= 2 ? box_.high : box_.low)[v];
            corners[i] = motion_(box_.of_own(corners[i]));
        }
        return corners;
    }
    /// Out of the box, of length 1.
    Vec3d normal(const Face& face) const {
        Vec3d out = Vec3d::all(0);
        out[face.axis] = face.upper ? 1 : -1;
        return rotate(motion_.rotation, box_.rotation * out);
    }

  private:
    PlacedBox<3> box_;
    Pose motion_;
};

constexpr int k_two_triangles[] = {0, 1, 2, 0, 2, 3};

void add_quad(std::vector<GlassVertex>& mesh, const std::array<Vec3d, 4>& corners,
              const Paint& paint) {
    for (const int i : k_two_triangles)
        mesh.push_back({Vec3::from(corners[i]), {paint.r, paint.g, paint.b, paint.opacity}});
}

void add_quad(std::vector<SolidVertex>& mesh, const std::array<Vec3d, 4>& corners,
              const Vec3d& normal, int paint) {
    for (const int i : k_two_triangles)
        mesh.push_back({Vec3::from(corners[i]), Vec3::from(normal), static_cast<float>(paint)});
}

/// A thin ribbon from a to b that shows its broad side to the eye, `lift` nearer to the eye than
/// the edge itself: the spheres of the particles reach a little through the walls.
void add_edge(std::vector<GlassVertex>& mesh, Vec3d a, Vec3d b, const Vec3d& eye, double width,
              double lift) {
    for (Vec3d* end : {&a, &b})
        *end += (eye - *end) * std::min(lift / std::max(norm(eye - *end), 1e-30), 0.5);
    const Vec3d side = cross(b - a, eye - (a + b) * 0.5);
    const double length = norm(side);
    if (length == 0)
        return;
    const Vec3d half = side * (width / 2 / length);
    add_quad(mesh, {a - half, b - half, b + half, a + half}, k_edge_paint);
}

void add_glass_box(Tank& tank, const BoxInFrame& box, const View& view, double size, double lift) {
    for (const Face& face : k_faces) {
        const auto corners = box.corners(face);
        const Vec3d normal = box.normal(face);
        const bool is_floor = dot(view.up, normal) < -0.999;
        if (!box.is_open(face) && !is_floor && dot(view.eye - corners[0], normal) < 0)
            add_quad(tank.glass, corners, k_wall_paint);
    }
    // every edge once: the four along each axis
    for (int axis = 0; axis < 3; ++axis) {
        const auto low = box.corners({axis, false});
        const auto high = box.corners({axis, true});
        for (int i = 0; i < 4; ++i)
            add_edge(tank.glass, low[i], high[i], view.eye, k_edge_width * size, lift);
    }
}

void add_solid_box(Tank& tank, const BoxInFrame& box, int paint) {
    for (const Face& face : k_faces)
        if (!box.is_open(face))
            add_quad(tank.solid, box.corners(face), box.normal(face), paint);
}

/// A square of `half` around the middle of things; the ground fades into the background.
void add_plane(Tank& tank, const Vec3d& point, const Vec3d& normal, const Box& bounds, double half,
               int paint) {
    const Vec3d middle = (to_vec3d(bounds.min) + to_vec3d(bounds.max)) * 0.5;
    const Vec3d center = middle - normal * dot(middle - point, normal);
    Vec3d u = cross(normal, std::abs(normal[0]) < 0.5 ? Vec3d{{1, 0, 0}} : Vec3d{{0, 1, 0}});
    u = u * (half / norm(u));
    const Vec3d v = cross(normal, u);
    add_quad(tank.solid, {center - u - v, center + u - v, center + u + v, center - u + v}, normal,
             paint);
}

/// Level planes take the place of the ground.
bool is_level(const Vec3d& normal, const View& view) {
    return dot(normal, view.up) > 0.999;
}

/// From behind, a plane would hide everything.
void add_scene_plane(Tank& tank, const PlacedHalfSpace<3>& plane, const View& view,
                     const Box& bounds, double size, int paint) {
    const bool level = is_level(plane.normal, view);
    if (dot(view.eye - plane.point, plane.normal) > 0)
        add_plane(tank, plane.point, plane.normal, bounds,
                  (level ? k_ground_size : k_plane_size) * size, level ? Paints::k_ground : paint);
}

/// A plane of the scene where its motion has brought it in a frame.
PlacedHalfSpace<3> plane_in_frame(const Boundary& wall, const Plane& plane,
                                  const BodyFrame& frame) {
    const PlacedHalfSpace<3> placed = Placement<3>(wall).half_space(plane);
    const Pose motion = wall_pose(frame, wall.name);
    return {motion(placed.point), rotate(motion.rotation, placed.normal)};
}

void add_ground(Tank& tank, const View& view, const Box& bounds, double size, double lowest) {
    const double level = lowest - 1e-4 * size;
    if (dot(view.eye, view.up) > level)  // seen from below it would hide everything
        add_plane(tank, view.up * level, view.up, bounds, k_ground_size * size, Paints::k_ground);
}

}  // namespace

Tank make_tank(const Scene& scene, const Paints& paints, const View& view, const Box& bounds,
               double lowest, const BodyFrame& frame) {
    Tank tank;
    const double size = size_of(bounds);
    bool has_ground = false;
    for (const Boundary& boundary : scene.boundaries) {
        const int paint = paints.code(boundary.color);
        if (const Plane* plane = std::get_if<Plane>(&boundary.shape)) {
            const PlacedHalfSpace<3> placed = plane_in_frame(boundary, *plane, frame);
            add_scene_plane(tank, placed, view, bounds, size, paint);
            has_ground |= is_level(placed.normal, view);
        } else if (const Box* box = std::get_if<Box>(&boundary.shape)) {
            const BoxInFrame placed(boundary, *box, frame);
            if (boundary.inside)
                add_glass_box(tank, placed, view, size, k_edge_lift * scene.spacing);
            else
                add_solid_box(tank, placed, paint);
        }
    }
    if (!has_ground)
        add_ground(tank, view, bounds, size, lowest);
    return tank;
}

std::vector<Vec<4>> tank_walls(const Scene& scene, const BodyFrame& frame) {
    std::vector<Vec<4>> walls;
    for (const Boundary& boundary : scene.boundaries) {
        const Box* given = std::get_if<Box>(&boundary.shape);
        if (!given || !boundary.inside)
            continue;
        const BoxInFrame box(boundary, *given, frame);
        for (const Face& face : k_faces) {
            if (box.is_open(face))
                continue;
            const Vec3d n = box.normal(face);
            const double level = dot(n, box.corners(face)[0]);
            walls.push_back(Vec<4>::from(Vec<4, double>{{n[0], n[1], n[2], level}}));
        }
    }
    return walls;
}

void add_glass_edges(Tank& tank, std::span<const std::array<Vec3d, 2>> edges, const Scene& scene,
                     const View& view, const Box& bounds) {
    for (const auto& [a, b] : edges)
        add_edge(tank.glass, a, b, view.eye, k_edge_width * size_of(bounds),
                 k_edge_lift * scene.spacing);
}

}  // namespace millrace
