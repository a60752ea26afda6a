#include "passes/pass.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "io/file_lock.hpp"
#include "io/progress.hpp"
#include "millrace/error.hpp"
#include "passes/run_frames.hpp"

namespace millrace {

namespace {

constexpr auto k_wait = std::chrono::milliseconds(200);  // for frames that others make

/// How much of the work is there already.
double part_found(const Pass& pass) {
    const auto found = std::ranges::count_if(
        pass.frames, [&](int frame) { return std::filesystem::exists(pass.file(frame)); });
    return static_cast<double>(found) /
           static_cast<double>(std::max<std::size_t>(1, pass.frames.size()));
}

/// The frames that are left, handed out to the jobs.
class Work {
  public:
    explicit Work(const Pass& pass)
        : pass_(pass),
          progress_(pass.quiet, stdout, part_found(pass)),
          left_(pass.frames.begin(), pass.frames.end()) {}

    /// One job: makes frames until none is left.
    void run() {
        try {
            int frame;
            while (next(frame))
                attempt(frame);
        } catch (...) {
            const std::lock_guard guard(mutex_);
            if (!failure_)
                failure_ = std::current_exception();
        }
    }

    PassOutcome outcome() {
        if (failure_)
            std::rethrow_exception(failure_);
        return outcome_;
    }

  private:
    bool next(int& frame) {
        std::unique_lock guard(mutex_);
        if (refused_ > 0 && refused_ >= left_.size()) {  // all that are left are in other hands
            refused_ = 0;
            guard.unlock();
            std::this_thread::sleep_for(k_wait);
            guard.lock();
        }
        outcome_.stopped = outcome_.stopped || pass_.stop();
        if (failure_ || outcome_.stopped || left_.empty())
            return false;
        frame = left_.front();
        left_.pop_front();
        return true;
    }

    void attempt(int frame) {
        const std::filesystem::path file = pass_.file(frame);
        const std::optional<FileLock> lock = FileLock::take(file);
        if (!lock) {
            const std::lock_guard guard(mutex_);
            ++refused_;
            if (pass_.in_order)
                left_.push_front(frame);
            else
                left_.push_back(frame);
            return;
        }
        std::string error;
        const bool is_there = std::filesystem::exists(file);
        if (!is_there) {
            try {
                pass_.make(frame);
            } catch (const InputError& e) {
                error = e.what();
            }
        }
        count(is_there, error);
    }

    void count(bool is_there, const std::string& error) {
        const std::lock_guard guard(mutex_);
        refused_ = 0;
        if (!error.empty()) {
            std::fprintf(stderr, "error: %s\n", error.c_str());
            outcome_.errors.push_back(error);
        } else {
            ++(is_there ? outcome_.found : outcome_.made);
        }
        const std::size_t done =
            outcome_.errors.size() + static_cast<std::size_t>(outcome_.found + outcome_.made);
        progress_.update(
            static_cast<double>(done) / static_cast<double>(pass_.frames.size()),
            pass_.what + " " + std::to_string(done) + " of " + std::to_string(pass_.frames.size()));
    }

    const Pass& pass_;
    Progress progress_;
    std::mutex mutex_;
    std::deque<int> left_;
    std::size_t refused_ = 0;  ///< in a row: frames that are in other hands
    PassOutcome outcome_;
    std::exception_ptr failure_;
};

}  // namespace

void PassOutcome::add(const PassOutcome& more) {
    made += more.made;
    found += more.found;
    stopped = stopped || more.stopped;
    errors.insert(errors.end(), more.errors.begin(), more.errors.end());
}

Pass first_of(Pass& pass, int count) {
    std::vector<int> missing;
    std::ranges::copy_if(pass.frames, std::back_inserter(missing),
                         [&](int frame) { return !std::filesystem::exists(pass.file(frame)); });
    Pass first = pass;
    first.quiet = true;
    first.frames.clear();
    for (const int place : spread(static_cast<int>(missing.size()), count))
        first.frames.push_back(missing[static_cast<std::size_t>(place)]);
    std::erase_if(pass.frames,
                  [&](int frame) { return std::ranges::binary_search(first.frames, frame); });
    return first;
}

PassOutcome run_pass(const Pass& pass) {
    Work work(pass);
    const int jobs = std::clamp(pass.jobs, 1, std::max(1, static_cast<int>(pass.frames.size())));
    std::vector<std::thread> others;
    for (int i = 1; i < jobs; ++i)
        others.emplace_back([&] { work.run(); });
    work.run();
    for (std::thread& thread : others)
        thread.join();
    return work.outcome();
}

}  // namespace millrace
