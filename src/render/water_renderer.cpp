#include "render/water_renderer.hpp"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "render/shaders.hpp"
#include "render/solid_scene.hpp"
#include "render/tank.hpp"
#include "render/water_composite_shaders.hpp"
#include "render/water_light.hpp"
#include "render/water_look.hpp"
#include "render/water_shaders.hpp"
#include "render/water_vertices.hpp"

namespace millrace {
namespace {

constexpr int k_sky_size = 1024;       // [pixels]
constexpr double k_wall_reach = 0.02;  // in spacings: so far from a wall water is on it

std::string with_common(const std::string& body) {
    return look::configured(shaders::k_common + body);
}

/// From above, from the left of the eye and from beyond the scene, so that the water glitters.
Vec3d sun_of(const View& view) {
    const Matrix eye_to_world = inverse_of_rigid(view.view);
    const Vec3d right = turned(eye_to_world, {{1, 0, 0}});
    return view.up * 0.95 - right * 0.75 + cross(view.up, right) * 0.55;
}

}  // namespace

struct WaterRenderer::Gl {
    SolidScene solids;
    Scene scene;
    int width, height;
    double reflection_reach;  // [m]
    std::vector<Vec3> absorption, scattered;
    Vec3d east, north;  // world

    GlProgram shadow{shaders::k_shadow_vertex, shaders::k_shadow_fragment};
    GlProgram front{look::configured(shaders::k_water_vertex),
                    look::configured(shaders::k_water_front_fragment)};
    GlProgram depth{look::configured(shaders::k_water_vertex),
                    with_common(shaders::k_water_depth_fragment)};
    GlProgram daylight{
        shaders::k_screen_vertex,
        with_common(std::string(shaders::k_lit) + shaders::k_sky + shaders::k_daylight_fragment)};
    GlProgram foam_points{look::configured(shaders::k_foam_vertex), shaders::k_foam_fragment};
    GlProgram composite{
        shaders::k_screen_vertex,
        with_common(std::string(shaders::k_lit) + shaders::k_sky + shaders::k_composite_fragment)};
    GlProgram glass{shaders::k_glass_vertex,
                    std::string(shaders::k_behind_or_before) + shaders::k_water_glass_fragment};
    GlProgram round_glass{shaders::k_solid_vertex, std::string(shaders::k_behind_or_before) +
                                                       shaders::k_water_round_glass_fragment};

    WaterLight light{look::configured};

    Mesh water{3, 3, 1, 1}, foam{3, 1, 1, 1};
    std::vector<Vec<4>> walls;
    std::vector<Vec3> ripples;

    GLuint sky_map, front_map, water_depth_map, way_map, scene_map, foam_map;
    GLuint front_target, way_target, scene_target, foam_target;

    Gl(const Scene& scene, const View& view, const Box& bounds, int width, int height,
       const std::vector<ObjectMesh>& meshes, double color_depth);

    void make_targets();
    void make_sky();
    void set_water(const GlProgram& program, const Matrix& view, const Matrix& projection) const;
    void set_walls(const GlProgram& program) const;
    void set_sky(const GlProgram& program) const;
    Matrix eye_to_light() const;

    void draw_shadows() const;
    void draw_front() const;
    void draw_ways() const;
    void draw_daylight() const;
    void draw_glass(int side) const;
    void draw_foam() const;
    void draw_composite() const;
};

WaterRenderer::Gl::Gl(const Scene& scene, const View& view, const Box& bounds, int width,
                      int height, const std::vector<ObjectMesh>& meshes, double given_depth)
    : solids(scene, view, bounds, width, height, meshes, sun_of(view)),
      scene(scene),
      width(width),
      height(height) {
    const double layer = given_depth > 0 ? given_depth : color_depth(0, bounds);
    for (const Fluid& fluid : scene.fluids) {
        if (absorption.size() == look::k_most_fluids)
            break;
        absorption.push_back(absorption_of(fluid.color, layer));
        scattered.push_back(look::scattered_by(fluid.color));
    }
    if (absorption.empty()) {
        absorption.push_back(absorption_of(Fluid().color, layer));
        scattered.push_back(look::scattered_by(Fluid().color));
    }
    Vec3d size;
    for (int k = 0; k < 3; ++k)
        size[k] = bounds.max[k] - bounds.min[k];
    reflection_reach = norm(size);
    const Vec3d& up = view.up;
    east = cross(up, std::abs(up[0]) < 0.5 ? Vec3d{{1, 0, 0}} : Vec3d{{0, 1, 0}});
    east = east / norm(east);
    north = cross(east, up);
    make_targets();
    make_sky();
    glEnable(GL_PROGRAM_POINT_SIZE);
}

void WaterRenderer::Gl::make_targets() {
    const int w = solids.picture().drawn_width(), h = solids.picture().drawn_height();
    front_map = make_texture(GL_RGBA16F, w, h, GL_RGBA, GL_FLOAT);
    water_depth_map = make_texture(GL_DEPTH_COMPONENT24, w, h, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    way_map = make_texture(GL_RGBA32F, w, h, GL_RGBA, GL_FLOAT);
    scene_map = make_texture(GL_RGBA16F, w, h, GL_RGBA, GL_FLOAT);
    smooth(scene_map);
    foam_map = make_texture(GL_RGBA16F, width, height, GL_RGBA, GL_FLOAT);
    smooth(foam_map);
    front_target = make_target({front_map}, water_depth_map);
    way_target = make_target({way_map}, 0);
    scene_target = make_target({scene_map}, solids.picture().depth());
    foam_target = make_target({foam_map}, 0);
}

void WaterRenderer::Gl::make_sky() {
    sky_map = make_texture(GL_RGBA16F, k_sky_size, k_sky_size, GL_RGBA, GL_FLOAT);
    smooth(sky_map);
    make_target({sky_map}, 0);
    glViewport(0, 0, k_sky_size, k_sky_size);
    glDisable(GL_DEPTH_TEST);
    const GlProgram program{shaders::k_screen_vertex, shaders::k_sky_fragment};
    program.use();
    const Vec3d& sun = solids.to_light();
    program.set("sun", Vec3d{{dot(sun, east), dot(sun, solids.view().up), dot(sun, north)}});
    solids.draw_screen();
}

void WaterRenderer::Gl::set_water(const GlProgram& program, const Matrix& view,
                                  const Matrix& projection) const {
    program.use();
    program.set("view", view);
    program.set("projection", projection);
    set_walls(program);
    program.set("reach", k_wall_reach * scene.spacing);
    program.set("absorption", std::span<const Vec3>(absorption));
    program.set("up", solids.view().up);
    program.set("east", east);
    program.set("north", north);
    program.set("ripples", std::span<const Vec3>(ripples));
    program.set("ripple_speed", 0.5 * std::sqrt(9.81 * 8 * scene.spacing));
    program.set("pixel", 2 / (solids.view().projection[5] * height));
}

void WaterRenderer::Gl::set_walls(const GlProgram& program) const {
    const int count = std::min<int>(look::k_most_walls, static_cast<int>(walls.size()));
    program.set("walls", std::span(walls.data(), static_cast<std::size_t>(count)));
    program.set("wall_count", count);
}

void WaterRenderer::Gl::set_sky(const GlProgram& program) const {
    program.set_texture("sky_map", 4, sky_map);
    program.set("east", turned(solids.view().view, east));
    program.set("north", turned(solids.view().view, north));
}

Matrix WaterRenderer::Gl::eye_to_light() const {
    return multiply(solids.light_space(), inverse_of_rigid(solids.view().view));
}

void WaterRenderer::Gl::draw_shadows() const {
    solids.begin_shadows();
    solids.draw_shadows(shadow);
    light.draw(solids, water,
               [this](const GlProgram& program, const Matrix& view, const Matrix& projection) {
                   set_water(program, view, projection);
               });
}

void WaterRenderer::Gl::draw_front() const {
    const int w = solids.picture().drawn_width(), h = solids.picture().drawn_height();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, scene_target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, front_target);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, front_target);
    glViewport(0, 0, w, h);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    set_water(front, solids.view().view, solids.view().projection);
    water.draw(GL_TRIANGLES);
}

void WaterRenderer::Gl::draw_ways() const {
    glBindFramebuffer(GL_FRAMEBUFFER, way_target);
    glViewport(0, 0, solids.picture().drawn_width(), solids.picture().drawn_height());
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    set_water(depth, solids.view().view, solids.view().projection);
    depth.set_texture("depth_map", 0, solids.picture().depth());
    water.draw(GL_TRIANGLES);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_CLAMP);
}

void WaterRenderer::Gl::draw_daylight() const {
    glBindFramebuffer(GL_FRAMEBUFFER, scene_target);
    glViewport(0, 0, solids.picture().drawn_width(), solids.picture().drawn_height());
    glDisable(GL_DEPTH_TEST);
    daylight.use();
    solids.set_light(daylight);
    set_sky(daylight);
    light.set(daylight, 5);
    daylight.set_texture("way_map", 7, way_map);
    daylight.set("eye_to_light", eye_to_light());
    solids.draw_screen();
}

void WaterRenderer::Gl::draw_glass(int side) const {
    for (const GlProgram* program : {&glass, &round_glass}) {
        program->use();
        program->set_texture("front_map", 0, front_map);
        program->set_texture("water_depth_map", 1, water_depth_map);
        program->set("side", side);
    }
    solids.draw_glass(glass, round_glass);
}

void WaterRenderer::Gl::draw_foam() const {
    glBindFramebuffer(GL_FRAMEBUFFER, foam_target);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    foam_points.use();
    foam_points.set("view", solids.view().view);
    foam_points.set("projection", solids.view().projection);
    foam_points.set("spacing", scene.spacing);
    const Vec2 size{{static_cast<float>(width), static_cast<float>(height)}};
    foam_points.set("size", std::span(&size, 1));
    foam_points.set_texture("depth_map", 0, solids.picture().depth());
    foam_points.set_texture("water_depth_map", 1, water_depth_map);
    foam.draw(GL_POINTS);
    glDisable(GL_BLEND);
}

void WaterRenderer::Gl::draw_composite() const {
    solids.picture().bind();
    glDisable(GL_DEPTH_TEST);
    composite.use();
    solids.set_light(composite);
    set_sky(composite);
    composite.set_texture("scene_map", 5, scene_map);
    composite.set_texture("front_map", 6, front_map);
    composite.set_texture("water_depth_map", 7, water_depth_map);
    composite.set_texture("way_map", 8, way_map);
    composite.set_texture("foam_map", 9, foam_map);
    composite.set_texture("shadow_map", 10, solids.shadow_depth());
    composite.set("eye_to_light", eye_to_light());
    composite.set("view", solids.view().view);
    set_walls(composite);
    composite.set("spacing", scene.spacing);
    composite.set("reach", reflection_reach);
    composite.set("growth", std::pow(std::max(reflection_reach / (0.75 * scene.spacing), 2.0),
                                     1.0 / look::k_reflection_steps));
    composite.set("scattered", std::span<const Vec3>(scattered));
    composite.set("absorption", std::span<const Vec3>(absorption));
    solids.draw_screen();
}

WaterRenderer::WaterRenderer(const Scene& scene, const View& view, const Box& bounds, int width,
                             int height, const std::vector<ObjectMesh>& objects, double color_depth)
    : gl_(std::make_unique<Gl>(scene, view, bounds, width, height, objects, color_depth)) {}

WaterRenderer::~WaterRenderer() = default;

Image WaterRenderer::draw(const SurfaceMesh& water, const DiffuseParticles& foam,
                          const BodyFrame& frame) {
    const DrawnWater drawn = drawn_water(water, static_cast<std::uint32_t>(gl_->absorption.size()));
    gl_->water.upload(drawn.vertices);
    gl_->water.upload_triangles(drawn.triangles);
    gl_->foam.upload(drawn_foam(foam));
    gl_->ripples = look::ripples_at(frame.time, gl_->scene.spacing);
    gl_->walls = tank_walls(gl_->scene, frame);
    gl_->solids.place(frame);
    gl_->draw_shadows();
    gl_->solids.begin_surfaces();
    gl_->solids.draw_surfaces();
    gl_->solids.draw_occlusion();
    gl_->draw_front();
    gl_->draw_ways();
    gl_->draw_daylight();
    gl_->draw_glass(0);
    gl_->draw_foam();
    gl_->draw_composite();
    gl_->draw_glass(1);
    return gl_->solids.picture().read_back();
}

}  // namespace millrace
