#include "files/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "millrace/error.hpp"

namespace millrace {
namespace {

/// An open file that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0)
            ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

/// What stands in the place of a file.
std::string kind_of(mode_t mode) {
    if (S_ISFIFO(mode))
        return "it is a pipe, not a file; save its content as a file first";
    if (S_ISCHR(mode) || S_ISBLK(mode))
        return "it is a device, not a file";
    return "it is not a file";
}

std::uint64_t machine_memory() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
               : UINT64_MAX;
}

std::string gigabytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", static_cast<double>(bytes) / 1e9);
    return text;
}

std::string reason_of(int error) {
    return std::generic_category().message(error);
}

/// A file, open to be read, and its size; or why it is not.
struct OpenFile {
    OpenFile(const std::filesystem::path& path, std::uint64_t most_bytes)
        // a pipe without a writer is opened, too, instead of waiting for one
        : file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        const int error = errno;
        struct stat status {};
        if (file.get() < 0)  // ENXIO: a socket, a device that is not there
            problem = error == ENXIO ? "it is not a file" : reason_of(error);
        else if (::fstat(file.get(), &status) != 0)
            problem = reason_of(errno);
        else if (S_ISDIR(status.st_mode))
            problem = reason_of(EISDIR);
        else if (!S_ISREG(status.st_mode))
            problem = kind_of(status.st_mode);
        size = static_cast<std::uint64_t>(status.st_size);
        const std::uint64_t most = std::min(most_bytes, machine_memory());
        if (problem.empty() && size > most)
            problem = "it has " + gigabytes(size) + ", more than the " + gigabytes(most) +
                      " that are taken here; is it the right file?";
    }

    Descriptor file;
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
    const OpenFile open(path, most_bytes);
    if (!open.problem.empty())
        fail(open.problem);
    std::string bytes(static_cast<std::size_t>(open.size), '\0');
    std::size_t size = 0;
    while (size < bytes.size()) {
        const ssize_t got = ::read(open.file.get(), bytes.data() + size, bytes.size() - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(reason_of(errno));
        if (got == 0)
            break;  // the file became shorter meanwhile
        size += static_cast<std::size_t>(got);
    }
    bytes.resize(size);
    return bytes;
}

}  // namespace millrace
