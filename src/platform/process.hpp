#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace millrace::platform {

/// Another program that this one has started; words[0] is its name, looked for where programs lie,
/// the others are its arguments. std::errc::no_such_file_or_directory means that there is none.
/// The program ends with this object at the latest.
class Process {
  public:
    Process() = default;
    ~Process() { kill(); }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// Descriptors that become its input (-1: ours) and its output and messages.
    std::error_code start(std::vector<std::string> words, int input, int output);
    void ask_to_end();          ///< it may still tidy up
    void kill();                ///< ends it at once
    std::optional<int> wait();  ///< its exit code; nothing where it was ended, or has not begun

  private:
    int id_ = -1;
};

/// A program that gets its input from this one; what it prints is kept.
class FedProcess {
  public:
    FedProcess(std::vector<std::string> words, std::error_code& error);
    ~FedProcess();
    FedProcess(const FedProcess&) = delete;
    FedProcess& operator=(const FedProcess&) = delete;

    bool write(std::string_view bytes);       ///< false where it takes no more
    std::optional<int> wait();                ///< ends its input and waits; its exit code
    std::optional<std::string> first_line();  ///< of what it printed

  private:
    Process process_;
    std::FILE* printed_ = nullptr;
    int input_ = -1;
};

/// A program of which all that it prints is read line by line.
class ReadProcess {
  public:
    ReadProcess(std::vector<std::string> words, std::error_code& error);
    ~ReadProcess();
    ReadProcess(const ReadProcess&) = delete;
    ReadProcess& operator=(const ReadProcess&) = delete;

    enum class Next { line, nothing_yet, end };
    /// The next line, for which it waits 0.2 s at the most. What follows the last one's end is
    /// dropped.
    Next next_line(std::string& line);
    void ask_to_end() { process_.ask_to_end(); }
    std::optional<int> wait() { return process_.wait(); }

  private:
    Process process_;
    int output_ = -1;
    std::string text_;
};

}  // namespace millrace::platform
