#include "io/run_folder.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/surface_files.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t k_all = -1;  ///< less than every number

std::string padded(std::int64_t number, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*lld", digits, static_cast<long long>(number));
    return text;
}

/// The 12 of "NAME_000012.vtu", also of ".NAME_000012.vtu.tmp", its form in the making, and of its
/// lock.
std::optional<std::int64_t> number_of(std::string file, const std::string& name) {
    if (file.starts_with('.'))
        file.erase(0, 1);
    if (!file.starts_with(name + "_"))
        return {};
    const char* begin = file.data() + name.size() + 1;
    const char* end = file.data() + file.size();
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc{} || stop == end || *stop != '.' || number < 0)
        return {};
    return number;
}

struct Numbered {
    std::int64_t number;
    fs::path path;
};

/// The files NAME_NUMBER.*, the lowest number first.
std::vector<Numbered> numbered_files(const fs::path& folder, const std::string& name) {
    std::vector<Numbered> files;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
        if (const auto number = number_of(entry.path().filename().string(), name))
            files.push_back({*number, entry.path()});
    std::sort(files.begin(), files.end(),
              [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
    return files;
}

/// What a run in the folder goes by.
struct RunNames {
    std::string scene;
    std::vector<std::string> surfaces;  ///< files in `meshes`
};

/// The names of the walls or the bodies of a scene that can be those of files.
std::vector<std::string> object_names(const nlohmann::json& scene, const char* list) {
    std::vector<std::string> names;
    if (scene.contains(list))
        for (const nlohmann::json& object : scene.at(list)) {
            const std::string name = object.value("name", "");
            if (fs::path(name).filename() == name)
                names.push_back(name);
        }
    return names;
}

RunNames names_in(const nlohmann::json& scene) {
    const SurfaceFiles files =
        surface_files(object_names(scene, "boundaries"), object_names(scene, "bodies"));
    RunNames names{scene.at("name").get<std::string>(), files.walls};
    names.surfaces.insert(names.surfaces.end(), files.bodies.begin(), files.bodies.end());
    return names;
}

/// Of the run that is in the folder; nothing where there is no run. A run writes scene.json first
/// and removes it last; a folder without stats.jsonl is one whose start was cut off, if it has the
/// folder that is made first and nothing foreign.
std::optional<RunNames> names_of_run(const RunFolder& folder) {
    try {
        if (!fs::exists(folder.stats())) {
            if (!fs::is_directory(folder.scene().parent_path() / "particles"))
                return {};
            for (const fs::directory_entry& entry :
                 fs::directory_iterator(folder.scene().parent_path())) {
                const std::string name = entry.path().filename().string();
                if (name != "scene.json" && name != "particles" && name != "checkpoints" &&
                    name != "meshes" && name != "surface" && name != "diffuse" &&
                    name != "surface.pvd" && name != "diffuse.pvd" && name != "particles.pvd" &&
                    name != "bodies.jsonl" && name != "probes.csv" && !name.starts_with("."))
                    return {};
            }
        }
        const auto scene = nlohmann::json::parse(read_file(folder.scene()));
        return scene.contains("millrace") ? names_in(scene) : std::optional<RunNames>();
    } catch (const std::exception&) {
        return {};
    }
}

constexpr const char* k_lock = "run";  ///< the file is called `.run.lock`

/// Nothing is in the folder but what a run leaves that was killed before its first file.
bool is_blank(const fs::path& root) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
        const std::string name = entry.path().filename().string();
        const bool is_lock = name == '.' + std::string(k_lock) + ".lock";
        const bool is_started = name == "particles" && fs::is_empty(entry.path(), error);
        if (!is_lock && !is_started)
            return false;
    }
    return true;
}

void remove_file(const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
    if (error)
        throw RunError(path.string() + ": cannot be removed: " + error.message());
}

}  // namespace

RunFolder::RunFolder(fs::path root, std::string name)
    : root_(std::move(root)), name_(std::move(name)) {}

std::string RunFolder::frame(std::int64_t number, const std::string& ending) const {
    return "particles/" + name_ + "_" + padded(number, 6) + "." + ending;
}

fs::path RunFolder::checkpoint(std::int64_t step) const {
    return root_ / "checkpoints" / (name_ + "_" + padded(step, 8) + ".h5");
}

FileLock RunFolder::lock() const {
    std::optional<FileLock> lock = FileLock::take(root_ / k_lock);
    if (!lock)
        throw InputError(root_.string() +
                         ": another run is writing to this folder; wait until it has ended, stop "
                         "it, or choose another --out");
    return std::move(*lock);
}

void RunFolder::check_free(bool overwrite) const {
    std::error_code error;
    if (!fs::exists(root_, error))
        return;
    const std::string place = root_.string() + ": ";
    if (!fs::is_directory(root_, error))
        throw InputError(place + "is a file, not a folder; choose another --out");
    if (is_blank(root_))
        return;
    if (!names_of_run(*this))
        throw InputError(place + "holds files that are not those of a run; choose another --out");
    if (!overwrite)
        throw InputError(place + "holds a run" +
                         (fs::exists(summary()) ? "" : " that has not ended") +
                         "; use --overwrite to replace it, --resume CHECKPOINT to go on with it, "
                         "or another --out");
}

void RunFolder::remove_run() const {
    const std::optional<RunNames> names = names_of_run(*this);
    if (!names)
        return;
    RunFolder(root_, names->scene).remove_after(k_all, k_all);
    for (const std::string& file : names->surfaces) {
        remove_file(meshes() / ('.' + file + ".tmp"));
        remove_file(meshes() / file);
    }
    for (const char* made : {"surface.pvd", "diffuse.pvd", "surface/settings.json",
                             "diffuse/settings.json", "render/settings.json"})
        remove_file(root_ / made);
    remove_file(root_ / "render" / (names->scene + ".mp4"));
    std::error_code ignored;  // where the user has put files of his own into these folders
    for (const char* folder :
         {"particles", "checkpoints", "meshes", "surface", "diffuse", "render"})
        fs::remove(root_ / folder, ignored);
    // the first file of a run last: until it is gone, this is a run
    for (const fs::path& file : {particles(), bodies(), probes(), stats(), scene()}) {
        const std::string name = file.filename().string();
        remove_file(root_ / ('.' + name + ".tmp"));
        remove_file(root_ / ('.' + name + ".swap.tmp"));
        remove_file(file);
    }
}

void RunFolder::remove_after(std::int64_t step, std::int64_t frames) const {
    remove_file(summary());
    for (const Numbered& file : numbered_files(root_ / "checkpoints", name_))
        if (file.number > step)
            remove_file(file.path);
    for (const char* folder : {"particles", "surface", "diffuse"})
        remove_numbered(root_ / folder, name_, frames);
    remove_numbered(root_ / "render", "frame", frames);
}

void RunFolder::remove_old_checkpoints() const {
    constexpr std::size_t k_kept = 2;
    const std::vector<Numbered> files = numbered_files(root_ / "checkpoints", name_);
    for (std::size_t i = 0; i + k_kept < files.size(); ++i)
        remove_file(files[i].path);
}

void remove_numbered(const fs::path& folder, const std::string& name, std::int64_t first,
                     std::int64_t last) {
    for (const Numbered& file : numbered_files(folder, name))
        if (file.number >= first && file.number <= last)
            remove_file(file.path);
}

std::string first_lines(const fs::path& path, std::int64_t count) {
    std::string text = read_file(path);
    std::size_t end = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::size_t line_end = text.find('\n', end);
        if (line_end == std::string::npos)
            throw InputError(path.string() + ": has " + std::to_string(i) +
                             " lines, fewer than the checkpoint needs (" + std::to_string(count) +
                             ")");
        end = line_end + 1;
    }
    text.resize(end);
    return text;
}

}  // namespace millrace
