#pragma once

#include <array>

#include "math/vec.hpp"
#include "millrace/scene.hpp"

namespace millrace {

/// Four by four, column after column, as OpenGL takes it.
using Matrix = std::array<float, 16>;

Matrix multiply(const Matrix& a, const Matrix& b);

/// Where the eye is and how space becomes a picture.
struct View {
    Matrix view{};        ///< world to eye; the eye looks along -z
    Matrix projection{};  ///< eye to clip space
    Vec3d eye{};          ///< [m]; of a flat view, in front of the plane
    Vec3d up{};           ///< unit vector against gravity
};

/// The axis direction that is closest to "against gravity"; +y without gravity.
Vec3d up_direction(const Vector& gravity);

/// A camera that sees the whole box from the front, a little from the side and from above.
Camera fitting_camera(const Box& bounds, const Vec3d& up, double aspect);

/// Perspective view of a 3D scene; `bounds` [m] tells how near and how far things are.
View perspective_view(const Camera& camera, const Vec3d& up, double aspect, const Box& bounds);

/// View of a 2D scene: the xy plane, x to the right, y up, the whole box with a margin around it.
View flat_view(const Box& bounds, double aspect);

/// World to clip space for a light that shines along -`to_light` on the box.
Matrix light_matrix(const Box& bounds, const Vec3d& to_light);

}  // namespace millrace
