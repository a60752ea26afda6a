#include "render/video.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "millrace/error.hpp"

extern char** environ;

namespace millrace {
namespace {

/// Where a started program finds its input, output and messages.
class SpawnFiles {
  public:
    SpawnFiles(int input, int messages) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, messages, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, messages, STDERR_FILENO);
    }
    ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnFiles(const SpawnFiles&) = delete;
    SpawnFiles& operator=(const SpawnFiles&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

std::vector<std::string> ffmpeg_command(const std::string& file, double fps) {
    return {"ffmpeg", "-loglevel", "error", "-y",
            // pictures come in
            "-f", "image2pipe", "-c:v", "png", "-framerate", std::to_string(fps), "-i", "pipe:0",
            // H.264 with colours at half resolution needs even sides
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "veryfast",
            "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4",
            "file:" + file};
}

}  // namespace

VideoWriter::VideoWriter(const std::filesystem::path& path) : path_(path), pending_(path) {}

std::unique_ptr<VideoWriter> VideoWriter::open(const std::filesystem::path& path, double fps) {
    std::unique_ptr<VideoWriter> video(new VideoWriter(path));
    int sockets[2];  // a socket and not a pipe: a write after ffmpeg's end is no signal, but an
                     // error
    video->messages_ = std::tmpfile();
    if (!video->messages_ || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        throw RunError(path.string() + ": cannot start ffmpeg: " + std::strerror(errno));
    video->socket_ = sockets[0];

    std::vector<std::string> words = ffmpeg_command(video->pending_.temporary().string(), fps);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const SpawnFiles files(sockets[1], fileno(video->messages_));
    const int error =
        posix_spawnp(&video->process_, "ffmpeg", files.get(), nullptr, arguments.data(), environ);
    ::close(sockets[1]);
    if (error != 0)
        video->process_ = -1;
    if (error == ENOENT)
        return nullptr;
    if (error != 0)
        throw RunError(path.string() + ": cannot start ffmpeg: " + std::strerror(error));
    return video;
}

VideoWriter::~VideoWriter() {
    if (process_ > 0)
        ::kill(process_, SIGKILL);
    wait();
    if (messages_)
        std::fclose(messages_);
}

/// Ends the input, waits for ffmpeg and returns its exit status.
int VideoWriter::wait() {
    if (socket_ >= 0)
        ::close(socket_);
    socket_ = -1;
    int status = -1;
    if (process_ > 0)
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
    process_ = -1;
    return status;
}

void VideoWriter::fail() {
    wait();
    std::string first_line = "no reason given";
    char line[500];
    std::rewind(messages_);
    if (std::fgets(line, sizeof line, messages_))
        first_line = std::string(line, std::strcspn(line, "\r\n"));
    throw RunError(path_.string() + ": ffmpeg failed: " + first_line);
}

void VideoWriter::add(std::string_view png) {
    while (!png.empty()) {
        const ssize_t sent = ::send(socket_, png.data(), png.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            fail();
        png.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void VideoWriter::finish() {
    if (wait() != 0)
        fail();
    pending_.commit();
}

}  // namespace millrace
