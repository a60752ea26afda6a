#include "render/frame_painter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "io/mesh_formats.hpp"
#include "millrace/error.hpp"
#include "passes/diffuse_frames.hpp"
#include "passes/surface_frames.hpp"
#include "render/field_range.hpp"
#include "render/flat_particles.hpp"
#include "render/flat_renderer.hpp"
#include "render/font.hpp"
#include "render/renderer.hpp"
#include "render/water_look.hpp"
#include "render/water_renderer.hpp"

namespace millrace {
namespace {

/// 42875 as "42,875".
std::string with_commas(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3; i -= 3)
        text.insert(i - 3, 1, ',');
    return text;
}

/// With as many digits as the frames need to differ.
std::string time_text(double time, double fps) {
    const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(fps))), 2, 9);
    char text[64];
    std::snprintf(text, sizeof text, "t = %.*f s", digits, time);
    return text;
}

double aspect_of(const PaintStyle& style) {
    return static_cast<double>(style.width) / style.height;
}

View view_in_space(const Scene& scene, const Box& bounds, const PaintStyle& style) {
    const Vec3d up = up_direction(scene.gravity);
    const Camera camera = scene.camera.value_or(fitting_camera(bounds, up, aspect_of(style)));
    return perspective_view(camera, up, aspect_of(style), bounds);
}

/// A picture, and what stands under its time.
struct Painted {
    Image image;
    std::string caption;
};

using Paint = std::function<Painted(int)>;

Painted with_count(Image image, const ParticleFrame& frame) {
    return {std::move(image), ", " + with_commas(frame.count()) + " particles"};
}

Paint particles_in_space(const RecordedRun& run, const std::vector<ObjectMesh>& objects,
                         const Box& bounds, const PaintStyle& style) {
    auto renderer = std::make_shared<Renderer>(run.scene, view_in_space(run.scene, bounds, style),
                                               bounds, style.width, style.height, objects);
    return [&run, renderer, style](int number) {
        const ParticleFrame frame = read_frame(run, number);
        const std::vector<float> values =
            part_of_range(field_values(frame, style.field), style.range);
        return with_count(renderer->draw(frame.positions, values, bodies_at(run, frame.time)),
                          frame);
    };
}

Paint fluid_in_plane(const RecordedRun& run, const std::vector<ObjectMesh>& objects,
                     const Box& bounds, const PaintStyle& style) {
    auto renderer = std::make_shared<FlatRenderer>(
        run.scene, flat_view(bounds, aspect_of(style)), bounds, style.width, style.height, objects,
        style.style == "surface" ? FluidStyle::surface : FluidStyle::particles,
        style.field.empty());
    return [&run, renderer, style](int number) {
        const ParticleFrame frame = read_frame(run, number);
        return with_count(
            renderer->draw(flat_particles(frame, run.scene.fluids, style.field, style.range),
                           bodies_at(run, frame.time)),
            frame);
    };
}

/// The surface of a frame, which must be that of its time.
SurfaceMesh read_surface_frame(const RecordedRun& run, int number) {
    const std::filesystem::path file = surface_file(run.folder, run.scene, number);
    if (!std::filesystem::exists(file))
        throw InputError(file.string() + ": is missing; make it by `millrace mesh`");
    SurfaceFrame surface = read_mesh(file);
    check_time(run, number, surface.time, file);
    return std::move(surface.mesh);
}

/// None where the run has no foam.
DiffuseParticles read_diffuse_frame(const RecordedRun& run, int number) {
    const std::filesystem::path file = diffuse_file(run.folder, run.scene, number);
    if (!std::filesystem::exists(file.parent_path()))
        return {};
    if (!std::filesystem::exists(file))
        throw InputError(file.string() + ": is missing; make it by `millrace foam`");
    const ParticleFrame frame = read_vtu(file);
    check_time(run, number, frame.time, file);
    return from_frame(frame);
}

Paint water(const RecordedRun& run, const std::vector<ObjectMesh>& objects, const Box& bounds,
            const PaintStyle& style) {
    auto renderer = std::make_shared<WaterRenderer>(
        run.scene, view_in_space(run.scene, bounds, style), bounds, style.width, style.height,
        objects, color_depth(style.fluid_volume, bounds));
    return [&run, renderer](int number) {
        const SurfaceMesh surface = read_surface_frame(run, number);
        const DiffuseParticles foam = read_diffuse_frame(run, number);
        BodyFrame bodies = bodies_at(run, run.frames[static_cast<std::size_t>(number)].time);
        bodies.time = run.frames[static_cast<std::size_t>(number)].time;  // also without lines
        return Painted{renderer->draw(surface, foam, bodies), ""};
    };
}

}  // namespace

struct FramePainter::Impl {
    const RecordedRun& run;
    PaintStyle style;
    Paint paint;
    Font font{};
};

FramePainter::FramePainter(const RecordedRun& run, const std::vector<ObjectMesh>& objects,
                           const Box& bounds, const PaintStyle& style) {
    const auto make = style.style == "water"     ? water
                      : run.scene.dimension == 2 ? fluid_in_plane
                                                 : particles_in_space;
    impl_.reset(new Impl{run, style, make(run, objects, bounds, style)});
}

FramePainter::~FramePainter() = default;

Image FramePainter::paint(int number) {
    Painted painted = impl_->paint(number);
    const PaintStyle& style = impl_->style;
    const RecordedRun& run = impl_->run;
    if (style.legend)
        draw_legend(
            painted.image,
            {style.field.empty() ? "" : field_title(style.field), style.range,
             time_text(run.frames[static_cast<std::size_t>(number)].time, run.scene.output.fps),
             run.scene.name + painted.caption, style.style == "water"},
            impl_->font);
    return std::move(painted.image);
}

}  // namespace millrace
