#include "io/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

constexpr double k_bar_interval = 0.1, k_line_interval = 3;  // [s]
constexpr int k_bar_width = 30;

}  // namespace

Progress::Progress(bool quiet, std::FILE* stream)
    : stream_(stream), quiet_(quiet), terminal_(isatty(fileno(stream)) == 1) {}

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
    std::string left;
    if (fraction > 0)
        left = ", " + duration_text(spent / fraction * (1 - fraction)) + " left";
    const int percent = static_cast<int>(100 * fraction);
    if (terminal_) {
        const int filled = static_cast<int>(std::lround(k_bar_width * fraction));
        const std::string bar = std::string(filled, '#') + std::string(k_bar_width - filled, '-');
        std::fprintf(stream_, "\r[%s] %3d %%  %s%s\033[K", bar.c_str(), percent, text.c_str(),
                     left.c_str());
        bar_shown_ = true;
    } else {
        std::fprintf(stream_, "%3d %%  %s%s\n", percent, text.c_str(), left.c_str());
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
