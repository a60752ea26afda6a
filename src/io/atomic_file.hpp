#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace millrace {

/// A file in the making: it is filled under a hidden temporary name beside its final one and takes
/// that name in one step, so that a reader sees the old file or the whole new one, never a part.
/// Without commit() the temporary file is removed.
class PendingFile {
  public:
    explicit PendingFile(std::filesystem::path path);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    /// Where to write until commit(): `.NAME.tmp` in the folder of the file.
    const std::filesystem::path& temporary() const { return temporary_; }

    /// Gives the file its name, replacing one that is there; throws RunError.
    void commit();

  private:
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    bool pending_ = true;
};

/// Writes the whole file at once through a PendingFile; throws RunError with the path and the
/// reason. `sync` waits until the bytes are on the disk before the rename (for checkpoints: slow).
void write_file(const std::filesystem::path& path, std::string_view bytes, bool sync = false);

/// Appends to `file`, which is made where it is missing; throws RunError as write_file does, with
/// `path` as the name. What was written before an error stays: GrowingFile is the way to whole
/// files.
void append_to_file(const std::filesystem::path& file, std::string_view bytes,
                    const std::filesystem::path& path);

/// The whole file; throws InputError when it is missing or cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Makes the folder and its parents where they are missing; throws RunError.
void make_folder(const std::filesystem::path& path);

}  // namespace millrace
