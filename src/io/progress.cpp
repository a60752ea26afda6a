#include "io/progress.hpp"

#include <algorithm>
#include <cmath>

#include "platform/terminal.hpp"

namespace millrace {
namespace {

constexpr double k_bar_interval = 0.1, k_line_interval = 3;  // [s]
constexpr int k_bar_width = 30;

}  // namespace

Progress::Progress(bool quiet, std::FILE* stream, double done)
    : stream_(stream),
      quiet_(quiet),
      terminal_(platform::is_terminal(stream)),
      done_before_(done) {}

Progress::~Progress() {
    if (bar_shown_) {
        std::fputs("\r\033[K", stream_);
        std::fflush(stream_);
    }
}

void Progress::update(double fraction, const std::string& text) {
    const Clock::time_point now = Clock::now();
    const double interval = terminal_ ? k_bar_interval : k_line_interval;
    if (quiet_ || std::chrono::duration<double>(now - last_).count() < interval)
        return;
    last_ = now;
    fraction = std::clamp(fraction, 0.0, 1.0);
    const double spent = std::chrono::duration<double>(now - start_).count();
    char percent[16];
    std::snprintf(percent, sizeof percent, "%3d %%  ", static_cast<int>(100 * fraction));
    std::string line = percent + text;
    if (fraction > done_before_)
        line += ", " + duration_text(spent / (fraction - done_before_) * (1 - fraction)) + " left";
    if (terminal_) {
        // a line that wraps cannot be redrawn
        const int columns = platform::terminal_columns(stream_) - 1;
        const int width = std::clamp(columns - static_cast<int>(line.size()) - 3, 0, k_bar_width);
        const int filled = static_cast<int>(std::lround(width * fraction));
        if (width > 0)
            line = '[' + std::string(filled, '#') + std::string(width - filled, '-') + "] " + line;
        line.resize(std::min(line.size(), static_cast<std::size_t>(columns)));
        std::fprintf(stream_, "\r%s\033[K", line.c_str());
        bar_shown_ = true;
    } else {
        std::fprintf(stream_, "%s\n", line.c_str());
    }
    std::fflush(stream_);
}

std::string duration_text(double seconds) {
    const auto s = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, 1e9)));
    char text[64];
    if (s < 60)
        std::snprintf(text, sizeof text, "%lld s", s);
    else if (s < 3600)
        std::snprintf(text, sizeof text, "%lld:%02lld", s / 60, s % 60);
    else
        std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    return text;
}

}  // namespace millrace
