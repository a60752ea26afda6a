#pragma once

#include <span>
#include <string>
#include <string_view>

// The words of messages.
namespace millrace::scene_file {

/// Throws InputError "file: place: problem" in one line, long parts cut; `place` may be
/// empty.
[[noreturn]] void fail(std::string_view file, std::string_view place, std::string_view problem);

/// "fluids[0]" and "density" give "fluids[0].density".
std::string join_path(std::string_view parent, std::string_view key);

/// "fluids" and 2 give "fluids[2]".
std::string entry(std::string_view list, std::size_t i);

/// The shortest text that reads back as the same number: 0.1, -3, 1e+30.
std::string number_text(double x);

/// The text in single quotes, cut where it is long.
std::string in_quotes(std::string_view text);

/// "a, b, c".
std::string list_text(std::span<const std::string_view> words);

/// The word that `typed` most likely stands for; empty if none is near.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> words);

}  // namespace millrace::scene_file
