#include "files/whole_file.hpp"

#include <algorithm>
#include <cstdio>
#include <system_error>

#include "millrace/error.hpp"
#include "platform/file.hpp"
#include "platform/memory.hpp"

namespace millrace {
namespace {

/// What stands in the place of a file.
std::string text_of(platform::File::Kind kind) {
    if (kind == platform::File::Kind::folder)
        return std::make_error_code(std::errc::is_a_directory).message();
    if (kind == platform::File::Kind::pipe)
        return "it is a pipe, not a file; save its content as a file first";
    if (kind == platform::File::Kind::device)
        return "it is a device, not a file";
    return "it is not a file";
}

std::string gigabytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", static_cast<double>(bytes) / 1e9);
    return text;
}

/// A file, open to be read, and its size; or why it is not.
struct OpenFile {
    OpenFile(const std::filesystem::path& path, std::uint64_t most_bytes)
        : file(platform::File::open(path, platform::File::Use::read, error)) {
        if (error == std::errc::no_such_device_or_address)  // a socket, a device that is not there
            problem = text_of(platform::File::Kind::other);
        else if (error)
            problem = error.message();
        if (error)
            return;
        const platform::File::Status status = file.status(error);
        size = status.size;
        const std::uint64_t most = std::min(most_bytes, platform::physical_memory());
        if (error)
            problem = error.message();
        else if (status.kind != platform::File::Kind::regular)
            problem = text_of(status.kind);
        else if (size > most)
            problem = "it has " + gigabytes(size) + ", more than the " + gigabytes(most) +
                      " that are taken here; is it the right file?";
    }

    std::error_code error;
    platform::File file;
    std::uint64_t size = 0;
    std::string problem;
};

}  // namespace

std::string file_problem(const std::filesystem::path& path, std::uint64_t most_bytes) {
    return OpenFile(path, most_bytes).problem;
}

std::string whole_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
    const auto fail = [&](const std::string& reason) {
        throw InputError(path.string() + ": cannot be read: " + reason);
    };
    OpenFile open(path, most_bytes);
    if (!open.problem.empty())
        fail(open.problem);
    std::string bytes(static_cast<std::size_t>(open.size), '\0');
    std::size_t size = 0;
    while (size < bytes.size()) {
        const std::size_t got =
            open.file.read(bytes.data() + size, bytes.size() - size, open.error);
        if (open.error)
            fail(open.error.message());
        if (got == 0)
            break;  // the file became shorter meanwhile
        size += got;
    }
    bytes.resize(size);
    return bytes;
}

}  // namespace millrace
