#pragma once

#include <epoxy/gl.h>

#include <string>
#include <vector>

#include "io/body_lines.hpp"
#include "millrace/scene.hpp"
#include "render/camera.hpp"
#include "render/gl_context.hpp"
#include "render/gl_objects.hpp"
#include "render/gl_program.hpp"
#include "render/object_meshes.hpp"
#include "render/paints.hpp"
#include "render/picture.hpp"
#include "render/pose.hpp"

namespace millrace {

/// Everything of a 3D scene but its fluid, and the passes that any fluid is drawn with: shadows,
/// surfaces, occlusion, glass. Holds the OpenGL context. A pass leaves its target bound, so that
/// the fluid can be drawn into it too.
class SolidScene {
  public:
    /// `bounds` [m]: what is to be seen; `to_light`: where the light comes from, of any length.
    SolidScene(const Scene& scene, const View& view, const Box& bounds, int width, int height,
               const std::vector<ObjectMesh>& meshes, const Vec3d& to_light);

    /// Bodies and scripted walls are where the frame has them; a body that it does not have is
    /// left out.
    void place(const BodyFrame& frame);

    // the passes in order; `begin` clears and binds what the next one draws into
    void begin_shadows() const;
    void draw_shadows(const GlProgram& shadow) const;
    void begin_surfaces() const;
    void draw_surfaces() const;
    void draw_occlusion() const;
    /// Gives a program of a light pass what the passes before have found; textures 0 to 3.
    void set_light(const GlProgram& light) const;
    /// Over what is bound, with programs for flat and for other walls.
    void draw_glass(const GlProgram& glass, const GlProgram& round_glass) const;

    const View& view() const { return view_; }
    const Picture& picture() const { return picture_; }
    const Paints& paints() const { return paints_; }
    const Matrix& light_space() const { return light_space_; }  ///< world to the light's clip space
    const Vec3d& to_light() const { return to_light_; }         ///< unit vector, world
    GLuint shadow_depth() const { return shadow_depth_; }
    void draw_screen() const { screen_.draw(GL_TRIANGLES, 3); }  ///< covers what is bound

    static constexpr int k_shadow_size = 1024;

  private:
    /// An object on the GPU.
    struct DrawnObject {
        std::string name;
        bool is_body, is_glass;
        Mesh mesh{3, 3, 1};
        std::vector<std::array<Vec3d, 2>> edges{};  ///< of glass
        // of the frame
        bool is_there = true;
        Pose pose{};
        Matrix model{};
    };
    static DrawnObject upload(const ObjectMesh& object, int paint);

    GlContext context_;
    Scene scene_;
    Paints paints_;
    View view_;
    Box bounds_;
    int width_, height_;
    double lowest_;  // [m] along up
    Picture picture_;
    GlProgram solid_, occlusion_, blur_;
    Mesh solids_{3, 3, 1}, glasses_{3, 4}, screen_{};
    std::vector<DrawnObject> objects_;
    GLuint surface_, open_, open_blurred_, shadow_depth_, palette_;
    GLuint surface_target_, open_target_, blur_target_, shadow_target_;
    Vec3d to_light_;
    Matrix light_space_;
};

/// The inverse of a rotation with a shift.
Matrix inverse_of_rigid(const Matrix& m);

/// A direction by a matrix.
Vec3d turned(const Matrix& m, const Vec3d& v);

}  // namespace millrace
