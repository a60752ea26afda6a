#pragma once

#include <filesystem>
#include <optional>

#include "platform/file.hpp"

namespace millrace {

/// The right to make one file, among all processes and machines that share the folder: an
/// advisory lock on `.NAME.lock` beside it, which ends with its process however that ends. Where
/// the file system has no locks everybody gets the right: work may then be done twice, but files
/// still appear whole.
class FileLock {
  public:
    /// Nothing while another has the lock, in this process too. Throws RunError.
    static std::optional<FileLock> take(const std::filesystem::path& file);
    /// Waits until no other has it.
    static FileLock wait_for(const std::filesystem::path& file);
    ~FileLock();  ///< removes the lock file
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;

  private:
    FileLock(std::filesystem::path path, platform::File file);

    std::filesystem::path path_;  ///< empty: another object has the lock now
    platform::File file_;
};

}  // namespace millrace
