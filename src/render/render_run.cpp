#include "render/render_run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "io/progress.hpp"
#include "millrace/error.hpp"
#include "passes/estimate.hpp"
#include "passes/pass_settings.hpp"
#include "render/field_range.hpp"
#include "render/film.hpp"
#include "render/flat_objects.hpp"
#include "render/frame_painter.hpp"
#include "render/scene_bounds.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr int k_smallest_side = 64, k_largest_side = 8192;  // [pixels]
constexpr std::size_t k_values_a_frame = 20'000;            // that count for the range
constexpr int k_frames_for_range = 32;
constexpr int k_first_pictures = 3;  // by whose size that of all is estimated

// What a picture takes, about; in memory with OpenGL in software.
constexpr double k_memory = 3e8, k_memory_of_pixel = 220, k_disk_of_pixel = 0.7;  // [bytes]

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
    const auto& known = {"", "particles", "surface", "water"};
    if (std::ranges::find(known, options.style) == std::end(known))
        throw InputError("--style " + options.style + ": must be particles, surface or water");
}

/// With the style and the field that were left open.
PaintStyle style_of(const RenderOptions& options, const RecordedRun& run) {
    const Scene& scene = run.scene;
    PaintStyle style;
    style.width = options.width;
    style.height = options.height;
    style.style = options.style;
    style.field = options.field;
    style.legend = options.legend;
    if (style.style == "surface" && scene.dimension == 3)
        throw InputError("--style surface: only runs in 2D can be drawn so; in 3D it is water");
    if (style.style == "water" && scene.dimension == 2)
        throw InputError("--style water: only runs in 3D can be drawn so; in 2D it is surface");
    const bool has_surfaces = fs::exists(run.folder / "surface");
    if (style.style == "water" && !has_surfaces)
        throw InputError("--style water: the run has no surfaces; make them by `millrace mesh`");
    const bool is_game =
        scene.engine == "game" || (scene.dimension == 2 && scene.engine == "constraints");
    if (style.style.empty())
        style.style = is_game                                 ? "surface"
                      : has_surfaces && options.field.empty() ? "water"
                                                              : "particles";
    if (style.style == "water" && !style.field.empty())
        throw InputError("--field: water has its own colour; use --style particles");
    if (style.field.empty() && style.style == "particles")
        style.field = "velocity";
    return style;
}

Settings settings_of(const RecordedRun& run, const RenderOptions& options,
                     const PaintStyle& style) {
    Settings settings{{"run", setting_text(run.identity)},
                      {"size", std::to_string(style.width) + "x" + std::to_string(style.height)},
                      {"style", style.style},
                      {"field", style.field.empty() ? "none" : style.field},
                      {"legend", style.legend ? "yes" : "no"}};
    if (options.range) {
        settings["range_min"] = setting_text(options.range->min);
        settings["range_max"] = setting_text(options.range->max);
    }
    return settings;
}

/// Over a part of the frames of the run; of a large frame every n-th value.
Range range_of_run(const RecordedRun& run, const std::string& field, bool quiet) {
    std::vector<float> sample;
    Progress progress(quiet);
    const int count = std::min(k_frames_for_range, run.frame_count());
    for (int i = 0; i < count; ++i) {
        progress.update(static_cast<double>(i) / count, "range of " + field);
        std::vector<float> values;
        try {
            values = field_values(read_frame(run, (i + 1) * run.frame_count() / count - 1), field);
        } catch (const InputError&) {
            continue;  // told of when it is drawn
        }
        const std::size_t step = values.size() / k_values_a_frame + 1;
        for (std::size_t k = 0; k < values.size(); k += step)
            sample.push_back(values[k]);
    }
    return robust_range(std::move(sample));
}

/// The first and the last frame of the run that can be read; throws what is wrong where none can.
std::vector<RunFrame> outer_frames(const RecordedRun& run, const std::vector<int>& chosen) {
    std::vector<RunFrame> frames;
    std::string error;
    for (const int number : {0, run.frame_count() - 1, chosen.front()}) {
        try {
            ParticleFrame particles = read_frame(run, number);
            frames.push_back({std::move(particles), {}});
            frames.back().objects = bodies_at(run, frames.back().particles.time);
        } catch (const InputError& e) {
            error = e.what();
        }
        if (frames.size() == 2)
            break;
    }
    if (frames.empty())
        throw InputError(error);
    return frames;
}

/// Pictures drawn otherwise may also go into another folder.
Settings agree_on_pictures(const fs::path& folder, const Settings& wanted,
                           const std::function<Settings()>& more) {
    try {
        return agree_on_settings(folder, wanted, more);
    } catch (const InputError& e) {
        throw InputError(std::string(e.what()) + ", --out DIR leaves it as it is");
    }
}

/// Of the pictures of a pass [bytes]; `otherwise` where there are none.
double mean_size(const Pass& pass, double otherwise) {
    double sum = 0, count = 0;
    for (const int number : pass.frames) {
        std::error_code none;
        const auto size = fs::file_size(pass.file(number), none);
        sum += none ? 0 : static_cast<double>(size);
        count += !none;
    }
    return count > 0 ? sum / count : otherwise;
}

}  // namespace

RenderResult render_run(const RenderOptions& options) {
    check(options);
    const RecordedRun run = open_run(options.run);
    Pass pass;
    pass.frames = chosen_frames(run, options.frames);
    PaintStyle style = style_of(options, run);
    const bool flat = run.scene.dimension == 2;
    const std::vector<RunFrame> outer = outer_frames(run, pass.frames);
    if (!style.field.empty())
        field_values(outer[0].particles, style.field);  // a wrong name is told before any work
    const std::vector<ObjectMesh> objects =
        flat ? flat_objects(run.scene) : load_object_meshes(run.folder, run.scene);
    std::vector<const RunFrame*> seen;
    for (const RunFrame& frame : outer)
        seen.push_back(&frame);
    const Box bounds = scene_bounds(run.scene, objects, seen);
    for (const RunFrame& frame : outer)
        style.fluid_volume =
            std::max(style.fluid_volume,
                     static_cast<double>(frame.particles.count()) * std::pow(run.scene.spacing, 3));

    RenderResult result;
    result.folder = options.out.empty() ? options.run / "render" : options.out;
    const Settings wanted = settings_of(run, options, style);
    if (options.overwrite)
        remove_made(result.folder, "frame", wanted, pass.frames.front(), pass.frames.back());
    const Settings settings = agree_on_pictures(result.folder, wanted, [&] {
        const Range range =
            style.field.empty() ? Range() : range_of_run(run, style.field, options.quiet);
        return Settings{{"range_min", setting_text(range.min)},
                        {"range_max", setting_text(range.max)}};
    });
    style.range = {setting_number(settings, "range_min"), setting_number(settings, "range_max")};
    result.range = style.range;

    pass.what = "picture";
    pass.quiet = options.quiet;
    pass.stop = options.stop;
    pass.file = [&](int number) { return picture_file(result.folder, number); };
    std::unique_ptr<FramePainter> painter;
    pass.make = [&](int number) {
        if (!painter)
            painter = std::make_unique<FramePainter>(run, objects, bounds, style);
        write_png(pass.file(number), painter->paint(number));
    };
    const auto left = static_cast<std::size_t>(std::ranges::count_if(
        pass.frames, [&](int number) { return !fs::exists(pass.file(number)); }));
    const std::vector<int> all = pass.frames;
    const Pass first = first_of(pass, k_first_pictures);
    result.pass = run_pass(first);
    if (!result.pass.stopped && !pass.frames.empty()) {
        const double pixels = static_cast<double>(style.width) * style.height;
        if (left > 1)
            tell({"pictures", left, 1, k_memory + k_memory_of_pixel * pixels,
                  mean_size(first, k_disk_of_pixel * pixels)},
                 result.folder, options.quiet);
        result.pass.add(run_pass(pass));
    }
    pass.frames = all;
    if (options.video && !result.pass.stopped)
        result.video =
            make_film(result.folder, run.scene.name, options.fps.value_or(run.scene.output.fps),
                      pass.frames, options.quiet);
    return result;
}

}  // namespace millrace
