#include "render/solid_scene.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "render/shaders.hpp"
#include "render/tank.hpp"

namespace millrace {
namespace {

constexpr int k_occlusion_taps = 10;
constexpr double k_occlusion_radius = 5;  // in spacings
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

}  // namespace

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

SolidScene::DrawnObject SolidScene::upload(const ObjectMesh& object, int paint) {
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

SolidScene::SolidScene(const Scene& scene, const View& view, const Box& bounds, int width,
                       int height, const std::vector<ObjectMesh>& meshes, const Vec3d& to_light)
    : scene_(scene),
      paints_(scene),
      view_(view),
      bounds_(bounds),
      width_(width),
      height_(height),
      lowest_(lowest_point(bounds, meshes, view.up)),
      picture_(width, height),
      solid_(shaders::k_solid_vertex, shaders::k_solid_fragment),
      occlusion_(shaders::k_screen_vertex, with_constants(shaders::k_occlusion_fragment)),
      blur_(shaders::k_screen_vertex, with_constants(shaders::k_blur_fragment)) {
    for (const ObjectMesh& mesh : meshes)
        objects_.push_back(upload(mesh, paints_.code(mesh.color)));

    surface_ = make_texture(GL_RGBA8, picture_.drawn_width(), picture_.drawn_height(), GL_RGBA,
                            GL_UNSIGNED_BYTE);
    open_ = make_texture(GL_RGBA32F, width_, height_, GL_RGBA, GL_FLOAT);
    open_blurred_ = make_texture(GL_RG8, width_, height_, GL_RG, GL_UNSIGNED_BYTE);
    smooth(open_blurred_);
    shadow_depth_ = make_texture(GL_DEPTH_COMPONENT24, k_shadow_size, k_shadow_size,
                                 GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    smooth(shadow_depth_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    palette_ = make_palette(paints_);
    surface_target_ = make_target({surface_}, picture_.depth());
    open_target_ = make_target({open_}, 0);
    blur_target_ = make_target({open_blurred_}, 0);
    shadow_target_ = make_target({}, shadow_depth_);

    to_light_ = to_light / norm(to_light);
    light_space_ = light_matrix(bounds_, to_light_);
}

void SolidScene::place(const BodyFrame& frame) {
    Tank tank = make_tank(scene_, paints_, view_, bounds_, lowest_, frame);
    for (DrawnObject& object : objects_) {
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
        add_glass_edges(tank, edges, scene_, view_, bounds_);
    }
    solids_.upload(tank.solid);
    glasses_.upload(tank.glass);
}

void SolidScene::begin_shadows() const {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_);
    glViewport(0, 0, k_shadow_size, k_shadow_size);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void SolidScene::draw_shadows(const GlProgram& shadow) const {
    shadow.use();
    shadow.set("light", light_space_);
    shadow.set("round", 0);
    solids_.draw(GL_TRIANGLES);
    for (const DrawnObject& object : objects_)
        if (object.is_there && !object.is_glass) {
            shadow.set("light", multiply(light_space_, object.model));
            object.mesh.draw(GL_TRIANGLES);
        }
}

void SolidScene::begin_surfaces() const {
    glBindFramebuffer(GL_FRAMEBUFFER, surface_target_);
    glViewport(0, 0, picture_.drawn_width(), picture_.drawn_height());
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
}

void SolidScene::draw_surfaces() const {
    solid_.use();
    solid_.set("model_view", view_.view);
    solid_.set("projection", view_.projection);
    solids_.draw(GL_TRIANGLES);
    for (const DrawnObject& object : objects_)
        if (object.is_there && !object.is_glass) {
            solid_.set("model_view", multiply(view_.view, object.model));
            object.mesh.draw(GL_TRIANGLES);
        }
}

void SolidScene::draw_occlusion() const {
    glBindFramebuffer(GL_FRAMEBUFFER, open_target_);
    glViewport(0, 0, width_, height_);
    glDisable(GL_DEPTH_TEST);
    occlusion_.use();
    occlusion_.set("projection", view_.projection);
    occlusion_.set_texture("depth_map", 0, picture_.depth());
    occlusion_.set_texture("normal_map", 1, surface_);
    occlusion_.set_texture("shadow_map", 2, shadow_depth_);
    occlusion_.set("eye_to_light", multiply(light_space_, inverse_of_rigid(view_.view)));
    occlusion_.set("shadow_bias", scene_.spacing);
    occlusion_.set("taps", spiral(k_occlusion_taps));
    occlusion_.set("radius", k_occlusion_radius * scene_.spacing);
    screen_.draw(GL_TRIANGLES, 3);

    glBindFramebuffer(GL_FRAMEBUFFER, blur_target_);
    blur_.use();
    blur_.set("projection", view_.projection);
    blur_.set_texture("depth_map", 0, picture_.depth());
    blur_.set_texture("open_map", 1, open_);
    blur_.set("radius", scene_.spacing);
    screen_.draw(GL_TRIANGLES, 3);
}

void SolidScene::set_light(const GlProgram& light) const {
    light.set("projection", view_.projection);
    light.set("eye_to_world", inverse_of_rigid(view_.view));
    light.set("to_light", turned(view_.view, to_light_));
    light.set("up", turned(view_.view, view_.up));
    Vec3d center, size;
    for (int k = 0; k < 3; ++k) {
        center[k] = 0.5 * (bounds_.min[k] + bounds_.max[k]);
        size[k] = bounds_.max[k] - bounds_.min[k];
    }
    light.set("ground_center", center);
    light.set("ground_size", 2.5 * norm(size));
    light.set("levels", paints_.levels());
    light.set_texture("depth_map", 0, picture_.depth());
    light.set_texture("normal_map", 1, surface_);
    light.set_texture("open_map", 2, open_blurred_);
    light.set_texture("palette", 3, palette_);
}

void SolidScene::draw_glass(const GlProgram& glass, const GlProgram& round_glass) const {
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    round_glass.use();
    round_glass.set("projection", view_.projection);
    for (const DrawnObject& object : objects_)
        if (object.is_there && object.is_glass) {
            round_glass.set("model_view", multiply(view_.view, object.model));
            object.mesh.draw(GL_TRIANGLES);
        }
    glass.use();
    glass.set("view", view_.view);
    glass.set("projection", view_.projection);
    glasses_.draw(GL_TRIANGLES);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

}  // namespace millrace
