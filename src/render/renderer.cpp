#include "render/renderer.hpp"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "render/gl_context.hpp"
#include "render/gl_objects.hpp"
#include "render/gl_program.hpp"
#include "render/paints.hpp"
#include "render/picture.hpp"
#include "render/pose.hpp"
#include "render/shaders.hpp"
#include "render/tank.hpp"

namespace millrace {
namespace {

constexpr int k_occlusion_taps = 10;
constexpr int k_shadow_size = 1024;
// in spacings
constexpr double k_particle_radius = 0.55;  // a little over half closes the gaps
constexpr double k_occlusion_radius = 5;
constexpr std::size_t k_most_glass_edges = 4000;

GLuint make_palette(const Paints& paints) {
    std::vector<std::uint8_t> bytes;
    const std::vector<Color> colors = paints.all();
    for (const Color& c : colors)
        for (const float channel : {c.r, c.g, c.b, 1.f})
            bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * channel)));
    return make_texture(GL_RGBA8, static_cast<int>(colors.size()), 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        bytes.data());
}

/// Points on a spiral in the unit disc, evenly spread over its area.
std::vector<Vec2> spiral(int count) {
    constexpr double k_golden_angle = 2.399963229728653;
    std::vector<Vec2> points;
    for (int i = 0; i < count; ++i) {
        const double r = std::sqrt((i + 0.5) / count);
        points.push_back({{static_cast<float>(r * std::cos(i * k_golden_angle)),
                           static_cast<float>(r * std::sin(i * k_golden_angle))}});
    }
    return points;
}

std::string with_constants(const std::string& body) {
    std::string source = shaders::k_common;
    source += "#define TAPS " + std::to_string(k_occlusion_taps) + "\n#define SCALE " +
              std::to_string(Picture::k_supersampling) + "\n";
    return source + body;
}

/// The inverse of a rotation with a shift.
Matrix inverse_of_rigid(const Matrix& m) {
    Matrix inverse{};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            inverse[4 * i + k] = m[4 * k + i];
            inverse[12 + i] -= m[4 * i + k] * m[12 + k];
        }
    inverse[15] = 1;
    return inverse;
}

Vec3d turned(const Matrix& m, const Vec3d& v) {
    Vec3d result;
    for (int row = 0; row < 3; ++row)
        result[row] = m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2];
    return result;
}

Matrix matrix_of(const Pose& pose) {
    const Mat3d rotation = to_matrix(pose.rotation);
    Matrix m{};
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k)
            m[4 * k + row] = static_cast<float>(rotation(row, k));
        m[12 + row] = static_cast<float>(pose.position[row]);
    }
    m[15] = 1;
    return m;
}

/// Of the bounds and the walls that may lie deeper, along `up` [m].
double lowest_point(const Box& bounds, const std::vector<ObjectMesh>& objects, const Vec3d& up) {
    double lowest = 0;
    for (int k = 0; k < 3; ++k)
        lowest += std::min(up[k] * bounds.min[k], up[k] * bounds.max[k]);
    for (const ObjectMesh& object : objects)
        if (!object.is_body)
            for (const Vec3d& x : object.surface.vertices)
                lowest = std::min(lowest, dot(up, x));
    return lowest;
}

struct ParticleVertex {
    float position[3];
    float value;
};

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

DrawnObject upload(const ObjectMesh& object, int paint) {
    DrawnObject drawn{object.name, object.is_body, object.is_glass};
    std::vector<SolidVertex> vertices;
    for (const Corner& corner : shaded_corners(object.surface))
        vertices.push_back({corner.position, corner.normal, static_cast<float>(paint)});
    drawn.mesh.upload(vertices);
    if (object.is_glass)
        drawn.edges = hard_edges(object.surface);
    if (drawn.edges.size() > k_most_glass_edges)  // they would be a carpet
        drawn.edges.clear();
    return drawn;
}

}  // namespace

struct Renderer::Gl {
    GlContext context;
    Scene scene;
    Paints paints;
    View view;
    Box bounds;
    int width, height;
    double spacing, lowest;
    Picture picture;

    GlProgram particle{shaders::k_particle_vertex, shaders::k_particle_fragment};
    GlProgram solid{shaders::k_solid_vertex, shaders::k_solid_fragment};
    GlProgram shadow{shaders::k_shadow_vertex, shaders::k_shadow_fragment};
    GlProgram occlusion{shaders::k_screen_vertex, with_constants(shaders::k_occlusion_fragment)};
    GlProgram blur{shaders::k_screen_vertex, with_constants(shaders::k_blur_fragment)};
    GlProgram light{shaders::k_screen_vertex,
                    with_constants(std::string(shaders::k_background) + shaders::k_light_fragment)};
    GlProgram glass{shaders::k_glass_vertex, shaders::k_glass_fragment};
    GlProgram round_glass{shaders::k_solid_vertex, shaders::k_round_glass_fragment};

    Mesh particles{4}, solids{3, 3, 1}, glasses{3, 4}, screen{};
    Mesh instances = Mesh::instances_of(particles, {4});
    std::vector<DrawnObject> objects;

    GLuint surface, open, open_blurred, shadow_depth, palette;
    GLuint surface_target, open_target, blur_target, shadow_target;

    Vec3d to_light;  // world
    Matrix light_space;
    double shadow_point_size;

    Gl(const Scene& scene, const View& view, const Box& bounds, int width, int height,
       const std::vector<ObjectMesh>& meshes);

    void place(const BodyFrame& frame);
    void draw_shadows();
    void draw_surfaces();
    void draw_occlusion();
    void draw_light();
    void draw_glass();
};

Renderer::Gl::Gl(const Scene& scene, const View& view, const Box& bounds, int width, int height,
                 const std::vector<ObjectMesh>& meshes)
    : scene(scene),
      paints(scene),
      view(view),
      bounds(bounds),
      width(width),
      height(height),
      spacing(scene.spacing),
      lowest(lowest_point(bounds, meshes, view.up)),
      picture(width, height) {
    for (const ObjectMesh& mesh : meshes)
        objects.push_back(upload(mesh, paints.code(mesh.color)));

    surface = make_texture(GL_RGBA8, picture.drawn_width(), picture.drawn_height(), GL_RGBA,
                           GL_UNSIGNED_BYTE);
    open = make_texture(GL_RGBA32F, width, height, GL_RGBA, GL_FLOAT);
    open_blurred = make_texture(GL_RG8, width, height, GL_RG, GL_UNSIGNED_BYTE);
    smooth(open_blurred);
    shadow_depth = make_texture(GL_DEPTH_COMPONENT24, k_shadow_size, k_shadow_size,
                                GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    smooth(shadow_depth);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    palette = make_palette(paints);
    surface_target = make_target({surface}, picture.depth());
    open_target = make_target({open}, 0);
    blur_target = make_target({open_blurred}, 0);
    shadow_target = make_target({}, shadow_depth);

    // from above, from the left of the eye and a little from behind it
    const Matrix eye_to_world = inverse_of_rigid(view.view);
    to_light = view.up * 1.0 + turned(eye_to_world, {{-0.45, 0, 0.35}});
    to_light = to_light / norm(to_light);
    light_space = light_matrix(bounds, to_light);
    const double pixels_per_metre =
        k_shadow_size / 2.0 *
        std::hypot(light_space[0], std::hypot(light_space[4], light_space[8]));
    shadow_point_size = std::max(1.0, 2 * k_particle_radius * spacing * pixels_per_metre);
    glEnable(GL_PROGRAM_POINT_SIZE);
}

void Renderer::Gl::place(const BodyFrame& frame) {
    Tank tank = make_tank(scene, paints, view, bounds, lowest, frame);
    for (DrawnObject& object : objects) {
        const BodyView* body = find_view(frame.bodies, object.name);
        object.is_there = !object.is_body || body;
        if (!object.is_there)
            continue;
        object.pose = object.is_body ? pose_of(*body) : wall_pose(frame, object.name);
        object.model = matrix_of(object.pose);
        std::vector<std::array<Vec3d, 2>> edges = object.edges;
        for (auto& [a, b] : edges) {
            a = object.pose(a);
            b = object.pose(b);
        }
        add_glass_edges(tank, edges, scene, view, bounds);
    }
    solids.upload(tank.solid);
    glasses.upload(tank.glass);
}

void Renderer::Gl::draw_shadows() {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target);
    glViewport(0, 0, k_shadow_size, k_shadow_size);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
    shadow.use();
    shadow.set("light", light_space);
    shadow.set("point_size", shadow_point_size);
    shadow.set("round", 1);
    particles.draw(GL_POINTS);
    shadow.set("round", 0);
    solids.draw(GL_TRIANGLES);
    for (const DrawnObject& object : objects)
        if (object.is_there && !object.is_glass) {
            shadow.set("light", multiply(light_space, object.model));
            object.mesh.draw(GL_TRIANGLES);
        }
}

void Renderer::Gl::draw_surfaces() {
    glBindFramebuffer(GL_FRAMEBUFFER, surface_target);
    glViewport(0, 0, picture.drawn_width(), picture.drawn_height());
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    particle.use();
    particle.set("view", view.view);
    particle.set("projection", view.projection);
    particle.set("radius", k_particle_radius * spacing);
    particle.set("levels", paints.levels());
    instances.draw_instances(4, particles.count());
    solid.use();
    solid.set("model_view", view.view);
    solid.set("projection", view.projection);
    solids.draw(GL_TRIANGLES);
    for (const DrawnObject& object : objects)
        if (object.is_there && !object.is_glass) {
            solid.set("model_view", multiply(view.view, object.model));
            object.mesh.draw(GL_TRIANGLES);
        }
}

void Renderer::Gl::draw_occlusion() {
    glBindFramebuffer(GL_FRAMEBUFFER, open_target);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    occlusion.use();
    occlusion.set("projection", view.projection);
    occlusion.set_texture("depth_map", 0, picture.depth());
    occlusion.set_texture("normal_map", 1, surface);
    occlusion.set_texture("shadow_map", 2, shadow_depth);
    occlusion.set("eye_to_light", multiply(light_space, inverse_of_rigid(view.view)));
    occlusion.set("shadow_bias", spacing);
    occlusion.set("taps", spiral(k_occlusion_taps));
    occlusion.set("radius", k_occlusion_radius * spacing);
    screen.draw(GL_TRIANGLES, 3);

    glBindFramebuffer(GL_FRAMEBUFFER, blur_target);
    blur.use();
    blur.set("projection", view.projection);
    blur.set_texture("depth_map", 0, picture.depth());
    blur.set_texture("open_map", 1, open);
    blur.set("radius", spacing);
    screen.draw(GL_TRIANGLES, 3);
}

void Renderer::Gl::draw_light() {
    picture.bind();
    glDisable(GL_DEPTH_TEST);
    light.use();
    light.set("projection", view.projection);
    light.set("eye_to_world", inverse_of_rigid(view.view));
    light.set("to_light", turned(view.view, to_light));
    light.set("up", turned(view.view, view.up));
    Vec3d center, size;
    for (int k = 0; k < 3; ++k) {
        center[k] = 0.5 * (bounds.min[k] + bounds.max[k]);
        size[k] = bounds.max[k] - bounds.min[k];
    }
    light.set("ground_center", center);
    light.set("ground_size", 2.5 * norm(size));
    light.set("levels", paints.levels());
    light.set_texture("depth_map", 0, picture.depth());
    light.set_texture("normal_map", 1, surface);
    light.set_texture("open_map", 2, open_blurred);
    light.set_texture("palette", 3, palette);
    screen.draw(GL_TRIANGLES, 3);
}

void Renderer::Gl::draw_glass() {
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    round_glass.use();
    round_glass.set("projection", view.projection);
    for (const DrawnObject& object : objects)
        if (object.is_there && object.is_glass) {
            round_glass.set("model_view", multiply(view.view, object.model));
            object.mesh.draw(GL_TRIANGLES);
        }
    glass.use();
    glass.set("view", view.view);
    glass.set("projection", view.projection);
    glasses.draw(GL_TRIANGLES);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

Renderer::Renderer(const Scene& scene, const View& view, const Box& bounds, int width, int height,
                   const std::vector<ObjectMesh>& objects)
    : gl_(std::make_unique<Gl>(scene, view, bounds, width, height, objects)) {}

Renderer::~Renderer() = default;

Image Renderer::draw(std::span<const float> positions, std::span<const float> values,
                     const BodyFrame& frame) {
    std::vector<ParticleVertex> vertices;
    vertices.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float *p = &positions[3 * i], value = values[i];
        if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))
            vertices.push_back(
                {{p[0], p[1], p[2]}, std::isfinite(value) ? std::clamp(value, 0.f, 1.f) : 0.f});
    }
    gl_->particles.upload(vertices);
    gl_->place(frame);
    gl_->draw_shadows();
    gl_->draw_surfaces();
    gl_->draw_occlusion();
    gl_->draw_light();
    gl_->draw_glass();
    return gl_->picture.read_back();
}

}  // namespace millrace
