#include "render/tank.hpp"

#include <algorithm>
#include <cmath>
#include <string>

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

    std::string name() const { return std::string(upper ? "+" : "-") + "xyz"[axis]; }
    double level(const Box& box) const { return upper ? box.max[axis] : box.min[axis]; }
};

constexpr Face k_faces[] = {{0, false}, {0, true}, {1, false}, {1, true}, {2, false}, {2, true}};

bool is_open(const Boundary& boundary, const Face& face) {
    return std::find(boundary.open.begin(), boundary.open.end(), face.name()) !=
           boundary.open.end();
}

double size_of(const Box& box) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (box.max[k] - box.min[k]) * (box.max[k] - box.min[k]);
    return std::sqrt(sum);
}

/// From a boundary's own frame to where it is in a frame: scaled, turned and moved as the scene
/// says, then by its motion.
class Placement {
  public:
    Placement(const Boundary& boundary, const BodyFrame& frame)
        : scale_(to_vec3d(boundary.scale)),
          place_{to_quaternion(boundary.rotation), to_vec3d(boundary.position)},
          motion_(wall_pose(frame, boundary.name)) {}

    Vec3d point(const Vec3d& x) const {
        return motion_(place_({{scale_[0] * x[0], scale_[1] * x[1], scale_[2] * x[2]}}));
    }
    /// Of a unit normal.
    Vec3d normal(const Vec3d& n) const {
        const Vec3d scaled{{n[0] / scale_[0], n[1] / scale_[1], n[2] / scale_[2]}};
        const Vec3d turned = rotate(motion_.rotation, rotate(place_.rotation, scaled));
        return turned / norm(turned);
    }

  private:
    Vec3d scale_;
    Pose place_, motion_;
};

Vec3d outward(const Face& face) {
    Vec3d normal = Vec3d::all(0);
    normal[face.axis] = face.upper ? 1 : -1;
    return normal;
}

/// The corners of a face, one after the other around it.
std::array<Vec3d, 4> face_corners(const Box& box, const Face& face) {
    const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
    std::array<Vec3d, 4> corners;
    for (int i = 0; i < 4; ++i) {
        corners[i][face.axis] = face.level(box);
        corners[i][u] = i == 1 || i == 2 ? box.max[u] : box.min[u];
        corners[i][v] = i >= 2 ? box.max[v] : box.min[v];
    }
    return corners;
}

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

std::array<Vec3d, 4> placed_corners(const Boundary& boundary, const Face& face,
                                    const Placement& placement) {
    std::array<Vec3d, 4> corners = face_corners(*boundary.box, face);
    for (Vec3d& corner : corners)
        corner = placement.point(corner);
    return corners;
}

void add_glass_box(Tank& tank, const Boundary& boundary, const Placement& placement,
                   const View& view, double size, double lift) {
    for (const Face& face : k_faces) {
        const auto corners = placed_corners(boundary, face, placement);
        const Vec3d normal = placement.normal(outward(face));
        const bool is_floor = dot(view.up, normal) < -0.999;
        if (!is_open(boundary, face) && !is_floor && dot(view.eye - corners[0], normal) < 0)
            add_quad(tank.glass, corners, k_wall_paint);
    }
    // every edge once: the four along each axis
    for (int axis = 0; axis < 3; ++axis) {
        const auto low = placed_corners(boundary, {axis, false}, placement);
        const auto high = placed_corners(boundary, {axis, true}, placement);
        for (int i = 0; i < 4; ++i)
            add_edge(tank.glass, low[i], high[i], view.eye, k_edge_width * size, lift);
    }
}

void add_solid_box(Tank& tank, const Boundary& boundary, const Placement& placement, int paint) {
    for (const Face& face : k_faces)
        if (!is_open(boundary, face))
            add_quad(tank.solid, placed_corners(boundary, face, placement),
                     placement.normal(outward(face)), paint);
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
void add_scene_plane(Tank& tank, const Boundary& boundary, const Placement& placement,
                     const View& view, const Box& bounds, double size, int paint) {
    const Vec3d given = to_vec3d(boundary.plane->normal);
    const Vec3d normal = placement.normal(given / norm(given));
    const Vec3d point = placement.point(to_vec3d(boundary.plane->point));
    const bool level = is_level(normal, view);
    if (dot(view.eye - point, normal) > 0)
        add_plane(tank, point, normal, bounds, (level ? k_ground_size : k_plane_size) * size,
                  level ? Paints::k_ground : paint);
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
        const Placement placement(boundary, frame);
        const int paint = paints.code(boundary.color);
        if (boundary.plane) {
            add_scene_plane(tank, boundary, placement, view, bounds, size, paint);
            has_ground |= is_level(placement.normal(to_vec3d(boundary.plane->normal)), view);
        } else if (boundary.box && boundary.inside) {
            add_glass_box(tank, boundary, placement, view, size, k_edge_lift * scene.spacing);
        } else if (boundary.box) {
            add_solid_box(tank, boundary, placement, paint);
        }
    }
    if (!has_ground)
        add_ground(tank, view, bounds, size, lowest);
    return tank;
}

std::vector<Vec<4>> tank_walls(const Scene& scene, const BodyFrame& frame) {
    std::vector<Vec<4>> walls;
    for (const Boundary& boundary : scene.boundaries) {
        if (!boundary.box || !boundary.inside)
            continue;
        const Placement placement(boundary, frame);
        for (const Face& face : k_faces) {
            if (is_open(boundary, face))
                continue;
            const Vec3d n = placement.normal(outward(face));
            const double level = dot(n, placed_corners(boundary, face, placement)[0]);
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
