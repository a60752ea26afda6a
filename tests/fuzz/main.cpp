// Reads damaged files for a while. A crash, a report of a sanitizer, an exception that is no
// message to the user, a hang and an absurd demand for memory are failures: the file that caused
// one is kept, with the command that repeats it.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <map>
#include <new>
#include <thread>

#include "exec/host_threads.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/readers.hpp"
#include "io/atomic_file.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
extern "C" const char* __asan_default_options();
extern "C" const char* __lsan_default_options();
// memory beyond this, at once or in all, is a failure; so is every leak
const char* __asan_default_options() {
    return "max_allocation_size_mb=1000:hard_rss_limit_mb=3000:allocator_may_return_null=0";
}
const char* __lsan_default_options() {
    return "print_suppressions=0";
}
#endif

namespace millrace::fuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr rlim_t k_most_memory = rlim_t{2} << 30;  // without a sanitizer, which takes far more
constexpr int k_most_failures = 10;
constexpr double k_patience = 12;  // of the clock, in `longest`: a busy machine keeps one waiting

struct Options {
    double seconds = 0;  ///< 0: no limit
    std::uint64_t inputs = UINT64_MAX;
    std::uint64_t seed = 1;
    double longest = 10;  ///< time of the processor for one input [s]
    fs::path corpus = millrace::in_sources("tests/fuzz/corpus");
    fs::path out = "fuzz_failures";
    std::string only;         ///< one kind of input
    std::string kind, input;  ///< a file to read once
};

struct File {
    std::string kind, ending, bytes;
};

struct Corpus {
    std::vector<File> files;
    std::map<std::string, std::vector<std::string>> bytes_by_kind;
};

Corpus read_corpus(const Options& options) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(options.corpus))
        if (entry.is_regular_file() && entry.path().extension() != ".bin")  // of a glTF file
            paths.push_back(entry.path());
    std::ranges::sort(paths);  // the same order everywhere
    Corpus corpus;
    for (const fs::path& path : paths) {
        const std::string kind = path.parent_path().filename().string();
        if (!options.only.empty() && kind != options.only)
            continue;
        corpus.files.push_back({kind, path.extension().string(), read_file(path)});
        corpus.bytes_by_kind[kind].push_back(corpus.files.back().bytes);
    }
    return corpus;
}

/// Input `number`: the same for the same seed and corpus. The first ones are the corpus itself.
File make_input(const Corpus& corpus, std::uint64_t seed, std::uint64_t number) {
    if (number < corpus.files.size())
        return corpus.files[number];
    Random random(seed * 0x9e3779b97f4a7c15 + number);
    File file = corpus.files[random() % corpus.files.size()];
    file.bytes = mutated(file.bytes, corpus.bytes_by_kind.at(file.kind), random);
    return file;
}

/// What the two processes share.
struct Shared {
    std::atomic<std::uint64_t> number;  ///< of the input that is read
    std::atomic<Clock::rep> started;    ///< when it was
    std::atomic<double> cpu_seconds;    ///< what the process had used before it
    std::atomic<std::uint64_t> taken;   ///< how many were read without an error
};

double cpu_seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void limit_memory() {
#ifndef __SANITIZE_ADDRESS__
    const rlimit limit{k_most_memory, k_most_memory};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

/// Reads one input, and counts those that are taken; false after an exception that should not be.
bool read_one(const std::string& kind, const fs::path& file, std::atomic<std::uint64_t>& taken) {
    try {
        taken += read_input(kind, file);
        return true;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "an absurd demand for memory\n");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "not a message to the user: %s\n", e.what());
    }
    return false;
}

/// Reads inputs from `first` on until the time is up, in a process of its own.
int work(const Options& options, const Corpus& corpus, std::uint64_t first, Clock::time_point end,
         Shared& shared) {
    limit_memory();
    set_host_threads(1);
    const test::TemporaryFolder folder;
    fs::copy(options.corpus, folder.path(), fs::copy_options::recursive);
    for (std::uint64_t number = first; number < options.inputs; ++number) {
        shared.started = Clock::now().time_since_epoch().count();
        shared.cpu_seconds = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
        shared.number = number;
        if (Clock::now() > end)
            break;
        const std::uint64_t taken = shared.taken;
        const File input = make_input(corpus, options.seed, number);
        const fs::path path = folder / input.kind / ("input" + input.ending);
        fs::remove(path);  // many times faster than to replace it
        write_file(path, input.bytes);
        if (!read_one(input.kind, path, shared.taken))
            return 1;
        if (number < corpus.files.size() && shared.taken == taken) {
            std::fprintf(stderr, "a file of the corpus is refused: bring it up to date\n");
            return 1;
        }
    }
    shared.number = std::max(first, shared.number.load());
    return 0;
}

/// Without the ends of libraries whose threads stayed with the first process: some wait for them.
[[noreturn]] void end_process(int code) {
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
    _exit(code);
}

/// How the process ended: empty where all went well.
std::string watch(pid_t worker, const Options& options, const Shared& shared) {
    clockid_t cpu{};
    clock_getcpuclockid(worker, &cpu);
    for (int status = 0;;) {
        if (waitpid(worker, &status, WNOHANG) == worker) {
            if (WIFSIGNALED(status))
                return std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
            return WEXITSTATUS(status) == 0 ? "" : "see above";
        }
        const Clock::time_point started{Clock::duration(shared.started.load())};
        const std::chrono::duration<double> waited = Clock::now() - started;
        if (cpu_seconds(cpu) - shared.cpu_seconds > options.longest ||
            waited.count() > k_patience * options.longest) {
            kill(worker, SIGKILL);
            waitpid(worker, &status, 0);
            return "hangs";
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void keep(const Options& options, const File& input, std::uint64_t number,
          const std::string& problem, const char* program) {
    make_folder(options.out);
    const fs::path file =
        fs::absolute(options.out) / (input.kind + "_" + std::to_string(options.seed) + "_" +
                                     std::to_string(number) + input.ending);
    write_file(file, input.bytes);
    std::fprintf(stderr, "FAILED: input %llu of seed %llu: %s\n  repeat: %s --kind %s --input %s\n",
                 static_cast<unsigned long long>(number),
                 static_cast<unsigned long long>(options.seed), problem.c_str(), program,
                 input.kind.c_str(), file.c_str());
}

int fuzz(const Options& options, const char* program) {
    const Corpus corpus = read_corpus(options);
    if (corpus.files.empty()) {
        std::fprintf(stderr, "%s: no corpus\n", options.corpus.c_str());
        return 2;
    }
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 2;
    Shared& shared = *new (memory) Shared{};
    const Clock::time_point end =
        options.seconds > 0 ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                 std::chrono::duration<double>(options.seconds))
                            : Clock::time_point::max();
    int failures = 0;
    for (std::uint64_t first = 0; failures < k_most_failures;) {
        shared.started = Clock::now().time_since_epoch().count();
        shared.cpu_seconds = 0;
        const pid_t worker = fork();
        if (worker == 0)
            end_process(work(options, corpus, first, end, shared));
        const std::string problem = watch(worker, options, shared);
        if (problem.empty())
            break;
        ++failures;
        const std::uint64_t number = shared.number;
        keep(options, make_input(corpus, options.seed, number), number, problem, program);
        first = number + 1;
    }
    std::printf("%llu inputs of seed %llu, %llu of them taken, %d failures\n",
                static_cast<unsigned long long>(shared.number + 1),
                static_cast<unsigned long long>(options.seed),
                static_cast<unsigned long long>(shared.taken), failures);
    return failures > 0 ? 1 : 0;
}

/// Reads one file, among those of the corpus: a scene finds its meshes there.
int repeat(const Options& options) {
    limit_memory();
    const test::TemporaryFolder folder;
    fs::copy(options.corpus, folder.path(), fs::copy_options::recursive);
    const fs::path file =
        folder / options.kind / ("input" + fs::path(options.input).extension().string());
    write_file(file, read_file(options.input));
    std::atomic<std::uint64_t> taken = 0;
    const bool good = read_one(options.kind, file, taken);
    std::printf("%s\n", !good ? "failed" : taken > 0 ? "taken" : "refused");
    return good ? 0 : 1;
}

int usage() {
    std::fprintf(stderr,
                 "millrace_fuzz [--seconds S] [--inputs N] [--seed N] [--only KIND] [--longest S]\n"
                 "              [--corpus DIR] [--out DIR]\n"
                 "millrace_fuzz --kind KIND --input FILE     reads one file\n");
    return 2;
}

bool parse(int argc, char** argv, Options& options) {
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string key = argv[i];
        const char* value = argv[i + 1];
        if (key == "--seconds")
            options.seconds = std::atof(value);
        else if (key == "--inputs")
            options.inputs = std::strtoull(value, nullptr, 10);
        else if (key == "--seed")
            options.seed = std::strtoull(value, nullptr, 10);
        else if (key == "--longest")
            options.longest = std::atof(value);
        else if (key == "--corpus")
            options.corpus = value;
        else if (key == "--out")
            options.out = value;
        else if (key == "--only")
            options.only = value;
        else if (key == "--kind")
            options.kind = value;
        else if (key == "--input")
            options.input = value;
        else
            return false;
    }
    const bool ends = options.seconds > 0 || options.inputs != UINT64_MAX;
    return argc % 2 == 1 && (options.input.empty() ? ends : !options.kind.empty());
}

}  // namespace
}  // namespace millrace::fuzz

int main(int argc, char** argv) {
    using namespace millrace::fuzz;
    Options options;
    if (!parse(argc, argv, options))
        return usage();
    return options.input.empty() ? fuzz(options, argv[0]) : repeat(options);
}
