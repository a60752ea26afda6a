#pragma once

#include <filesystem>
#include <optional>

namespace millrace {

/// The right to make one file, among all processes and machines that share the folder: an
/// advisory lock on `.NAME.lock` beside it, which ends with its process however that ends. Where
/// the file system has no locks everybody gets the right: work may then be done twice, but files
/// still appear whole.
class FrameLock {
  public:
    /// Nothing while another has the lock, in this process too. Throws RunError.
    static std::optional<FrameLock> take(const std::filesystem::path& file);
    ~FrameLock();  ///< removes the lock file
    FrameLock(FrameLock&& other) noexcept;
    FrameLock& operator=(FrameLock&&) = delete;

  private:
    FrameLock(std::filesystem::path path, int descriptor);

    std::filesystem::path path_;
    int descriptor_;
};

}  // namespace millrace
