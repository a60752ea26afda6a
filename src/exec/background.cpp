#include "exec/background.hpp"

#include <utility>

#include "exec/host_threads.hpp"
#include "platform/priority.hpp"

namespace millrace {

Background::Background(std::size_t most) : most_(most), threads_(host_threads()) {}

Background::~Background() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

void Background::wait_for_fewer(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_.size() < count; });
    if (error_)
        std::rethrow_exception(std::exchange(error_, nullptr));
}

void Background::check() {
    wait_for_fewer(most_ + 1);  // never more
}

void Background::wait_for_room() {
    wait_for_fewer(most_);
}

void Background::finish() {
    wait_for_fewer(1);
}

void Background::give(std::function<void()> job) {
    wait_for_room();
    if (!thread_.joinable())
        thread_ = std::thread([this] { work(); });
    {
        const std::lock_guard lock(mutex_);
        if (failed_)
            return;
        jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
}

void Background::work() {
    platform::lower_priority();
    set_host_threads(threads_);
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
        if (jobs_.empty())
            return;
        std::function<void()> job = std::move(jobs_.front());
        lock.unlock();
        std::exception_ptr error;
        try {
            job();
        } catch (...) {
            error = std::current_exception();
        }
        job = nullptr;  // what it held is free before the next one comes
        lock.lock();
        if (error) {
            error_ = error;
            failed_ = true;
            jobs_.clear();
        } else {
            jobs_.pop_front();
        }
        changed_.notify_all();
    }
}

}  // namespace millrace
