#include "io/file_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "millrace/error.hpp"

namespace millrace {

namespace {

enum class Answer { yes, no, no_locks };

/// A lock of the open file and not of the process: two threads exclude each other too. Network file
/// systems pass it on as they do those of POSIX.
Answer lock(int descriptor) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    while (::fcntl(descriptor, F_OFD_SETLK, &whole) != 0) {
        if (errno == EINTR)
            continue;
        return errno == EAGAIN || errno == EACCES ? Answer::no : Answer::no_locks;
    }
    return Answer::yes;
}

/// Whether the path still leads to the open file: its last owner may just have removed it.
bool is_same(int descriptor, const std::filesystem::path& path) {
    struct stat open_file {
    }, named{};
    return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& file) {
    const std::filesystem::path path =
        file.parent_path() / ('.' + file.filename().string() + ".lock");
    for (;;) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0)
            throw RunError(path.string() + ": cannot be written: " + std::strerror(errno));
        const Answer answer = lock(descriptor);
        if (answer == Answer::no) {
            ::close(descriptor);
            return {};
        }
        if (answer == Answer::no_locks || is_same(descriptor, path))
            return FileLock(path, descriptor);
        ::close(descriptor);
    }
}

FileLock FileLock::wait_for(const std::filesystem::path& file) {
    constexpr auto k_wait = std::chrono::milliseconds(20);
    for (;;) {
        if (std::optional<FileLock> lock = take(file))
            return std::move(*lock);
        std::this_thread::sleep_for(k_wait);
    }
}

FileLock::FileLock(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
    if (descriptor_ < 0)
        return;
    ::unlink(path_.c_str());  // first, so that nobody locks what is about to go
    ::close(descriptor_);
}

}  // namespace millrace
