#pragma once

#include <string>
#include <string_view>

// Names become parts of file names, CSV columns and XML attributes.
namespace millrace::scene_file {

inline constexpr std::size_t k_longest_name = 100;

/// Besides control characters; a name does not start with a dot either.
inline constexpr std::string_view k_not_in_names = "/\\:*?\"<>|,&";

/// What is wrong with a name, such as "must not be empty"; empty if nothing.
std::string name_problem(std::string_view name);

/// The same for the path of a file.
std::string path_problem(std::string_view path);

}  // namespace millrace::scene_file
