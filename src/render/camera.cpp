#include "render/camera.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

constexpr double k_default_fov = 35;                         // [degrees]
constexpr double k_fill_width = 0.76, k_fill_height = 0.86;  // part that a fitted scene may take
// Margins of a 2D picture, parts of its height: the time is at the top, the legend on the right.
constexpr double k_left = 0.06, k_right = 0.27, k_top = 0.14, k_bottom = 0.06;

Vec3d to_vec(const Vector& v) {
    return {{v[0], v[1], v[2]}};
}

Vector to_vector(const Vec3d& v) {
    return {v[0], v[1], v[2]};
}

Vec3d unit(const Vec3d& v) {
    return v / norm(v);
}

std::array<Vec3d, 8> corners(const Box& box) {
    std::array<Vec3d, 8> all;
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            all[i][k] = i >> k & 1 ? box.max[k] : box.min[k];
    return all;
}

/// The axes of an eye: right, up, and back, against the direction of sight.
struct Frame {
    Vec3d right, up, back;
};

Frame make_frame(const Vec3d& back, const Vec3d& up) {
    Vec3d right = cross(up, back);
    if (norm(right) < 1e-6)  // straight up or down: the first axis that fits is to the right
        right = std::abs(back[0]) < 0.5 ? Vec3d{{1, 0, 0}} : Vec3d{{0, 0, 1}};
    right = unit(right - back * dot(right, back));
    return {right, cross(back, right), back};
}

Matrix world_to_eye(const Frame& frame, const Vec3d& eye) {
    const Vec3d rows[] = {frame.right, frame.up, frame.back};
    Matrix m{};
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k)
            m[4 * k + row] = static_cast<float>(rows[row][k]);
        m[12 + row] = static_cast<float>(-dot(rows[row], eye));
    }
    m[15] = 1;
    return m;
}

Matrix orthographic(double half_width, double half_height, double near, double far) {
    Matrix m{};
    m[0] = static_cast<float>(1 / half_width);
    m[5] = static_cast<float>(1 / half_height);
    m[10] = static_cast<float>(-2 / (far - near));
    m[14] = static_cast<float>(-(far + near) / (far - near));
    m[15] = 1;
    return m;
}

Vec3d center_of(const Box& box) {
    return (to_vec(box.min) + to_vec(box.max)) * 0.5;
}

double tan_half(double degrees) {
    return std::tan(degrees * M_PI / 360);
}

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix m{};
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            for (int k = 0; k < 4; ++k)
                m[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return m;
}

Vec3d up_direction(const Vector& gravity) {
    int axis = 1;
    for (int k = 0; k < 3; ++k)
        if (std::abs(gravity[k]) > std::abs(gravity[axis]))
            axis = k;
    Vec3d up = Vec3d::all(0);
    up[axis] = gravity[axis] > 0 ? -1 : 1;
    return up;
}

Camera fitting_camera(const Box& bounds, const Vec3d& up, double aspect) {
    // "front" is +z where y is up, and -y where z is up
    const Vec3d front = std::abs(up[2]) > 0.5 ? Vec3d{{0, -1, 0}} : Vec3d{{0, 0, 1}};
    const Vec3d right = cross(up, front);
    const Frame frame = make_frame(unit(front + right * 0.42 + up * 0.42), up);
    const Vec3d center = center_of(bounds);
    const double tan_v = tan_half(k_default_fov) * k_fill_height;
    const double tan_h = tan_half(k_default_fov) * aspect * k_fill_width;
    double distance = 0;
    for (const Vec3d& corner : corners(bounds)) {
        const Vec3d p = corner - center;
        const double needed =
            std::max(std::abs(dot(p, frame.right)) / tan_h, std::abs(dot(p, frame.up)) / tan_v);
        distance = std::max(distance, needed + dot(p, frame.back));
    }
    return {to_vector(center + frame.back * distance), to_vector(center), k_default_fov};
}

View perspective_view(const Camera& camera, const Vec3d& up, double aspect, const Box& bounds) {
    const Vec3d eye = to_vec(camera.position);
    Vec3d back = eye - to_vec(camera.target);
    back = norm(back) > 0 ? unit(back) : Vec3d{{0, 0, 1}};
    double farthest = 0;
    for (const Vec3d& corner : corners(bounds))
        farthest = std::max(farthest, norm(corner - eye));
    const double near = 0.005 * farthest, far = 10 * farthest;

    View view;
    view.eye = eye;
    view.up = up;
    view.view = world_to_eye(make_frame(back, up), eye);
    const double height = tan_half(camera.fov);
    view.projection[0] = static_cast<float>(1 / (height * aspect));
    view.projection[5] = static_cast<float>(1 / height);
    view.projection[10] = static_cast<float>(-(far + near) / (far - near));
    view.projection[11] = -1;
    view.projection[14] = static_cast<float>(-2 * far * near / (far - near));
    return view;
}

View flat_view(const Box& bounds, double aspect) {
    // the height of the picture in metres, with at least a part of the width for narrow pictures
    const double free_width = std::max(aspect - k_left - k_right, 0.3 * aspect);
    const double height = std::max((bounds.max[1] - bounds.min[1]) / (1 - k_top - k_bottom),
                                   (bounds.max[0] - bounds.min[0]) / free_width);
    const double half_height = height / 2;
    const Vec3d center =
        center_of(bounds) + Vec3d{{k_right - k_left, k_top - k_bottom, 0}} * half_height;
    View view;
    view.up = {{0, 1, 0}};
    view.eye = {{center[0], center[1], 2 * half_height}};
    view.view = world_to_eye(make_frame({{0, 0, 1}}, view.up), view.eye);
    view.projection = orthographic(half_height * aspect, half_height, half_height, 3 * half_height);
    return view;
}

Matrix light_matrix(const Box& bounds, const Vec3d& to_light) {
    const Vec3d center = center_of(bounds);
    const Frame frame = make_frame(unit(to_light), {{0.1, 0.2, 1}});
    Vec3d half = Vec3d::all(0);
    for (const Vec3d& corner : corners(bounds)) {
        const Vec3d p = corner - center;
        const double along[] = {dot(p, frame.right), dot(p, frame.up), dot(p, frame.back)};
        for (int k = 0; k < 3; ++k)
            half[k] = std::max(half[k], std::abs(along[k]));
    }
    const Vec3d eye = center + frame.back * (2 * half[2]);
    return multiply(orthographic(half[0], half[1], half[2] * 0.9, half[2] * 3.1),
                    world_to_eye(frame, eye));
}

}  // namespace millrace
