#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "millrace/error.hpp"

// The ending of a file's name tells its format.
namespace millrace {

/// Without the dot: "vtu".
inline std::string ending_of(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    return ending.empty() ? ending : ending.substr(1);
}

inline bool is_one_of(const std::string& ending, const std::vector<std::string>& known) {
    return std::find(known.begin(), known.end(), ending) != known.end();
}

/// An InputError that lists the known endings for `what`.
[[noreturn]] inline void reject_ending(const std::filesystem::path& path, const std::string& what,
                                       const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& ending : known)
        list += (list.empty() ? "." : ", .") + ending;
    throw InputError(path.string() + ": the endings for " + what + " are " + list);
}

}  // namespace millrace
