#include "render/tank.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace millrace {
namespace {

struct Paint {
    float r, g, b, opacity;
};

constexpr Paint k_wall_paint{0.78f, 0.86f, 0.93f, 0.16f};
constexpr Paint k_edge_paint{0.90f, 0.95f, 1.00f, 0.55f};
constexpr Paint k_flat_paint{0.62f, 0.68f, 0.75f, 1.00f};
constexpr double k_edge_width = 0.0022;  // of the size of the scene
constexpr double k_edge_lift = 0.4;      // in spacings
constexpr double k_ground_size = 3.5;    // likewise
constexpr double k_band_width = 0.012;   // walls in 2D, likewise

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

Vec3d to_vec(const Vector& v) {
    return {{v[0], v[1], v[2]}};
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
              const Vec3d& normal, Material material) {
    for (const int i : k_two_triangles)
        mesh.push_back({Vec3::from(corners[i]), Vec3::from(normal), static_cast<float>(material)});
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

void add_glass_box(Tank& tank, const Boundary& boundary, const View& view, double size,
                   double lift) {
    for (const Face& face : k_faces) {
        const bool is_floor = view.up[face.axis] * (face.upper ? 1 : -1) < -0.5;
        const double inside =
            (view.eye[face.axis] - face.level(*boundary.box)) * (face.upper ? -1 : 1);
        if (!is_open(boundary, face) && !is_floor && inside > 0)
            add_quad(tank.glass, face_corners(*boundary.box, face), k_wall_paint);
    }
    // every edge once: the four along each axis
    for (int axis = 0; axis < 3; ++axis) {
        const auto low = face_corners(*boundary.box, {axis, false});
        const auto high = face_corners(*boundary.box, {axis, true});
        for (int i = 0; i < 4; ++i)
            add_edge(tank.glass, low[i], high[i], view.eye, k_edge_width * size, lift);
    }
}

void add_solid_box(Tank& tank, const Boundary& boundary) {
    for (const Face& face : k_faces) {
        if (is_open(boundary, face))
            continue;
        Vec3d normal = Vec3d::all(0);
        normal[face.axis] = face.upper ? 1 : -1;
        add_quad(tank.solid, face_corners(*boundary.box, face), normal, Material::solid);
    }
}

/// A wide square under everything; the shader lets it fade into the background.
void add_ground(Tank& tank, const View& view, const Box& bounds, double size) {
    int axis = 0;
    while (std::abs(view.up[axis]) < 0.5)
        ++axis;
    const Face bottom{axis, view.up[axis] < 0};
    const double level = bottom.level(bounds) - 1e-4 * size * view.up[axis];
    if ((view.eye[axis] - level) * view.up[axis] <= 0)
        return;  // seen from below it would hide everything
    const Vec3d center = (to_vec(bounds.min) + to_vec(bounds.max)) * 0.5;
    Box ground;
    for (int k = 0; k < 3; ++k) {
        ground.min[k] = k == axis ? level : center[k] - k_ground_size * size;
        ground.max[k] = k == axis ? level : center[k] + k_ground_size * size;
    }
    add_quad(tank.solid, face_corners(ground, bottom), view.up, Material::ground);
}

void add_flat_boundary(Tank& tank, const Boundary& boundary, double size) {
    const auto add_rectangle = [&](double x0, double y0, double x1, double y1) {
        add_quad(tank.glass, {{{{x0, y0, 0}}, {{x1, y0, 0}}, {{x1, y1, 0}}, {{x0, y1, 0}}}},
                 k_flat_paint);
    };
    const Vector &low = boundary.box->min, &high = boundary.box->max;
    if (!boundary.inside) {
        add_rectangle(low[0], low[1], high[0], high[1]);
        return;
    }
    const double width = k_band_width * size;
    const auto closed = [&](int axis, bool upper) { return !is_open(boundary, {axis, upper}); };
    // the bands along x also cover the corners, where they meet one along y
    const double left = low[0] - (closed(0, false) ? width : 0);
    const double right = high[0] + (closed(0, true) ? width : 0);
    if (closed(0, false))
        add_rectangle(left, low[1], low[0], high[1]);
    if (closed(0, true))
        add_rectangle(high[0], low[1], right, high[1]);
    if (closed(1, false))
        add_rectangle(left, low[1] - width, right, low[1]);
    if (closed(1, true))
        add_rectangle(left, high[1], right, high[1] + width);
}

}  // namespace

Tank make_tank(const Scene& scene, const View& view, const Box& bounds) {
    Tank tank;
    const double size = size_of(bounds);
    for (const Boundary& boundary : scene.boundaries) {
        if (!boundary.box)
            continue;
        if (scene.dimension == 2)
            add_flat_boundary(tank, boundary, size);
        else if (boundary.inside)
            add_glass_box(tank, boundary, view, size, k_edge_lift * scene.spacing);
        else
            add_solid_box(tank, boundary);
    }
    if (scene.dimension == 3)
        add_ground(tank, view, bounds, size);
    return tank;
}

}  // namespace millrace
