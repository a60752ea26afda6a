#include "millrace/scene.hpp"

#include <nlohmann/json.hpp>

#include "files/whole_file.hpp"
#include "scene/mesh_files.hpp"
#include "scene/scene_json.hpp"
#include "scene/splishsplash.hpp"
#include "scene/text.hpp"

namespace millrace {

namespace {

/// Far more than anybody writes, and read in a moment.
constexpr std::uint64_t k_largest_scene_bytes = 100'000'000;

scene_file::Json parse_text(const std::string& text, const std::string& name) {
    scene_file::Json root;
    std::string message;
    if (scene_file::parse_json(text, root, message) != scene_file::ParseProblem::none) {
        scene_file::fail(name, "", message);
    }
    return root;
}

/// A scene of SPlisHSPlasH may give a key twice; the last one counts.
scene_file::Json parse_any_text(const std::string& text, const std::string& name,
                                std::vector<std::string>& warnings) {
    using namespace scene_file;
    Json root;
    std::string message;
    if (parse_json(text, root, message) == ParseProblem::duplicate_key) {
        const auto is_shallow = [](int depth, Json::parse_event_t, Json&) { return depth < 100; };
        Json lenient = Json::parse(text, is_shallow, false, true);
        if (is_splishsplash_scene(lenient)) {
            warnings.push_back(name + ": " + message + "; the last one counts");
            return lenient;
        }
    }
    return parse_text(text, name);
}

Scene read_with(scene_file::Json& root, const std::string& name,
                const std::vector<std::string>& overrides) {
    for (const std::string& text : overrides) {
        scene_file::apply_override(root, text, name);
    }
    return scene_file::read_scene(root, name);
}

}  // namespace

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides,
                 std::vector<std::string>* warnings) {
    using namespace scene_file;
    std::vector<std::string> unread;
    std::vector<std::string>& said = warnings ? *warnings : unread;
    Json root = parse_any_text(whole_file(path, k_largest_scene_bytes), path, said);
    std::string name = path;
    if (is_splishsplash_scene(root)) {
        root = write_scene(import_splishsplash(root, path, said));
        name += " (converted)";
    }
    Scene scene = read_with(root, name, overrides);
    find_mesh_files(scene, path);
    return scene;
}

Scene parse_scene(const std::string& json, const std::string& name,
                  const std::vector<std::string>& overrides) {
    scene_file::Json root = parse_text(json, name);
    return read_with(root, name, overrides);
}

void validate_scene(const Scene& scene, const std::string& name) {
    scene_file::check_struct(scene, name);
}

std::string scene_to_json(const Scene& scene) {
    return scene_file::json_text(scene_file::write_scene(scene));
}

}  // namespace millrace
