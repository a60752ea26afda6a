#include "platform/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace millrace::platform {

bool is_terminal(std::FILE* stream) {
    return ::isatty(fileno(stream)) == 1;
}

int terminal_columns(std::FILE* stream) {
    winsize size{};
    return ::ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace millrace::platform
