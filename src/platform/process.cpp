#include "platform/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

extern char** environ;

namespace millrace::platform {

namespace {

constexpr int k_wait = 200;  // [ms]

std::error_code error_of(int number) {
    return {number, std::generic_category()};
}

}  // namespace

std::error_code Process::start(std::vector<std::string> words, int input, int output) {
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (input >= 0)
        posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    pid_t id = -1;
    const int error = posix_spawnp(&id, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    id_ = error == 0 ? id : -1;
    return error_of(error);
}

void Process::ask_to_end() {
    if (id_ > 0)
        ::kill(id_, SIGTERM);
}

void Process::kill() {
    if (id_ > 0)
        ::kill(id_, SIGKILL);
    wait();
}

std::optional<int> Process::wait() {
    if (id_ <= 0)
        return {};
    int status = -1;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

FedProcess::FedProcess(std::vector<std::string> words, std::error_code& error) {
    // a socket and not a pipe: a write after the program's end is no signal, but an error
    int ends[2];
    printed_ = std::tmpfile();
    if (!printed_ || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        error = error_of(errno);
        return;
    }
    input_ = ends[0];
    error = process_.start(std::move(words), ends[1], fileno(printed_));
    ::close(ends[1]);
}

FedProcess::~FedProcess() {
    process_.kill();
    if (input_ >= 0)
        ::close(input_);
    if (printed_)
        std::fclose(printed_);
}

bool FedProcess::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::optional<int> FedProcess::wait() {
    if (input_ >= 0)
        ::close(std::exchange(input_, -1));
    return process_.wait();
}

std::optional<std::string> FedProcess::first_line() {
    char line[500];
    std::rewind(printed_);
    if (!std::fgets(line, sizeof line, printed_))
        return {};
    return std::string(line, std::strcspn(line, "\r\n"));
}

ReadProcess::ReadProcess(std::vector<std::string> words, std::error_code& error) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        error = error_of(errno);
        return;
    }
    output_ = ends[0];
    error = process_.start(std::move(words), -1, ends[1]);
    ::close(ends[1]);
}

ReadProcess::~ReadProcess() {
    process_.kill();
    if (output_ >= 0)
        ::close(output_);
}

ReadProcess::Next ReadProcess::next_line(std::string& line) {
    for (;;) {
        if (const std::size_t end = text_.find('\n'); end != std::string::npos) {
            line = text_.substr(0, end);
            text_.erase(0, end + 1);
            return Next::line;
        }
        pollfd ready{output_, POLLIN, 0};
        if (::poll(&ready, 1, k_wait) <= 0)
            return Next::nothing_yet;
        char part[4096];
        const ssize_t got = ::read(output_, part, sizeof part);
        if (got <= 0)
            return Next::end;
        text_.append(part, static_cast<std::size_t>(got));
    }
}

}  // namespace millrace::platform
