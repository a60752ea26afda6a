#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace millrace {

/// A file of lines that grows, such as stats.jsonl, and is whole at every moment: a program killed
/// in the middle of an append (the kernel may then cut a write short), or a full disk, leaves the
/// lines of the last flush, never a part of a line.
///
/// There are two files: the one with the name and a hidden spare one, `.NAME.tmp`, which lacks the
/// last flush. A flush brings the spare one up to date and swaps the names of the two. Each line is
/// thus written twice, whatever the length of the file. The named file is another one after every
/// flush: follow it by `tail -F`, not `-f`.
class GrowingFile {
  public:
    /// Makes the file, with `content`; replaces one that is there. Throws RunError, as flush().
    explicit GrowingFile(std::filesystem::path path, std::string content = "");
    ~GrowingFile();  ///< drops what was not flushed, and the spare file
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    /// Takes whole lines; they are in the file after the next flush().
    void append(std::string_view lines) { pending_ += lines; }
    void flush();

  private:
    std::filesystem::path path_, spare_, swap_;
    std::string missing_;  ///< what the spare file lacks
    std::string pending_;
};

}  // namespace millrace
