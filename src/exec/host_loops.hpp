#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "exec/host_threads.hpp"

// Loops of the CPU over things of unequal size: blocks of a surface, triangles, bricks. Whatever
// the number of threads, every index is worked on once; results do not depend on the order as long
// as no index touches what another one writes. Passes over particles are for `for_each` in
// exec/parallel.hpp. The type of the indices is that of n.
namespace millrace {

struct HostLoop {
    int grain = 1;              ///< indices that a thread takes at a time; 0: an equal share each
    std::int64_t alone_to = 0;  ///< up to so many indices the caller works alone
    int threads = 0;            ///< 0: host_threads()

    int threads_for(std::int64_t n) const {
        return n <= alone_to ? 1 : threads > 0 ? threads : host_threads();
    }
};

/// Calls work(i, scratch) for i = 0 ... n - 1, in parallel; make_scratch() makes what each thread
/// keeps for itself from one index to the next.
template <class Index, class MakeScratch, class Work>
void parallel_for_with(Index n, const HostLoop& loop, const MakeScratch& make_scratch,
                       const Work& work) {
    const auto count = static_cast<std::int64_t>(n);
    [[maybe_unused]] const int threads = loop.threads_for(count);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        auto scratch = make_scratch();
#pragma omp for schedule(dynamic, loop.grain)
        for (std::int64_t i = 0; i < count; ++i)
            work(static_cast<Index>(i), scratch);
    }
}

/// Calls work(i) for i = 0 ... n - 1, in parallel.
template <class Index, class Work>
void parallel_for(Index n, const HostLoop& loop, const Work& work) {
    const auto count = static_cast<std::int64_t>(n);
    [[maybe_unused]] const int threads = loop.threads_for(count);
    if (loop.grain == 0) {
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (std::int64_t i = 0; i < count; ++i)
            work(static_cast<Index>(i));
        return;
    }
#pragma omp parallel for schedule(dynamic, loop.grain) num_threads(threads) if (threads > 1)
    for (std::int64_t i = 0; i < count; ++i)
        work(static_cast<Index>(i));
}

/// Whether test(i) holds for some i = 0 ... n - 1; not all are tried after one does.
template <class Index, class Test>
bool parallel_any(Index n, const HostLoop& loop, const Test& test) {
    std::atomic<bool> found = false;
    parallel_for(n, loop, [&](Index i) {
        if (!found.load(std::memory_order_relaxed) && test(i))
            found.store(true, std::memory_order_relaxed);
    });
    return found;
}

}  // namespace millrace
