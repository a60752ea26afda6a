#include "render/render_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <future>

#include "io/atomic_file.hpp"
#include "io/progress.hpp"
#include "millrace/error.hpp"
#include "millrace/scene.hpp"
#include "render/renderer.hpp"
#include "render/run_frames.hpp"
#include "render/video.hpp"

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

Renderer make_renderer(const Scene& scene, const std::vector<ObjectMesh>& objects,
                       const RunFrame& first, const RunFrame& last, int width, int height) {
    const Box bounds = scene_bounds(scene, objects, {&first, &last});
    const double aspect = static_cast<double>(width) / height;
    if (scene.dimension == 2)
        return {scene, flat_view(bounds, aspect), bounds, width, height};
    const Vec3d up = up_direction(scene.gravity);
    const Camera camera = scene.camera.value_or(fitting_camera(bounds, up, aspect));
    return {scene, perspective_view(camera, up, aspect, bounds), bounds, width, height, objects};
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

Image draw_frame(Renderer& renderer, const Font& font, const Scene& scene,
                 const RunFrame& run_frame, const std::string& field, const Range& range) {
    const ParticleFrame& frame = run_frame.particles;
    std::vector<float> values = field_values(frame, field);
    for (float& value : values)
        value = static_cast<float>((value - range.min) / (range.max - range.min));
    Image image = renderer.draw(frame.positions, values, run_frame.objects);
    draw_legend(image,
                {field_title(field), range, time_text(frame.time, scene.output.fps),
                 scene.name + ", " + with_commas(frame.count()) + " particles"},
                font);
    return image;
}

std::string png_name(int number) {
    char name[40];
    std::snprintf(name, sizeof name, "frame_%06d.png", number);
    return name;
}

}  // namespace

RenderResult render_run(const RenderOptions& options) {
    check(options);
    const Selection selection = select_frames(options);
    // the text alone: the mesh files of the scene need not be here
    const std::filesystem::path scene_file = options.run / "scene.json";
    const std::filesystem::path lines_file = options.run / "bodies.jsonl";
    const Scene scene = parse_scene(read_file(scene_file), scene_file.string());
    const std::vector<BodyFrame> lines = std::filesystem::exists(lines_file)
                                             ? read_body_lines(lines_file)
                                             : std::vector<BodyFrame>();
    const auto read = [&](const PvdEntry& entry) {
        return RunFrame{read_vtu(options.run / entry.file), objects_at(entry.time, lines)};
    };
    const RunFrame first = read(selection.entries.front());
    field_values(first.particles, options.field);  // a wrong name is told before any work
    const std::vector<ObjectMesh> objects = load_object_meshes(options.run, scene);

    RenderResult result;
    Progress progress(options.quiet);
    result.range = options.range ? *options.range : range_of_frames(options, selection, progress);
    result.folder = options.out.empty() ? options.run / "render" : options.out;
    make_folder(result.folder);
    Renderer renderer = make_renderer(scene, objects, first, read(selection.entries.back()),
                                      options.width, options.height);
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
    for (const PvdEntry& entry : selection.entries) {
        Image image = draw_frame(renderer, font, scene, read(entry), options.field, result.range);
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
