#pragma once

#include <cstdio>
#include <string>

namespace millrace::test {

/// What a shell command prints (errors too) and its exit status.
struct ShellResult {
    int status = -1;
    std::string output;
};

inline ShellResult shell(const std::string& command) {
    ShellResult result;
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (!pipe)
        return result;
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
        result.output.append(buffer, got);
    result.status = ::pclose(pipe);
    return result;
}

inline bool has_program(const std::string& name) {
    return shell("command -v " + name).status == 0;
}

}  // namespace millrace::test
