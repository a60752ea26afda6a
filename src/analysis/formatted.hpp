#pragma once

#include <cstdio>
#include <string>

namespace millrace {

/// As printf writes it.
template <class... Values>
std::string formatted(const char* format, Values... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

}  // namespace millrace
