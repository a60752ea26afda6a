#include "render/film.hpp"

#include <cstdio>
#include <memory>

#include "io/atomic_file.hpp"
#include "io/progress.hpp"
#include "render/video.hpp"

namespace millrace {

namespace fs = std::filesystem;

fs::path picture_file(const fs::path& folder, int number) {
    char name[40];
    std::snprintf(name, sizeof name, "frame_%06d.png", number);
    return folder / name;
}

fs::path make_film(const fs::path& folder, const std::string& name, double fps,
                   const std::vector<int>& frames, bool quiet) {
    const fs::path path = folder / (name + ".mp4");
    const std::unique_ptr<VideoWriter> video = VideoWriter::open(path, fps);
    if (!video) {
        std::fprintf(stderr, "warning: no video: the program ffmpeg is not installed\n");
        return {};
    }
    Progress progress(quiet);
    int pictures = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        progress.update(static_cast<double>(i) / static_cast<double>(frames.size()), "video");
        if (fs::exists(picture_file(folder, frames[i]))) {
            video->add(read_file(picture_file(folder, frames[i])));
            ++pictures;
        }
    }
    if (pictures == 0)
        return {};
    video->finish();
    return path;
}

}  // namespace millrace
