#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace millrace::platform {

/// An open file, which closes itself. What fails is told by the error code.
class File {
  public:
    enum class Use {
        read,     ///< does not wait for a writer at the other end of a pipe
        replace,  ///< written from its start, without what was in it
        append,   ///< written at its end
        lock,     ///< neither read nor written
    };
    enum class Kind { regular, folder, pipe, device, other };
    enum class Lock {
        taken,
        busy,         ///< another holds it, of this process or another
        unsupported,  ///< the file system has no locks
    };

    /// Makes the file where it is missing, unless it is to be read.
    static File open(const std::filesystem::path& path, Use use, std::error_code& error);
    ~File();
    File(File&& other) noexcept;
    File& operator=(File&&) = delete;

    struct Status {
        Kind kind = Kind::other;
        std::uint64_t size = 0;  ///< [bytes]
    };
    Status status(std::error_code& error) const;

    /// Some of the next bytes, at most `bytes`; 0 at the end.
    std::size_t read(char* to, std::size_t bytes, std::error_code& error);
    void write(std::string_view bytes, std::error_code& error);  ///< all of them
    void sync(std::error_code& error);   ///< waits until what was written is on the disk
    void close(std::error_code& error);  ///< tells what a write has left to go wrong

    /// A lock of the open file and not of the process: two threads exclude each other too. It ends
    /// with the file, or with the process however that ends.
    Lock try_lock();
    /// Whether the path still leads to this file: its last owner may have removed it.
    bool is_at(const std::filesystem::path& path) const;

  private:
    explicit File(int descriptor) : descriptor_(descriptor) {}

    int descriptor_;
};

}  // namespace millrace::platform
