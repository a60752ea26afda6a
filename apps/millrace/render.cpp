#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "millrace/error.hpp"

#ifdef MILLRACE_RENDER

#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

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
    RenderOptions options;
    std::string run, out, size, range, frames;
    double fps = 0;
    bool no_video = false, no_legend = false;
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

void parse_frames(const std::string& text, RenderOptions& options) {
    std::string_view first = text, last = text;  // a single number is both
    split(text, ':', first, last);
    const auto parse = [](std::string_view part, std::optional<int>& number) {
        return part.empty() || parse_number(part, number.emplace());
    };
    if (text.empty() || !parse(first, options.first) || !parse(last, options.last))
        throw InputError("--frames " + text + ": must be A:B, A:, :B or A, such as 10:20");
}

void render(const RenderArguments& arguments, const CLI::App& command) {
    RenderOptions options = arguments.options;
    options.run = arguments.run;
    options.out = arguments.out;
    options.video = !arguments.no_video;
    options.legend = !arguments.no_legend;
    if (command.count("--size"))
        parse_size(arguments.size, options);
    if (command.count("--range"))
        parse_range(arguments.range, options);
    if (command.count("--frames"))
        parse_frames(arguments.frames, options);
    if (command.count("--fps"))
        options.fps = arguments.fps;
    const RenderResult result = render_run(options);
    std::printf("pictures: %s (%d)\n", (result.folder / "frame_*.png").string().c_str(),
                result.frames);
    if (!result.video.empty())
        std::printf("video: %s\n", result.video.string().c_str());
}

}  // namespace

void add_render_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("render", "Pictures and an MP4 of a run");
    auto arguments = std::make_shared<RenderArguments>();
    RenderOptions& options = arguments->options;
    command->add_option("OUT", arguments->run, "Folder that `millrace run` has written")
        ->required();
    command->add_option("--out", arguments->out, "Folder for the pictures (OUT/render)");
    command->add_option("--size", arguments->size, "Size in pixels, WxH (1280x720)");
    command->add_option("--style", options.style,
                        "particles; in 2D surface: a liquid (surface for 2D games); in 3D water "
                        "(where `millrace surface` has made surfaces)");
    command->add_option("--field", options.field,
                        "What colours the fluid: velocity, density, pressure, ... (velocity; of a "
                        "surface the colours of the fluids)");
    command->add_option("--range", arguments->range,
                        "Values at the ends of the colours, MIN:MAX (from the frames)");
    command->add_option("--frames", arguments->frames,
                        "Frames A:B, counted from 0, both included (all)");
    command->add_option("--fps", arguments->fps,
                        "Pictures a second in the video (output.fps of the scene)");
    command->add_option("--glass", options.glass,
                        "Names of walls and bodies that one looks through, in 3D");
    command->add_flag("--no-legend", arguments->no_legend, "Neither time nor name nor colour bar");
    command->add_flag("--no-video", arguments->no_video, "Pictures only");
    command->add_flag("--quiet", options.quiet, "No progress");
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
