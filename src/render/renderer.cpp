#include "render/renderer.hpp"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "render/gl_objects.hpp"
#include "render/gl_program.hpp"
#include "render/shaders.hpp"
#include "render/solid_scene.hpp"

namespace millrace {
namespace {

constexpr double k_particle_radius = 0.55;  // in spacings; a little over half closes the gaps

/// From above, from the left of the eye and a little from behind it.
Vec3d light_of(const View& view) {
    return view.up * 1.0 + turned(inverse_of_rigid(view.view), {{-0.45, 0, 0.35}});
}

struct ParticleVertex {
    float position[3];
    float value;
};

}  // namespace

struct Renderer::Gl {
    SolidScene solids;
    double radius;             // of a particle [m]
    double shadow_point_size;  // [pixels]

    GlProgram particle{shaders::k_particle_vertex, shaders::k_particle_fragment};
    GlProgram shadow{shaders::k_shadow_vertex, shaders::k_shadow_fragment};
    GlProgram light{shaders::k_screen_vertex, std::string(shaders::k_common) +
                                                  shaders::k_background + shaders::k_lit +
                                                  shaders::k_light_fragment};
    GlProgram glass{shaders::k_glass_vertex, shaders::k_glass_fragment};
    GlProgram round_glass{shaders::k_solid_vertex, shaders::k_round_glass_fragment};

    Mesh particles{4};
    Mesh instances = Mesh::instances_of(particles, {4});

    Gl(const Scene& scene, const View& view, const Box& bounds, int width, int height,
       const std::vector<ObjectMesh>& meshes);

    void draw_shadows() const;
    void draw_surfaces() const;
    void draw_light() const;
};

Renderer::Gl::Gl(const Scene& scene, const View& view, const Box& bounds, int width, int height,
                 const std::vector<ObjectMesh>& meshes)
    : solids(scene, view, bounds, width, height, meshes, light_of(view)),
      radius(k_particle_radius * scene.spacing) {
    const Matrix& light_space = solids.light_space();
    const double pixels_per_metre =
        SolidScene::k_shadow_size / 2.0 *
        std::hypot(light_space[0], std::hypot(light_space[4], light_space[8]));
    shadow_point_size = std::max(1.0, 2 * radius * pixels_per_metre);
    glEnable(GL_PROGRAM_POINT_SIZE);
}

void Renderer::Gl::draw_shadows() const {
    solids.begin_shadows();
    shadow.use();
    shadow.set("light", solids.light_space());
    shadow.set("point_size", shadow_point_size);
    shadow.set("round", 1);
    particles.draw(GL_POINTS);
    solids.draw_shadows(shadow);
}

void Renderer::Gl::draw_surfaces() const {
    solids.begin_surfaces();
    particle.use();
    particle.set("view", solids.view().view);
    particle.set("projection", solids.view().projection);
    particle.set("radius", radius);
    particle.set("levels", solids.paints().levels());
    instances.draw_instances(4, particles.count());
    solids.draw_surfaces();
}

void Renderer::Gl::draw_light() const {
    solids.picture().bind();
    glDisable(GL_DEPTH_TEST);
    light.use();
    solids.set_light(light);
    solids.draw_screen();
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
    gl_->solids.place(frame);
    gl_->draw_shadows();
    gl_->draw_surfaces();
    gl_->solids.draw_occlusion();
    gl_->draw_light();
    gl_->solids.draw_glass(gl_->glass, gl_->round_glass);
    return gl_->solids.picture().read_back();
}

}  // namespace millrace
