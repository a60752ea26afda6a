#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "io/atomic_file.hpp"
#include "load.hpp"
#include "millrace/error.hpp"
#include "scene/mesh_files.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
    std::string in, out;
    std::vector<std::string> settings;
    bool overwrite = false;
};

void convert(const ConvertArguments& arguments) {
    Scene scene = load_scene_aloud(arguments.in, arguments.settings);
    if (fs::exists(arguments.out) && !arguments.overwrite)
        throw InputError(arguments.out + ": is there already; --overwrite replaces it");
    const fs::path folder = fs::absolute(arguments.out).lexically_normal().parent_path();
    scene_file::for_each_mesh_file(scene, [&](std::string& file, const std::string&) {
        const fs::path from_here = fs::path(file).lexically_relative(folder);
        if (!from_here.empty())
            file = from_here.string();
    });
    write_file(arguments.out, scene_to_json(scene));
}

}  // namespace

void add_convert_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "convert", "Write a scene of SPlisHSPlasH as a native one, every default written out");
    auto arguments = std::make_shared<ConvertArguments>();
    command->add_option("IN", arguments->in, "Scene file")->required();
    command->add_option("OUT", arguments->out, "File to write")->required();
    command
        ->add_option("--set", arguments->settings,
                     "Another value for a key of the native scene, key.path=value; may be repeated")
        ->allow_extra_args(false);
    command->add_flag("--overwrite", arguments->overwrite, "Replace the file");
    command->callback([arguments] { convert(*arguments); });
}

}  // namespace millrace
