#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace millrace {

/// FOLDER/frame_000012.png
std::filesystem::path picture_file(const std::filesystem::path& folder, int number);

/// Makes FOLDER/NAME.mp4 of the pictures of these frames that are there. Empty, with a warning on
/// stderr, where the program ffmpeg is missing; throws RunError where it fails.
std::filesystem::path make_film(const std::filesystem::path& folder, const std::string& name,
                                double fps, const std::vector<int>& frames, bool quiet);

}  // namespace millrace
