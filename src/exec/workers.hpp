#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Threads of the CPU. Results never depend on their number.
struct Workers {
    int threads = 1;

    /// Calls work(t) for t = 0 ... threads - 1, each in a thread of its own.
    template <class Work>
    void run(const Work& work) const {
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
        for (int t = 0; t < threads; ++t)
            work(t);
    }
    /// Calls work(k) for k = 0 ... n - 1, in parallel.
    template <class Work>
    void for_each(std::size_t n, const Work& work) const {
        const auto count = static_cast<std::int64_t>(n);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (std::int64_t k = 0; k < count; ++k)
            work(static_cast<std::size_t>(k));
    }
};

}  // namespace millrace
