#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "io/atomic_file.hpp"

namespace millrace {

/// An MP4 file in the making (H.264, yuv420p, so that every player shows it), by the program
/// `ffmpeg`, which gets the pictures, PNG files of one size, through a pipe. The file appears when
/// it is complete.
class VideoWriter {
  public:
    /// Nothing where there is no ffmpeg; throws RunError where it cannot be started.
    static std::unique_ptr<VideoWriter> open(const std::filesystem::path& path, double fps);
    ~VideoWriter();  ///< without finish(): ends ffmpeg and leaves no file
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    /// The bytes of a PNG file; throws RunError with ffmpeg's words when it has failed.
    void add(std::string_view png);
    void finish();  ///< completes the file; throws likewise

  private:
    explicit VideoWriter(const std::filesystem::path& path);
    [[noreturn]] void fail();
    int wait();

    std::filesystem::path path_;
    PendingFile pending_;
    std::FILE* messages_ = nullptr;  // what ffmpeg prints
    pid_t process_ = -1;
    int socket_ = -1;
};

}  // namespace millrace
