#include "io/file_lock.hpp"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "millrace/error.hpp"

namespace millrace {

std::optional<FileLock> FileLock::take(const std::filesystem::path& file) {
    const std::filesystem::path path =
        file.parent_path() / ('.' + file.filename().string() + ".lock");
    for (;;) {
        std::error_code error;
        platform::File lock_file = platform::File::open(path, platform::File::Use::lock, error);
        if (error)
            throw RunError(path.string() + ": cannot be written: " + error.message());
        const platform::File::Lock answer = lock_file.try_lock();
        if (answer == platform::File::Lock::busy)
            return {};
        // its last owner may just have removed it
        if (answer == platform::File::Lock::unsupported || lock_file.is_at(path))
            return FileLock(path, std::move(lock_file));
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

FileLock::FileLock(std::filesystem::path path, platform::File file)
    : path_(std::move(path)), file_(std::move(file)) {}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

FileLock::~FileLock() {
    std::error_code ignored;
    if (!path_.empty())  // before the file closes, so that nobody locks what is about to go
        std::filesystem::remove(path_, ignored);
}

}  // namespace millrace
