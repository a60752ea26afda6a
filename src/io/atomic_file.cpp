#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "files/whole_file.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
    return std::generic_category().message(error);
}

/// A POSIX file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }
    bool close() {
        const int fd = fd_;
        fd_ = -1;
        return fd < 0 || ::close(fd) == 0;
    }

  private:
    int fd_;
};

/// Opens `file` with one more flag and writes all the bytes; `path` stands in messages.
void write_to(const fs::path& file, int flag, std::string_view bytes, bool sync,
              const fs::path& path) {
    const auto fail = [&](int error) {
        throw RunError(path.string() + ": cannot be written: " + reason(error));
    };
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0666));
    if (out.get() < 0)
        fail(errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(out.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail(errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (sync && ::fsync(out.get()) != 0)
        fail(errno);
    if (!out.close())
        fail(errno);
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
    write_to(pending.temporary(), O_TRUNC, bytes, sync, path);
    pending.commit();
}

void append_to_file(const fs::path& file, std::string_view bytes, const fs::path& path) {
    write_to(file, O_APPEND, bytes, false, path);
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
