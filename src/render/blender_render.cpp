#include "render/blender_render.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "io/progress.hpp"
#include "io/run_folder.hpp"
#include "millrace/error.hpp"
#include "platform/process.hpp"
#include "platform/this_program.hpp"
#include "render/film.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// The script beside an installed program, or in the sources.
fs::path find_script() {
    for (const fs::path& folder :
         {platform::program_file().parent_path().parent_path() / "share/millrace/blender",
          fs::path(MILLRACE_BLENDER_DIR)})
        if (fs::exists(folder / "render_run.py"))
            return folder / "render_run.py";
    throw RunError(
        "--with blender: render_run.py is not installed; it is in the folder blender/ of "
        "the sources");
}

std::vector<std::string> command(const BlenderOptions& options, const fs::path& folder,
                                 const std::vector<int>& frames) {
    std::vector<std::string> words{
        "blender",
        "-b",
        "--factory-startup",
        "-noaudio",
        "--python",
        find_script().string(),
        "--",
        fs::absolute(options.run).string(),
        "--out",
        fs::absolute(folder).string(),
        "--size",
        std::to_string(options.width) + "x" + std::to_string(options.height),
        "--frames",
        std::to_string(frames.front()) + ":" + std::to_string(frames.back())};
    const auto add = [&](const char* option, const std::string& value) {
        words.insert(words.end(), {option, value});
    };
    if (options.samples > 0)
        add("--samples", std::to_string(options.samples));
    if (options.threads > 0)
        add("--threads", std::to_string(options.threads));
    if (options.gpu)
        add("--device", "GPU");
    return words;
}

/// What the script tells, until it ends. True where another process still draws a frame.
bool follow(platform::ReadProcess& blender, const BlenderOptions& options, std::size_t frames,
            PassOutcome& pass) {
    using Next = platform::ReadProcess::Next;
    Progress progress(options.quiet);
    bool others = false;
    std::string line;
    int done = 0;
    for (;;) {
        if (options.stop())
            blender.ask_to_end();
        const Next next = blender.next_line(line);
        if (next == Next::end)
            return others;
        if (next == Next::nothing_yet)
            continue;
        if (line.starts_with("error: ")) {
            std::fprintf(stderr, "%s\n", line.c_str());
            pass.errors.push_back(line.substr(7));
        } else if (line.starts_with("frame ") && line.find(" of ") != std::string::npos) {
            ++done;
            others = others || line.ends_with("(another one draws it)");
            if (line.ends_with("(is there)"))
                ++pass.found;
            else if (!line.ends_with(")"))
                ++pass.made;
            progress.update(done / static_cast<double>(frames),
                            "picture " + std::to_string(done) + " of " + std::to_string(frames));
        }
    }
}

}  // namespace

BlenderResult render_with_blender(const BlenderOptions& options) {
    const RecordedRun run = open_run(options.run);
    const std::vector<int> frames = chosen_frames(run, options.frames);
    BlenderResult result;
    result.folder = options.out.empty() ? options.run / "render_blender" : options.out;
    if (options.overwrite)
        remove_numbered(result.folder, "frame", frames.front(), frames.back());
    std::error_code error;
    platform::ReadProcess blender(command(options, result.folder, frames), error);
    if (error == std::errc::no_such_file_or_directory)
        throw RunError(
            "--with blender: the program blender is not installed (on Debian: apt install "
            "blender)");
    if (error)
        throw RunError("cannot start blender: " + error.message());
    const bool others = follow(blender, options, frames.size(), result.pass);
    const std::optional<int> exit_code = blender.wait();
    result.pass.stopped = options.stop();
    if (result.pass.stopped)
        return result;
    if (exit_code == 2 && !result.pass.errors.empty())
        throw InputError(result.pass.errors.back());
    if (!exit_code || (*exit_code != 0 && result.pass.errors.empty()))
        throw RunError("blender has failed; run it by hand as docs/blender.md tells");
    if (others)
        std::fprintf(stderr, "warning: no video: another process still draws frames\n");
    else if (options.video)
        result.video = make_film(result.folder, run.scene.name,
                                 options.fps.value_or(run.scene.output.fps), frames, options.quiet);
    return result;
}

}  // namespace millrace
