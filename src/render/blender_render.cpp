#include "render/blender_render.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "io/progress.hpp"
#include "io/run_folder.hpp"
#include "millrace/error.hpp"
#include "render/film.hpp"

extern char** environ;

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// The script beside an installed program, or in the sources.
fs::path find_script() {
    std::error_code none;
    const fs::path program = fs::read_symlink("/proc/self/exe", none);
    for (const fs::path& folder : {program.parent_path().parent_path() / "share/millrace/blender",
                                   fs::path(MILLRACE_BLENDER_DIR)})
        if (fs::exists(folder / "render_run.py"))
            return folder / "render_run.py";
    throw RunError(
        "--with blender: render_run.py is not installed; it is in the folder blender/ of "
        "the sources");
}

/// A program whose output, on stdout and stderr, is read line by line.
class Child {
  public:
    explicit Child(std::vector<std::string> words) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            throw RunError(std::string("cannot start blender: ") + std::strerror(errno));
        output_ = ends[0];
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
        const int error =
            posix_spawnp(&process_, words[0].c_str(), &files, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        ::close(ends[1]);
        if (error == ENOENT)
            throw RunError(
                "--with blender: the program blender is not installed (on Debian: apt "
                "install blender)");
        if (error != 0)
            throw RunError(std::string("cannot start blender: ") + std::strerror(error));
    }
    ~Child() {
        end();
        ::close(output_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// The next line; false at the end. Kills the program when asked to stop.
    bool next_line(std::string& line, const std::function<bool()>& stop) {
        for (;;) {
            if (const std::size_t end = text_.find('\n'); end != std::string::npos) {
                line = text_.substr(0, end);
                text_.erase(0, end + 1);
                return true;
            }
            if (stop() && process_ > 0)
                ::kill(process_, SIGTERM);
            pollfd ready{output_, POLLIN, 0};
            if (::poll(&ready, 1, 200) <= 0)
                continue;
            char part[4096];
            const ssize_t got = ::read(output_, part, sizeof part);
            if (got <= 0)
                return false;
            text_.append(part, static_cast<std::size_t>(got));
        }
    }

    /// Waits for its end; the status of waitpid.
    int wait() {
        int status = -1;
        while (process_ > 0 && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
        return status;
    }

  private:
    void end() {
        if (process_ > 0)
            ::kill(process_, SIGKILL);
        wait();
    }

    pid_t process_ = -1;
    int output_ = -1;
    std::string text_;
};

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
bool follow(Child& blender, const BlenderOptions& options, std::size_t frames, PassOutcome& pass) {
    Progress progress(options.quiet);
    bool others = false;
    std::string line;
    int done = 0;
    while (blender.next_line(line, options.stop)) {
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
    return others;
}

}  // namespace

BlenderResult render_with_blender(const BlenderOptions& options) {
    const RecordedRun run = open_run(options.run);
    const std::vector<int> frames = chosen_frames(run, options.frames);
    BlenderResult result;
    result.folder = options.out.empty() ? options.run / "render_blender" : options.out;
    if (options.overwrite)
        remove_numbered(result.folder, "frame", frames.front(), frames.back());
    Child blender(command(options, result.folder, frames));
    const bool others = follow(blender, options, frames.size(), result.pass);
    const int status = blender.wait();
    result.pass.stopped = options.stop();
    if (result.pass.stopped)
        return result;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2 && !result.pass.errors.empty())
        throw InputError(result.pass.errors.back());
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && result.pass.errors.empty()))
        throw RunError("blender has failed; run it by hand as docs/blender.md tells");
    if (others)
        std::fprintf(stderr, "warning: no video: another process still draws frames\n");
    else if (options.video)
        result.video = make_film(result.folder, run.scene.name,
                                 options.fps.value_or(run.scene.output.fps), frames, options.quiet);
    return result;
}

}  // namespace millrace
