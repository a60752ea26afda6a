#include "platform/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace millrace::platform {

namespace {

std::error_code last_error() {
    return {errno, std::generic_category()};
}

int flags_of(File::Use use) {
    switch (use) {
        case File::Use::read:
            return O_RDONLY | O_NONBLOCK;
        case File::Use::replace:
            return O_WRONLY | O_CREAT | O_TRUNC;
        case File::Use::append:
            return O_WRONLY | O_CREAT | O_APPEND;
        case File::Use::lock:
            break;
    }
    return O_RDWR | O_CREAT;
}

File::Kind kind_of(mode_t mode) {
    if (S_ISREG(mode))
        return File::Kind::regular;
    if (S_ISDIR(mode))
        return File::Kind::folder;
    if (S_ISFIFO(mode))
        return File::Kind::pipe;
    return S_ISCHR(mode) || S_ISBLK(mode) ? File::Kind::device : File::Kind::other;
}

}  // namespace

File File::open(const std::filesystem::path& path, Use use, std::error_code& error) {
    File file(::open(path.c_str(), flags_of(use) | O_CLOEXEC, 0666));
    error = file.descriptor_ < 0 ? last_error() : std::error_code();
    return file;
}

File::~File() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

File::Status File::status(std::error_code& error) const {
    struct stat status {};
    error = ::fstat(descriptor_, &status) != 0 ? last_error() : std::error_code();
    return {kind_of(status.st_mode), static_cast<std::uint64_t>(status.st_size)};
}

std::size_t File::read(char* to, std::size_t bytes, std::error_code& error) {
    error.clear();
    for (;;) {
        const ssize_t got = ::read(descriptor_, to, bytes);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno == EINTR)
            continue;
        error = last_error();
        return 0;
    }
}

void File::write(std::string_view bytes, std::error_code& error) {
    error.clear();
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            error = last_error();
            return;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void File::sync(std::error_code& error) {
    error = ::fsync(descriptor_) != 0 ? last_error() : std::error_code();
}

void File::close(std::error_code& error) {
    error = ::close(std::exchange(descriptor_, -1)) != 0 ? last_error() : std::error_code();
}

File::Lock File::try_lock() {
    // network file systems pass it on as they do the locks of processes
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    while (::fcntl(descriptor_, F_OFD_SETLK, &whole) != 0) {
        if (errno == EINTR)
            continue;
        return errno == EAGAIN || errno == EACCES ? Lock::busy : Lock::unsupported;
    }
    return Lock::taken;
}

bool File::is_at(const std::filesystem::path& path) const {
    struct stat open_file {
    }, named{};
    return ::fstat(descriptor_, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

}  // namespace millrace::platform
