#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "io/atomic_file.hpp"
#include "platform/process.hpp"

namespace millrace {

/// An MP4 file in the making (H.264, yuv420p, so that every player shows it), by the program
/// `ffmpeg`, which gets the pictures, PNG files of one size, through a pipe. The file appears when
/// it is complete.
class VideoWriter {
  public:
    /// Nothing where there is no ffmpeg; throws RunError where it cannot be started.
    static std::unique_ptr<VideoWriter> open(const std::filesystem::path& path, double fps);
    ~VideoWriter() = default;  ///< without finish(): ends ffmpeg and leaves no file
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    /// The bytes of a PNG file; throws RunError with ffmpeg's words when it has failed.
    void add(std::string_view png);
    void finish();  ///< completes the file; throws likewise

  private:
    VideoWriter(const std::filesystem::path& path, double fps, std::error_code& error);
    [[noreturn]] void fail();

    std::filesystem::path path_;
    PendingFile pending_;
    platform::FedProcess ffmpeg_;  // ends before its file is removed
};

}  // namespace millrace
