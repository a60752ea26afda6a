#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace millrace {

/// What the files of a folder were made with, and of which run: `settings.json` in it. Frames made
/// with other settings, or of another run, must not stand beside each other.
using Settings = std::map<std::string, std::string>;

/// The folder gets these settings, or has them already; whoever comes first, of several processes,
/// adds what `more` gives (it may take long), and all get the same. Throws InputError that names
/// the first difference where the folder has others.
Settings agree_on_settings(
    const std::filesystem::path& folder, const Settings& settings,
    const std::function<Settings()>& more = [] { return Settings(); });

/// Before frames are made anew: removes the files NAME_000012.* of the frames `first` to `last`, of
/// all frames where the folder has other settings; throws RunError.
void remove_made(const std::filesystem::path& folder, const std::string& name,
                 const Settings& settings, int first, int last);

/// Empty without the file; throws InputError where it is damaged.
Settings read_settings(const std::filesystem::path& folder);

/// The shortest text that reads back as the same number, and back.
std::string setting_text(double value);
double setting_number(const Settings& settings, const std::string& key);

}  // namespace millrace
