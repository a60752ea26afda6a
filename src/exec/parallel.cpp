#include "exec/parallel.hpp"

#include <algorithm>
#include <bit>

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#endif

namespace millrace {

namespace {

using Index = std::uint32_t;

void scan_on_cpu(const Device& device, const Index* in, std::size_t n, Index* out) {
    constexpr std::size_t k_block = 16384;
    const std::size_t blocks = (n + k_block - 1) / k_block;
    std::vector<Index> block_sum(blocks + 1, 0);
    [[maybe_unused]] const int threads = blocks > 1 ? device.threads() : 1;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::size_t b = 0; b < blocks; ++b) {
        Index sum = 0;
        for (std::size_t i = b * k_block; i < std::min(n, (b + 1) * k_block); ++i)
            sum += in[i];
        block_sum[b + 1] = sum;
    }
    for (std::size_t b = 0; b < blocks; ++b)
        block_sum[b + 1] += block_sum[b];
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::size_t b = 0; b < blocks; ++b) {
        Index sum = block_sum[b];
        for (std::size_t i = b * k_block; i < std::min(n, (b + 1) * k_block); ++i) {
            out[i] = sum;
            sum += in[i];
        }
    }
    out[n] = block_sum[blocks];
}

// Two levels: the numbers are first dealt, in order, to ranges of keys, then every range is
// sorted by counting. Both keep the order of equal keys, so the result does not depend on how
// many parts the input was cut into.
void sort_on_cpu(const Device& device, const Index* keys, std::size_t n, Index key_count,
                 Index* start, Index* order, Index* dealt) {
    constexpr Index k_ranges = 512;
    const int shift = std::max(0, static_cast<int>(std::bit_width(key_count)) - 9);
    const std::size_t parts = n < 4096 ? 1 : static_cast<std::size_t>(device.threads());
    std::vector<Index> place(parts * k_ranges, 0);
    [[maybe_unused]] const int threads = static_cast<int>(parts);

    const auto part_begin = [&](std::size_t part) { return n * part / parts; };
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::size_t part = 0; part < parts; ++part)
        for (std::size_t i = part_begin(part); i < part_begin(part + 1); ++i)
            ++place[part * k_ranges + (keys[i] >> shift)];

    std::vector<Index> range_start(k_ranges + 1, 0);
    Index sum = 0;
    for (Index r = 0; r < k_ranges; ++r) {
        range_start[r] = sum;
        for (std::size_t part = 0; part < parts; ++part) {
            const Index count = place[part * k_ranges + r];
            place[part * k_ranges + r] = sum;
            sum += count;
        }
    }
    range_start[k_ranges] = sum;

#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::size_t part = 0; part < parts; ++part)
        for (std::size_t i = part_begin(part); i < part_begin(part + 1); ++i)
            dealt[place[part * k_ranges + (keys[i] >> shift)]++] = static_cast<Index>(i);

#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        std::vector<Index> next;
#pragma omp for schedule(dynamic, 1)
        for (Index r = 0; r < k_ranges; ++r) {
            const std::uint64_t first_key = std::uint64_t{r} << shift;
            if (first_key >= key_count)
                continue;
            const std::uint64_t end_key =
                std::min<std::uint64_t>(key_count, std::uint64_t{r + 1} << shift);
            next.assign(end_key - first_key, 0);
            for (Index p = range_start[r]; p < range_start[r + 1]; ++p)
                ++next[keys[dealt[p]] - first_key];
            Index at = range_start[r];
            for (std::uint64_t k = first_key; k < end_key; ++k) {
                const Index count = next[k - first_key];
                start[k] = next[k - first_key] = at;
                at += count;
            }
            for (Index p = range_start[r]; p < range_start[r + 1]; ++p)
                order[next[keys[dealt[p]] - first_key]++] = dealt[p];
        }
    }
    start[key_count] = static_cast<Index>(n);
}

#if defined(__CUDACC__)

struct CountKeys {
    const Index* keys;
    Index* counts;
    MILLRACE_HD void operator()([[maybe_unused]] Index i) const {
#if defined(__CUDA_ARCH__)
        atomicAdd(&counts[keys[i]], 1u);
#endif
    }
};

struct Iota {
    Index* out;
    MILLRACE_HD void operator()(Index i) const { out[i] = i; }
};

#endif

}  // namespace

void exclusive_scan(const Device& device, const Buffer<Index>& in, std::size_t n,
                    Buffer<Index>& out) {
    out.resize(n + 1);
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        std::size_t bytes = 0;
        const auto count = static_cast<std::int64_t>(n + 1);
        cuda_check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in.data(), out.data(), count));
        cuda_check(cub::DeviceScan::ExclusiveSum(device.scratch(bytes), bytes, in.data(),
                                                 out.data(), count));
        return;
    }
#endif
    scan_on_cpu(device, in.data(), n, out.data());
}

void counting_sort(const Device& device, const Buffer<Index>& keys, std::size_t n, Index key_count,
                   Buffer<Index>& start, Buffer<Index>& order) {
    start.resize(std::size_t{key_count} + 1);
    order.resize(n);
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        // scratch: counts, the sorted keys, the numbers before the sort, CUB's own
        std::size_t sort_bytes = 0, scan_bytes = 0;
        const int bits = std::max(1, static_cast<int>(std::bit_width(key_count)));
        const Index* none = nullptr;
        Index* out_none = nullptr;
        cuda_check(cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, none, out_none, none,
                                                   out_none, static_cast<std::int64_t>(n), 0,
                                                   bits));
        cuda_check(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, none, out_none,
                                                 static_cast<std::int64_t>(key_count) + 1));
        const auto aligned = [](std::size_t bytes) { return (bytes + 255) / 256 * 256; };
        const std::size_t count_bytes = aligned((std::size_t{key_count} + 1) * sizeof(Index));
        const std::size_t number_bytes = aligned(n * sizeof(Index));
        char* scratch = static_cast<char*>(
            device.scratch(count_bytes + 2 * number_bytes + std::max(sort_bytes, scan_bytes)));
        Index* counts = reinterpret_cast<Index*>(scratch);
        Index* sorted_keys = reinterpret_cast<Index*>(scratch + count_bytes);
        Index* numbers = reinterpret_cast<Index*>(scratch + count_bytes + number_bytes);
        void* cub_scratch = scratch + count_bytes + 2 * number_bytes;

        device.zero(counts, count_bytes);
        for_each(device, n, CountKeys{keys.data(), counts});
        cuda_check(cub::DeviceScan::ExclusiveSum(cub_scratch, scan_bytes, counts, start.data(),
                                                 static_cast<std::int64_t>(key_count) + 1));
        for_each(device, n, Iota{numbers});
        cuda_check(cub::DeviceRadixSort::SortPairs(cub_scratch, sort_bytes, keys.data(),
                                                   sorted_keys, numbers, order.data(),
                                                   static_cast<std::int64_t>(n), 0, bits));
        return;
    }
#endif
    Index* dealt = static_cast<Index*>(device.scratch(n * sizeof(Index) + 1));
    sort_on_cpu(device, keys.data(), n, key_count, start.data(), order.data(), dealt);
}

}  // namespace millrace
