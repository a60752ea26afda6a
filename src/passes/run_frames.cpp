#include "passes/run_frames.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "io/atomic_file.hpp"
#include "io/file_lock.hpp"
#include "io/run_identity.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace fs = std::filesystem;

RecordedRun open_run(const fs::path& folder) {
    std::error_code none;
    if (!fs::is_directory(folder, none))
        throw InputError(folder.string() +
                         (fs::exists(folder, none) ? ": is not a folder" : ": no such folder") +
                         "; give the OUT folder of `millrace run`");
    const fs::path collection = folder / "particles.pvd", scene_file = folder / "scene.json",
                   lines = folder / "bodies.jsonl";
    if (!fs::exists(collection))
        throw InputError(folder.string() +
                         ": no particles.pvd in it; give the OUT folder of `millrace run`");
    RecordedRun run;
    run.folder = folder;
    run.frames = read_pvd(collection);
    if (run.frames.empty())
        throw InputError(collection.string() +
                         ": no frames in it; the run has ended before the first one, or "
                         "output.particles lacks vtu");
    // the text alone: the mesh files of the scene need not be here
    run.scene = parse_scene(read_file(scene_file), scene_file.string());
    run.identity = run_identity(run.scene);
    if (fs::exists(lines))
        run.bodies = read_body_lines(lines);
    return run;
}

ParticleFrame read_frame(const RecordedRun& run, int number) {
    const PvdEntry& entry = run.frames[static_cast<std::size_t>(number)];
    const fs::path file = run.folder / entry.file;
    ParticleFrame frame = read_vtu(file);
    const auto identity = frame.numbers.find(k_run_identity);
    const bool is_foreign = identity != frame.numbers.end() && identity->second != run.identity;
    if (is_foreign || frame.dimension != run.scene.dimension)
        throw InputError(file.string() + ": is a frame of another run");
    check_time(run, number, frame.time, file);
    return frame;
}

void check_time(const RecordedRun& run, int number, double time, const fs::path& file) {
    const double expected = run.frames[static_cast<std::size_t>(number)].time;
    if (std::abs(time - expected) <= 1e-6 / run.scene.output.fps)
        return;
    char text[96];
    std::snprintf(text, sizeof text, ": is of t = %g s, but particles.pvd has t = %g s", time,
                  expected);
    throw InputError(file.string() + text);
}

BodyFrame bodies_at(const RecordedRun& run, double time) {
    const auto nearest = std::min_element(
        run.bodies.begin(), run.bodies.end(), [&](const BodyFrame& a, const BodyFrame& b) {
            return std::abs(a.time - time) < std::abs(b.time - time);
        });
    return nearest == run.bodies.end() ? BodyFrame{} : *nearest;
}

FrameChoice parse_frames(const std::string& text) {
    const auto parse = [](std::string_view part, std::optional<int>& number) {
        if (part.empty())
            return true;
        const auto [stop, error] =
            std::from_chars(part.data(), part.data() + part.size(), number.emplace());
        return error == std::errc{} && stop == part.data() + part.size();
    };
    const std::string_view view = text;
    const std::size_t colon = view.find(':');
    const bool is_range = colon != std::string_view::npos;
    FrameChoice choice;
    const bool is_good = parse(view.substr(0, colon), choice.first) &&
                         parse(is_range ? view.substr(colon + 1) : view, choice.last);
    if (text.empty() || !is_good)
        throw InputError("--frames " + text + ": must be A:B, A:, :B or A, such as 10:20");
    return choice;
}

std::vector<int> chosen_frames(const RecordedRun& run, const FrameChoice& choice) {
    const int count = run.frame_count();
    const int first = choice.first.value_or(0), last = choice.last.value_or(count - 1);
    if (first < 0 || first > last || first >= count)
        throw InputError("--frames: the run has the frames 0 to " + std::to_string(count - 1) +
                         ", asked for " + std::to_string(first) + " to " + std::to_string(last));
    std::vector<int> numbers;
    for (int i = first; i <= std::min(last, count - 1); ++i)
        numbers.push_back(i);
    return numbers;
}

std::vector<int> spread(int frames, int count) {
    std::vector<int> numbers;
    const int parts = std::min(count, frames);
    for (int i = 1; i <= parts; ++i)
        numbers.push_back(static_cast<int>(std::int64_t{i} * frames / parts) - 1);
    return numbers;
}

std::string frame_file(const Scene& scene, int number, const std::string& ending) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "_%06d.", number);
    return scene.name + digits + ending;
}

void write_animation(const RecordedRun& run, const std::string& name, const std::string& ending) {
    const fs::path animation = run.folder / (name + ".pvd");
    const FileLock lock = FileLock::wait_for(animation);  // others may end at the same moment
    std::vector<PvdEntry> entries;
    for (int number = 0; number < run.frame_count(); ++number) {
        const std::string file = name + "/" + frame_file(run.scene, number, ending);
        if (fs::exists(run.folder / file))
            entries.push_back({run.frames[static_cast<std::size_t>(number)].time, file});
    }
    write_pvd(animation, entries);
}

}  // namespace millrace
