#include "scene/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <vector>

#include "millrace/error.hpp"

namespace millrace::scene_file {

namespace {

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) {
        return std::string(text);
    }
    while (longest > 0 && (text[longest] & 0xc0) == 0x80) {
        --longest;  // a UTF-8 character is kept whole
    }
    return std::string(text.substr(0, longest)) + "...";
}

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b, letter case
/// aside (Damerau 1964, Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) ==
               std::tolower(static_cast<unsigned char>(y));
    };
    std::vector<std::size_t> before_last;
    std::vector<std::size_t> last(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        before_last = std::move(last);
        last = std::move(row);
    }
    return last.back();
}

}  // namespace

void fail(std::string_view file, std::string_view place, std::string_view problem) {
    std::string line(file);
    line += ": ";
    if (!place.empty()) {
        line += shortened(place, 200) + ": ";
    }
    line += shortened(problem, 1000);
    std::replace_if(line.begin(), line.end(), is_control, ' ');
    throw InputError(line);
}

std::string join_path(std::string_view parent, std::string_view key) {
    return parent.empty() ? std::string(key) : std::string(parent) + "." + std::string(key);
}

std::string entry(std::string_view list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
}

std::string number_text(double x) {
    char text[32];
    const auto result = std::to_chars(text, text + sizeof text, x);
    return std::string(text, result.ptr);
}

std::string in_quotes(std::string_view text) {
    return std::string("'").append(shortened(text, 60)).append("'");
}

std::string list_text(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        text += text.empty() ? "" : ", ";
        text += word;
    }
    return text;
}

std::string_view nearest(std::string_view typed, std::span<const std::string_view> words) {
    std::string_view best;
    std::size_t best_distance = std::clamp<std::size_t>(typed.size() / 2, 1, 3) + 1;
    for (const std::string_view word : words) {
        if (typed.size() > 2 * word.size() + 3) {
            continue;  // far away, and perhaps very long
        }
        const std::size_t distance = edit_distance(typed, word);
        if (distance < best_distance && distance < word.size()) {
            best = word;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace millrace::scene_file
