#include "io/atomic_file.hpp"

#include <string>
#include <system_error>

#include "files/whole_file.hpp"
#include "millrace/error.hpp"
#include "platform/file.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

/// Opens `file` and writes all the bytes; `path` stands in messages.
void write_to(const fs::path& file, platform::File::Use use, std::string_view bytes, bool sync,
              const fs::path& path) {
    std::error_code error;
    const auto check = [&] {
        if (error)
            throw RunError(path.string() + ": cannot be written: " + error.message());
    };
    platform::File out = platform::File::open(file, use, error);
    check();
    out.write(bytes, error);
    check();
    if (sync)
        out.sync(error);
    check();
    out.close(error);
    check();
}

}  // namespace

PendingFile::PendingFile(fs::path path)
    : path_(std::move(path)),
      temporary_((path_.parent_path() / ".") += path_.filename().string() + ".tmp") {}

PendingFile::~PendingFile() {
    if (pending_) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
    }
}

void PendingFile::commit() {
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error)
        throw RunError(path_.string() + ": cannot be written: " + error.message());
    pending_ = false;
}

void write_file(const fs::path& path, std::string_view bytes, bool sync) {
    PendingFile pending(path);
    write_to(pending.temporary(), platform::File::Use::replace, bytes, sync, path);
    pending.commit();
}

void append_to_file(const fs::path& file, std::string_view bytes, const fs::path& path) {
    write_to(file, platform::File::Use::append, bytes, false, path);
}

std::string read_file(const fs::path& path) {
    return whole_file(path);
}

void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw RunError(path.string() + ": the folder cannot be made: " + error.message());
}

}  // namespace millrace
