#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace millrace {

/// A thread of its own that does jobs one after the other, in the order in which they were given,
/// while the caller goes on. It starts with the first job. Its loops take as many threads as the
/// caller's do (host_threads()); while cores are scarce, those of the caller go first.
class Background {
  public:
    /// At most so many jobs are there at a time, the one that is being done among them.
    explicit Background(std::size_t most);
    /// Does what is left to do; errors that nobody has asked for are lost.
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// Where a job has failed, throws what it threw, once; all later jobs are dropped, since they
    /// would follow one that is missing. The other calls do the same.
    void check();
    /// Waits until one more job may be given.
    void wait_for_room();
    /// Waits for room, too.
    void give(std::function<void()> job);
    /// Waits until all jobs are done.
    void finish();

  private:
    void work();
    /// Waits until fewer than `count` jobs are there.
    void wait_for_fewer(std::size_t count);

    const std::size_t most_;
    const int threads_;  ///< of the loops of jobs
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;  ///< the first one is being done
    std::exception_ptr error_;
    bool failed_ = false, ends_ = false;
    std::thread thread_;
};

}  // namespace millrace
