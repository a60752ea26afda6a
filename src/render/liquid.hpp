#pragma once

#include "render/camera.hpp"
#include "render/gl_objects.hpp"
#include "render/gl_program.hpp"

namespace millrace {

/// A map that is drawn into.
struct Layer {
    int width, height;
    GLuint texture, target;

    Layer(GLint format, GLenum layout, int width, int height);
    void bind() const;
};

/// The particles of a 2D frame as one liquid (render/flat_shaders.hpp).
class Liquid {
  public:
    Liquid(const View& view, double spacing, int width, int height);

    /// Adds up the bumps of the particles. `solids` are triangles that hold no liquid; `ground`
    /// are more that only make the liquid beside them look deep.
    void fill(const Mesh& instances, int count, const Mesh& solids, const Mesh& ground);

    /// How far from the liquid that is [m].
    static double reach_of_ground(double spacing);

    /// Lays the liquid over what is drawn into. `pixel` [m]: the size of a pixel there; `shaded`:
    /// with depth and foam, otherwise in the colours of the particles as they are.
    void draw(double pixel, bool shaded);

  private:
    struct Size {
        double texel;  ///< [m]
        int width, height;
    };
    static Size size_of_field(const View& view, double spacing, int width, int height);
    Liquid(const View& view, double spacing, const Size& size);

    void blur(const Layer& from, const Layer& between, const Layer& to, double sigma);

    View view_;
    double spacing_;
    Size size_;
    GlProgram splat_, white_, gauss_, filled_, liquid_;
    Mesh screen_{};
    Layer sum_, detail_, solid_, deep_, half_blurred_solid_, half_blurred_deep_;
    GLuint field_target_;
};

}  // namespace millrace
