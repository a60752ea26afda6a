#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace millrace {

/// Tells how far a long job is: a bar that redraws itself on a terminal, a plain line every few
/// seconds otherwise.
class Progress {
  public:
    /// Prints to `stream`; nothing at all when `quiet`. `done` was there before: the time left
    /// follows from what has been done since.
    explicit Progress(bool quiet = false, std::FILE* stream = stdout, double done = 0);
    ~Progress();  ///< takes the bar off the terminal
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `fraction` done from 0 to 1 and what to say about it, e.g. "frame 12 of 90". May be called
    /// as often as one likes.
    void update(double fraction, const std::string& text);

  private:
    using Clock = std::chrono::steady_clock;

    std::FILE* stream_;
    bool quiet_;
    bool terminal_;
    bool bar_shown_ = false;
    double done_before_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
};

/// A time in seconds for people: "7 s", "3:05", "1:02:03".
std::string duration_text(double seconds);

}  // namespace millrace
