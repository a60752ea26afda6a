#include "platform/signals.hpp"

#include <csignal>

namespace millrace::platform {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void catch_signal(int signal) {
    caught = signal;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
}

}  // namespace

void catch_signals() {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like a full disk
    std::signal(SIGINT, catch_signal);
    std::signal(SIGTERM, catch_signal);
    std::signal(SIGHUP, catch_signal);
}

int caught_signal() {
    return caught;
}

}  // namespace millrace::platform
