#include "render/render_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>

#include "io/atomic_file.hpp"
#include "io/progress.hpp"
#include "millrace/error.hpp"
#include "millrace/scene.hpp"
#include "render/flat_objects.hpp"
#include "render/flat_particles.hpp"
#include "render/renderer.hpp"
#include "render/run_frames.hpp"
#include "render/video.hpp"
#include "render/water_look.hpp"
#include "render/water_renderer.hpp"

namespace millrace {
namespace {

constexpr int k_smallest_side = 64, k_largest_side = 8192;  // [pixels]
constexpr std::size_t k_values_a_frame = 20'000;            // that count for the range
constexpr double k_range_part = 0.05;                       // of the work, for the progress

void check(const RenderOptions& options) {
    for (const int side : {options.width, options.height})
        if (side < k_smallest_side || side > k_largest_side)
            throw InputError("--size: each side must be from " + std::to_string(k_smallest_side) +
                             " to " + std::to_string(k_largest_side) + " pixels, got " +
                             std::to_string(side));
    if (options.range && !(options.range->min < options.range->max))
        throw InputError("--range: MIN must be less than MAX");
    if (options.fps && !(*options.fps > 0 && *options.fps <= 1000))
        throw InputError("--fps: must be greater than 0 and at most 1000");
    if (!options.style.empty() && options.style != "particles" && options.style != "surface" &&
        options.style != "water")
        throw InputError("--style " + options.style + ": must be particles, surface or water");
}

/// With the style and the field that were left open.
RenderOptions resolved(RenderOptions options, const Scene& scene, int first_frame) {
    if (options.style == "surface" && scene.dimension == 3)
        throw InputError("--style surface: only runs in 2D can be drawn so");
    if (options.style == "water" && scene.dimension == 2)
        throw InputError("--style water: only runs in 3D can be drawn so");
    const bool has_water =
        options.water && !find_surface(options.run, scene.name, first_frame).empty();
    if (options.style == "water" && !has_water)
        throw InputError("--style water: the run has no surfaces; make them with millrace surface");
    if (options.style.empty() && scene.dimension == 3 && has_water && options.field.empty())
        options.style = "water";
    if (options.style.empty())
        options.style = runs_in_pool(scene) || (scene.dimension == 2 && runs_as_constraints(scene))
                            ? "surface"
                            : "particles";
    if (options.field.empty() && options.style == "particles")
        options.field = "velocity";
    return options;
}

/// The frames that were asked for, with their numbers in the run.
struct Selection {
    std::vector<PvdEntry> entries;
    int first = 0;
};

Selection select_frames(const RenderOptions& options) {
    const std::vector<PvdEntry> all = find_frames(options.run);
    const int count = static_cast<int>(all.size());
    const int first = options.first.value_or(0), last = options.last.value_or(count - 1);
    if (first < 0 || first > last || first >= count)
        throw InputError("--frames: the run has the frames 0 to " + std::to_string(count - 1) +
                         ", asked for " + std::to_string(first) + " to " + std::to_string(last));
    const int end = std::min(last + 1, count);
    return {{all.begin() + first, all.begin() + end}, first};
}

/// Over all the selected frames; of a large frame every n-th value.
Range range_of_frames(const RenderOptions& options, const Selection& selection,
                      Progress& progress) {
    std::vector<float> sample;
    for (std::size_t i = 0; i < selection.entries.size(); ++i) {
        progress.update(
            k_range_part * static_cast<double>(i) / static_cast<double>(selection.entries.size()),
            "range of " + options.field);
        const std::vector<float> values =
            field_values(read_vtu(options.run / selection.entries[i].file), options.field);
        const std::size_t step = values.size() / k_values_a_frame + 1;
        for (std::size_t k = 0; k < values.size(); k += step)
            sample.push_back(values[k]);
    }
    return robust_range(std::move(sample));
}

using Draw = std::function<Image(const RunFrame&)>;

View view_in_space(const Scene& scene, const Box& bounds, const RenderOptions& options) {
    const double aspect = static_cast<double>(options.width) / options.height;
    const Vec3d up = up_direction(scene.gravity);
    const Camera camera = scene.camera.value_or(fitting_camera(bounds, up, aspect));
    return perspective_view(camera, up, aspect, bounds);
}

Draw draw_in_space(const Scene& scene, const std::vector<ObjectMesh>& objects, const Box& bounds,
                   const RenderOptions& options, const Range& range) {
    auto renderer = std::make_shared<Renderer>(scene, view_in_space(scene, bounds, options), bounds,
                                               options.width, options.height, objects);
    return [renderer, range, field = options.field](const RunFrame& frame) {
        return renderer->draw(frame.particles.positions,
                              part_of_range(field_values(frame.particles, field), range),
                              frame.objects);
    };
}

/// `particles`: of a frame with much of the fluid.
Draw draw_water(const Scene& scene, const std::vector<ObjectMesh>& objects, const Box& bounds,
                const RenderOptions& options, std::size_t particles) {
    const double volume = static_cast<double>(particles) * std::pow(scene.spacing, 3);
    auto renderer = std::make_shared<WaterRenderer>(scene, view_in_space(scene, bounds, options),
                                                    bounds, options.width, options.height, objects,
                                                    color_depth(volume, bounds));
    return [renderer, load = options.water](const RunFrame& frame) {
        const WaterFrame water = load(frame.number);
        BodyFrame objects = frame.objects;
        objects.time = frame.particles.time;  // also where there are no bodies
        return renderer->draw(water.surface, water.foam, objects);
    };
}

Draw draw_in_plane(const Scene& scene, const std::vector<ObjectMesh>& objects, const Box& bounds,
                   const RenderOptions& options, const Range& range) {
    const double aspect = static_cast<double>(options.width) / options.height;
    const FluidStyle style =
        options.style == "surface" ? FluidStyle::surface : FluidStyle::particles;
    auto renderer =
        std::make_shared<FlatRenderer>(scene, flat_view(bounds, aspect), bounds, options.width,
                                       options.height, objects, style, options.field.empty());
    return [renderer, range, field = options.field, fluids = scene.fluids](const RunFrame& frame) {
        return renderer->draw(flat_particles(frame.particles, fluids, field, range), frame.objects);
    };
}

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

Image draw_frame(const Draw& draw, const Font& font, const Scene& scene, const RunFrame& frame,
                 const RenderOptions& options, const Range& range) {
    Image image = draw(frame);
    if (!options.legend)
        return image;
    const bool small = options.style == "water";
    const std::string count = ", " + with_commas(frame.particles.count()) + " particles";
    draw_legend(image,
                {options.field.empty() ? "" : field_title(options.field), range,
                 time_text(frame.particles.time, scene.output.fps),
                 scene.name + (small ? "" : count), small},
                font);
    return image;
}

void make_glass(std::vector<ObjectMesh>& objects, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto object = std::find_if(objects.begin(), objects.end(),
                                         [&](const ObjectMesh& o) { return o.name == name; });
        if (object == objects.end())
            throw InputError("--glass " + name + ": no body of this name, nor a wall with a mesh");
        object->is_glass = true;
    }
}

std::string png_name(int number) {
    char name[40];
    std::snprintf(name, sizeof name, "frame_%06d.png", number);
    return name;
}

}  // namespace

RenderResult render_run(const RenderOptions& given) {
    check(given);
    const Selection selection = select_frames(given);
    // the text alone: the mesh files of the scene need not be here
    const std::filesystem::path scene_file = given.run / "scene.json";
    const std::filesystem::path lines_file = given.run / "bodies.jsonl";
    const Scene scene = parse_scene(read_file(scene_file), scene_file.string());
    const RenderOptions options = resolved(given, scene, selection.first);
    const std::vector<BodyFrame> lines = std::filesystem::exists(lines_file)
                                             ? read_body_lines(lines_file)
                                             : std::vector<BodyFrame>();
    const auto read = [&](std::size_t i) {
        const PvdEntry& entry = selection.entries[i];
        return RunFrame{read_vtu(options.run / entry.file), objects_at(entry.time, lines),
                        selection.first + static_cast<int>(i)};
    };
    const RunFrame first = read(0);
    const bool has_field = !options.field.empty();
    if (has_field)
        field_values(first.particles, options.field);  // a wrong name is told before any work
    const bool flat = scene.dimension == 2;
    std::vector<ObjectMesh> objects =
        flat ? flat_objects(scene) : load_object_meshes(options.run, scene);
    if (!flat)
        make_glass(objects, options.glass);

    RenderResult result;
    Progress progress(options.quiet);
    if (options.range)
        result.range = *options.range;
    else if (has_field)
        result.range = range_of_frames(options, selection, progress);
    result.folder = options.out.empty() ? options.run / "render" : options.out;
    make_folder(result.folder);
    const RunFrame last = read(selection.entries.size() - 1);
    const Box bounds = scene_bounds(scene, objects, {&first, &last});
    const std::size_t most = std::max(first.particles.count(), last.particles.count());
    const Draw draw = flat ? draw_in_plane(scene, objects, bounds, options, result.range)
                      : options.style == "water"
                          ? draw_water(scene, objects, bounds, options, most)
                          : draw_in_space(scene, objects, bounds, options, result.range);
    const Font font;
    std::unique_ptr<VideoWriter> video;
    const std::filesystem::path video_path = result.folder / (scene.name + ".mp4");
    if (options.video) {
        video = VideoWriter::open(video_path, options.width, options.height,
                                  options.fps.value_or(scene.output.fps));
        if (!video)
            std::fprintf(stderr, "warning: no video: the program ffmpeg is not installed\n");
    }

    // the files of one frame are written while the next is drawn
    std::future<void> writing;
    for (std::size_t i = 0; i < selection.entries.size(); ++i) {
        Image image = draw_frame(draw, font, scene, read(i), options, result.range);
        if (writing.valid())
            writing.get();
        const std::filesystem::path png = result.folder / png_name(selection.first + result.frames);
        writing = std::async(std::launch::async, [&video, png, image = std::move(image)] {
            write_png(png, image);
            if (video)
                video->add(image);
        });
        ++result.frames;
        const double part =
            static_cast<double>(result.frames) / static_cast<double>(selection.entries.size());
        progress.update(k_range_part + (1 - k_range_part) * part,
                        "frame " + std::to_string(result.frames) + " of " +
                            std::to_string(selection.entries.size()));
    }
    writing.get();
    if (video) {
        video->finish();
        result.video = video_path;
    }
    return result;
}

}  // namespace millrace
