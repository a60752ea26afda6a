#include "passes/pass_settings.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "io/atomic_file.hpp"
#include "io/file_lock.hpp"
#include "io/run_folder.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr auto k_wait = std::chrono::milliseconds(100);

fs::path file_of(const fs::path& folder) {
    return folder / "settings.json";
}

void check_same(const fs::path& folder, const Settings& wanted, const Settings& found) {
    for (const auto& [key, value] : wanted) {
        const auto other = found.find(key);
        const std::string there = other == found.end() ? "none" : other->second;
        if (there != value)
            throw InputError(folder.string() + ": was made with " + key + " " + there + ", not " +
                             value + "; --overwrite makes it anew");
    }
}

}  // namespace

Settings read_settings(const fs::path& folder) {
    if (!fs::exists(file_of(folder)))
        return {};
    try {
        return nlohmann::json::parse(read_file(file_of(folder))).get<Settings>();
    } catch (const nlohmann::json::exception&) {
        throw InputError(file_of(folder).string() + ": damaged; --overwrite makes it anew");
    }
}

Settings agree_on_settings(const fs::path& folder, const Settings& settings,
                           const std::function<Settings()>& more) {
    make_folder(folder);
    Settings found;
    while ((found = read_settings(folder)).empty()) {
        const std::optional<FileLock> lock = FileLock::take(file_of(folder));
        if (!lock) {  // another is about to write them
            std::this_thread::sleep_for(k_wait);
        } else if (!fs::exists(file_of(folder))) {
            Settings all = settings;
            all.merge(more());
            write_file(file_of(folder), nlohmann::json(all).dump(2) + "\n");
        }
    }
    check_same(folder, settings, found);
    return found;
}

void remove_made(const fs::path& folder, const std::string& name, const Settings& settings,
                 int first, int last) {
    bool is_same = false;
    try {
        const Settings found = read_settings(folder);
        is_same = std::ranges::all_of(settings, [&](const auto& setting) {
            const auto other = found.find(setting.first);
            return other != found.end() && other->second == setting.second;
        });
    } catch (const InputError&) {
        // damaged: all goes
    }
    if (is_same) {
        remove_numbered(folder, name, first, last);
    } else {
        remove_numbered(folder, name, 0);
        fs::remove(file_of(folder));
    }
}

std::string setting_text(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

double setting_number(const Settings& settings, const std::string& key) {
    const auto found = settings.find(key);
    double value = 0;
    const char* end =
        found == settings.end() ? nullptr : found->second.data() + found->second.size();
    if (!end || std::from_chars(found->second.data(), end, value).ptr != end)
        throw InputError("settings.json: " + key +
                         ": a number is missing; --overwrite makes it anew");
    return value;
}

}  // namespace millrace
