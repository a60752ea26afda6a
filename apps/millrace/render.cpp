#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "millrace/error.hpp"

#ifdef MILLRACE_RENDER

#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "pass_options.hpp"
#include "platform/signals.hpp"
#include "render/blender_render.hpp"
#include "render/render_run.hpp"

namespace millrace {
namespace {

/// The whole of `text` as a number.
template <class T>
bool parse_number(std::string_view text, T& value) {
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end;
}

/// Both sides of a separator that must be there.
bool split(std::string_view text, char separator, std::string_view& left, std::string_view& right) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos)
        return false;
    left = text.substr(0, at);
    right = text.substr(at + 1);
    return true;
}

struct RenderArguments {
    PassArguments pass;
    RenderOptions options;
    std::string out, size, range;
    double fps = 0;
    bool no_video = false, no_legend = false;
    std::string with;
    int samples = 0;
    std::string device = "cpu";
};

void parse_size(const std::string& text, RenderOptions& options) {
    std::string_view width, height;
    if (!split(text, 'x', width, height) || !parse_number(width, options.width) ||
        !parse_number(height, options.height))
        throw InputError("--size " + text + ": must be WIDTHxHEIGHT, such as 1280x720");
}

void parse_range(const std::string& text, RenderOptions& options) {
    std::string_view low, high;
    Range range;
    if (!split(text, ':', low, high) || !parse_number(low, range.min) ||
        !parse_number(high, range.max) || !(range.min < range.max))
        throw InputError("--range " + text + ": must be MIN:MAX with MIN < MAX, such as 0:2.5");
    options.range = range;
}

void render_by_blender(const RenderArguments& arguments, const RenderOptions& given) {
    BlenderOptions options;
    options.run = given.run;
    options.out = given.out;
    options.width = given.width;
    options.height = given.height;
    options.frames = given.frames;
    options.samples = arguments.samples;
    options.threads = arguments.pass.threads;
    options.fps = given.fps;
    options.gpu = arguments.device == "gpu";
    options.video = given.video;
    options.overwrite = given.overwrite;
    options.quiet = given.quiet;
    options.stop = given.stop;
    const BlenderResult result = render_with_blender(options);
    if (!result.video.empty() && !options.quiet)
        std::printf("video: %s\n", result.video.string().c_str());
    end_pass(arguments.pass, result.pass, "pictures", (result.folder / "frame_*.png").string());
}

/// Options that only one of the two renderers has.
void check_renderer(const CLI::App& command, bool by_blender) {
    for (const char* option : {"--style", "--field", "--range", "--no-legend"})
        if (by_blender && command.count(option))
            throw InputError(std::string(option) + ": not of --with blender");
    for (const char* option : {"--samples", "--device"})
        if (!by_blender && command.count(option))
            throw InputError(std::string(option) + ": only of --with blender");
}

void render(const RenderArguments& arguments, const CLI::App& command) {
    const bool by_blender = arguments.with == "blender";
    check_renderer(command, by_blender);
    RenderOptions options = arguments.options;
    options.run = run_or_newest(arguments.pass.run);
    options.out = arguments.out;
    options.video = !arguments.no_video;
    options.legend = !arguments.no_legend;
    options.overwrite = arguments.pass.overwrite;
    options.quiet = arguments.pass.quiet;
    if (command.count("--size"))
        parse_size(arguments.size, options);
    if (command.count("--range"))
        parse_range(arguments.range, options);
    if (command.count("--fps"))
        options.fps = arguments.fps;
    options.frames = start_pass(arguments.pass);
    options.stop = [] { return platform::caught_signal() != 0; };
    if (by_blender) {
        render_by_blender(arguments, options);
        return;
    }
    const RenderResult result = render_run(options);
    if (!result.video.empty() && !options.quiet)
        std::printf("video: %s\n", result.video.string().c_str());
    end_pass(arguments.pass, result.pass, "pictures", (result.folder / "frame_*.png").string());
}

}  // namespace

void add_render_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("render", "Pictures and an MP4 of a run");
    auto arguments = std::make_shared<RenderArguments>();
    RenderOptions& options = arguments->options;
    add_pass_options(*command, arguments->pass);
    command->add_option("--out", arguments->out, "Folder for the pictures (OUT/render)");
    command->add_option("--size", arguments->size, "Size in pixels, WxH (1280x720)");
    command->add_option("--style", options.style,
                        "particles; in 3D water, where the run has surfaces; in 2D surface (the "
                        "best that there is)");
    command->add_option("--field", options.field,
                        "What colours the fluid: velocity, density, pressure, ... (velocity; of a "
                        "surface the colours of the fluids)");
    command->add_option("--range", arguments->range,
                        "Values at the ends of the colours, MIN:MAX (from the frames)");
    command->add_option("--fps", arguments->fps,
                        "Pictures a second in the video (output.fps of the scene)");
    command->add_flag("--no-video", arguments->no_video, "Pictures only");
    command->add_option("--with", arguments->with, "Another renderer: blender (none)")
        ->check(CLI::IsMember({"blender"}));
    command->add_option("--samples", arguments->samples, "Of Blender: samples a pixel (24)")
        ->check(CLI::Range(1, 100000));
    command->add_option("--device", arguments->device, "Of Blender: cpu or gpu (cpu)")
        ->check(CLI::IsMember({"cpu", "gpu"}));
    command->add_flag("--no-legend", arguments->no_legend, "No words in the pictures");
    command->callback([arguments, command] { render(*arguments, *command); });
}

}  // namespace millrace

#else

namespace millrace {

void add_render_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("render", "Pictures and an MP4 of a run (not built in)");
    command->allow_extras();
    command->callback([] {
        throw RunError(
            "render is not built in: install EGL, libepoxy, libpng and stb (on Debian: apt install "
            "libegl-dev libepoxy-dev libpng-dev libstb-dev), then configure and build again");
    });
}

}  // namespace millrace

#endif
