#include "render/video.hpp"

#include <string>
#include <vector>

#include "millrace/error.hpp"

namespace millrace {
namespace {

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

VideoWriter::VideoWriter(const std::filesystem::path& path, double fps, std::error_code& error)
    : path_(path),
      pending_(path),
      ffmpeg_(ffmpeg_command(pending_.temporary().string(), fps), error) {}

std::unique_ptr<VideoWriter> VideoWriter::open(const std::filesystem::path& path, double fps) {
    std::error_code error;
    std::unique_ptr<VideoWriter> video(new VideoWriter(path, fps, error));
    if (error == std::errc::no_such_file_or_directory)
        return nullptr;
    if (error)
        throw RunError(path.string() + ": cannot start ffmpeg: " + error.message());
    return video;
}

void VideoWriter::fail() {
    ffmpeg_.wait();
    throw RunError(path_.string() +
                   ": ffmpeg failed: " + ffmpeg_.first_line().value_or("no reason given"));
}

void VideoWriter::add(std::string_view png) {
    if (!ffmpeg_.write(png))
        fail();
}

void VideoWriter::finish() {
    if (ffmpeg_.wait() != 0)
        fail();
    pending_.commit();
}

}  // namespace millrace
