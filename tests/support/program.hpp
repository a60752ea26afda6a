#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "support/paths.hpp"

// The built command-line tool, as another process.
namespace millrace::test {

inline const std::string k_program = millrace::in_build("bin/millrace");

/// A running `millrace ARGUMENTS` in a folder; its output goes to the files `stdout` and `stderr`.
class Program {
  public:
    Program(const std::filesystem::path& folder, std::vector<std::string> arguments)
        : folder_(folder), id_(fork()) {
        if (id_ != 0)
            return;
        arguments.insert(arguments.begin(), k_program);
        std::vector<char*> words;
        for (std::string& argument : arguments)
            words.push_back(argument.data());
        words.push_back(nullptr);
        setenv("OMP_NUM_THREADS", "1", 1);
        if (chdir(folder.c_str()) == 0 && redirect("stdout", 1) && redirect("stderr", 2))
            execv(k_program.c_str(), words.data());
        _exit(127);
    }
    ~Program() {
        if (id_ > 0) {
            send(SIGKILL);
            wait();
        }
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void send(int signal) const { kill(id_, signal); }

    /// Waits for the end; the exit code, or minus the signal that ended it.
    int wait() {
        int status = 0;
        waitpid(id_, &status, 0);
        id_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

    std::string output() const { return read_file(folder_ / "stdout"); }
    std::string errors() const { return read_file(folder_ / "stderr"); }

  private:
    static bool redirect(const char* file, int to) {
        const int from = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        return from >= 0 && dup2(from, to) == to;
    }

    std::filesystem::path folder_;
    pid_t id_;
};

}  // namespace millrace::test
