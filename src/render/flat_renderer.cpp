#include "render/flat_renderer.hpp"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "render/flat_objects.hpp"
#include "render/flat_shaders.hpp"
#include "render/gl_context.hpp"
#include "render/liquid.hpp"
#include "render/picture.hpp"
#include "render/pose.hpp"
#include "render/shaders.hpp"
#include "render/stroke.hpp"
#include "render/tank.hpp"

namespace millrace {
namespace {

// in spacings
constexpr double k_disc_radius = 0.62;  // a little over half closes the gaps between the discs
constexpr double k_liquid_band = 1.4;   // width of walls, at least: hides the liquid behind them
// in sizes of the scene
constexpr double k_band_width = 0.012, k_line_width = 0.0022, k_plane_reach = 4;
constexpr double k_fast_fall = 0.2;  // what fell so far is fast
constexpr double k_line_shade = 0.5;

struct ParticleVertex {
    float position[2];
    float color[3];
    float detail[2];
};

double size_of(const Box& box) {
    return std::hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]);
}

/// The same for a particle in every frame, from 0 to 1 (lowbias32 of Wellons 2018).
float random_of(std::uint32_t id) {
    id = (id ^ id >> 16) * 0x7feb352du;
    id = (id ^ id >> 15) * 0x846ca68bu;
    return static_cast<float>(id ^ id >> 16) * 0x1p-32f;
}

/// Speed of what fell from a part of the height of the scene [m/s].
double fast_speed(const Scene& scene, double size) {
    const double g = std::hypot(scene.gravity[0], scene.gravity[1]);
    return g > 0 ? std::sqrt(2 * g * k_fast_fall * size) : 1;
}

/// Where an object is in a frame; nothing: it is not there.
std::optional<Pose> pose_in(const BodyFrame& frame, const ObjectMesh& object) {
    if (!object.is_body)
        return wall_pose(frame, object.name);
    const BodyView* body = find_view(frame.bodies, object.name);
    return body ? std::optional(pose_of(*body)) : std::nullopt;
}

GlassVertex painted(const Vec3d& x, const Vector& color, double shade) {
    const auto channel = [&](int k) { return static_cast<float>(shade * color[k]); };
    return {Vec3::from(x), {channel(0), channel(1), channel(2), 1}};
}

std::vector<GlassVertex> areas_of(const std::vector<ObjectMesh>& objects, const BodyFrame& frame) {
    std::vector<GlassVertex> vertices;
    for (const ObjectMesh& object : objects)
        if (const std::optional<Pose> pose = pose_in(frame, object))
            for (const auto& triangle : object.surface.triangles)
                for (const std::uint32_t v : triangle)
                    vertices.push_back(
                        painted((*pose)(object.surface.vertices[v]), object.color, 1));
    return vertices;
}

std::vector<GlassVertex> lines_of(const std::vector<ObjectMesh>& objects, const BodyFrame& frame,
                                  double width) {
    std::vector<GlassVertex> vertices;
    for (const ObjectMesh& object : objects)
        if (const std::optional<Pose> pose = pose_in(frame, object))
            for (const std::vector<Vec3d>& points : object.lines)
                for (const Vec3d& x : stroke(points, width))
                    vertices.push_back(painted((*pose)(x), object.color, k_line_shade));
    return vertices;
}

std::string background_fragment() {
    return std::string("#version 330 core\n") + shaders::k_background +
           "out vec4 color;\nvoid main() { color = vec4(background(), 1.0); }\n";
}

}  // namespace

struct FlatRenderer::Gl {
    GlContext context;
    View view;
    double spacing, size, fast;
    double pixel;  // that is drawn [m]
    bool shaded;
    std::vector<ObjectMesh> objects;
    std::vector<ObjectMesh> ground;  // of a liquid: the walls, as thick as it looks deep
    Picture picture;
    std::optional<Liquid> liquid;  // of the style surface

    GlProgram background{shaders::k_screen_vertex, background_fragment()};
    GlProgram disc{shaders::k_flat_particle_vertex, shaders::k_disc_fragment};
    GlProgram paint{shaders::k_glass_vertex, shaders::k_glass_fragment};
    Mesh particles{2, 3, 2}, areas{3, 4}, lines{3, 4}, ground_areas{3, 4}, screen{};
    Mesh instances = Mesh::instances_of(particles, {2, 3, 2});

    Gl(const Scene& scene, const View& view, const Box& bounds, int width, int height,
       const std::vector<ObjectMesh>& more, FluidStyle style, bool shaded)
        : view(view),
          spacing(scene.spacing),
          size(size_of(bounds)),
          fast(fast_speed(scene, size)),
          pixel(2 / view.projection[5] / (Picture::k_supersampling * height)),
          shaded(shaded),
          picture(width, height) {
        double band = k_band_width * size;
        const double reach = k_plane_reach * size;
        if (style == FluidStyle::surface) {
            liquid.emplace(view, spacing, width, height);
            band = std::max(band, k_liquid_band * spacing);
            ground = flat_walls(scene, Liquid::reach_of_ground(spacing), reach);
        }
        objects = flat_walls(scene, band, reach);
        objects.insert(objects.end(), more.begin(), more.end());
    }

    void upload(const FlatParticles& given);
    void place(const BodyFrame& frame);
    void draw_discs();
    void draw_objects();
};

void FlatRenderer::Gl::upload(const FlatParticles& given) {
    std::vector<ParticleVertex> vertices;
    vertices.reserve(given.colors.size());
    for (std::size_t i = 0; i < given.colors.size(); ++i) {
        const float *p = &given.positions[3 * i], speed = given.speeds[i];
        const Color& c = given.colors[i];
        const float part = std::isfinite(speed) ? speed / static_cast<float>(fast) : 0;
        if (std::isfinite(p[0]) && std::isfinite(p[1]))
            vertices.push_back(
                {{p[0], p[1]}, {c.r, c.g, c.b}, {std::min(part, 1.f), random_of(given.ids[i])}});
    }
    particles.upload(vertices);
}

void FlatRenderer::Gl::place(const BodyFrame& frame) {
    areas.upload(areas_of(objects, frame));
    lines.upload(lines_of(objects, frame, std::max(k_line_width * size, 3 * pixel)));
    ground_areas.upload(areas_of(ground, frame));
}

void FlatRenderer::Gl::draw_discs() {
    glEnable(GL_DEPTH_TEST);
    disc.use();
    disc.set("view", view.view);
    disc.set("projection", view.projection);
    disc.set("radius", k_disc_radius * spacing);
    instances.draw_instances(4, particles.count());
    glDisable(GL_DEPTH_TEST);
}

void FlatRenderer::Gl::draw_objects() {
    paint.use();
    paint.set("view", view.view);
    paint.set("projection", view.projection);
    areas.draw(GL_TRIANGLES);
    lines.draw(GL_TRIANGLES);
}

FlatRenderer::FlatRenderer(const Scene& scene, const View& view, const Box& bounds, int width,
                           int height, const std::vector<ObjectMesh>& objects, FluidStyle style,
                           bool shaded)
    : gl_(std::make_unique<Gl>(scene, view, bounds, width, height, objects, style, shaded)) {}

FlatRenderer::~FlatRenderer() = default;

Image FlatRenderer::draw(const FlatParticles& particles, const BodyFrame& frame) {
    gl_->upload(particles);
    gl_->place(frame);
    if (gl_->liquid)
        gl_->liquid->fill(gl_->instances, gl_->particles.count(), gl_->areas, gl_->ground_areas);
    gl_->picture.bind();
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    gl_->background.use();
    gl_->screen.draw(GL_TRIANGLES, 3);
    if (gl_->liquid)
        gl_->liquid->draw(gl_->pixel, gl_->shaded);
    else
        gl_->draw_discs();
    gl_->draw_objects();
    return gl_->picture.read_back();
}

}  // namespace millrace
