#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/cuda_check.hpp"
#include "exec/device.hpp"

#if defined(__CUDACC__)
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_reduce.cuh>
#endif

namespace millrace {

#if defined(__CUDACC__)
namespace detail {

constexpr std::size_t k_result_bytes = 256;

template <class Pass>
__global__ void for_each_kernel(std::uint32_t n, const Pass pass) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pass(i);
}

}  // namespace detail
#endif

/// Calls pass(i) for i = 0 ... n - 1, in any order and in parallel. On the GPU the call returns
/// before the work is done; what follows on the same device waits for it.
/// `threads_per_block` matters on the GPU only.
template <class Pass>
void for_each(const Device& device, std::size_t n, const Pass& pass, int threads_per_block = 256) {
    if (n == 0)
        return;
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        const std::size_t blocks = (n + threads_per_block - 1) / threads_per_block;
        detail::for_each_kernel<<<static_cast<unsigned>(blocks), threads_per_block>>>(
            static_cast<std::uint32_t>(n), pass);
        cuda_check(cudaGetLastError());
        return;
    }
#endif
    (void)threads_per_block;
    const auto count = static_cast<std::int64_t>(n);
#pragma omp parallel for schedule(dynamic, 256) num_threads(device.threads()) if (n >= 512)
    for (std::int64_t i = 0; i < count; ++i)
        pass(static_cast<std::uint32_t>(i));
}

/// *out = join(...join(join(identity, map(0)), map(1))..., map(n - 1)), with `out` in the device's
/// memory, so that a pass which follows can read it. On the CPU the order is fixed by blocks that
/// do not depend on the number of threads, so that the result is always the same bits.
template <class T, class Map, class Join>
void reduce_into(const Device& device, std::size_t n, const T identity, const Map& map,
                 const Join& join, T* out) {
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        std::size_t bytes = 0;
        const thrust::counting_iterator<std::uint32_t> first(0);
        const auto count = static_cast<std::int64_t>(n);
        cuda_check(cub::DeviceReduce::TransformReduce(nullptr, bytes, first, out, count, join, map,
                                                      identity));
        // the first bytes are for the result of reduce()
        char* scratch = static_cast<char*>(device.scratch(detail::k_result_bytes + bytes));
        cuda_check(cub::DeviceReduce::TransformReduce(scratch + detail::k_result_bytes, bytes,
                                                      first, out, count, join, map, identity));
        return;
    }
#endif
    constexpr std::size_t k_block = 1024;
    const std::size_t blocks = (n + k_block - 1) / k_block;
    T* partial = static_cast<T*>(device.scratch(blocks * sizeof(T)));
    const auto block_count = static_cast<std::int64_t>(blocks);
#pragma omp parallel for schedule(static) num_threads(device.threads()) if (blocks > 4)
    for (std::int64_t b = 0; b < block_count; ++b) {
        const std::size_t begin = static_cast<std::size_t>(b) * k_block;
        const std::size_t end = begin + k_block < n ? begin + k_block : n;
        T sum = identity;
        for (std::size_t i = begin; i < end; ++i)
            sum = join(sum, map(static_cast<std::uint32_t>(i)));
        partial[b] = sum;
    }
    T sum = identity;
    for (std::size_t b = 0; b < blocks; ++b)
        sum = join(sum, partial[b]);
    *out = sum;
}

/// The same as a value: on the GPU this waits for the device.
template <class T, class Map, class Join>
T reduce(const Device& device, std::size_t n, const T identity, const Map& map, const Join& join) {
    T host = identity;
    if (n == 0)
        return host;
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        static_assert(sizeof(T) <= detail::k_result_bytes);
        // room for the whole at once: scratch() may move what it gave before
        std::size_t bytes = 0;
        const thrust::counting_iterator<std::uint32_t> first(0);
        cuda_check(
            cub::DeviceReduce::TransformReduce(nullptr, bytes, first, static_cast<T*>(nullptr),
                                               static_cast<std::int64_t>(n), join, map, identity));
        T* result = static_cast<T*>(device.scratch(detail::k_result_bytes + bytes));
        reduce_into(device, n, identity, map, join, result);
        device.download(&host, result, sizeof(T));
        return host;
    }
#endif
    reduce_into(device, n, identity, map, join, &host);
    return host;
}

/// out[i] = in[0] + ... + in[i - 1] for i = 0 ... n; `out` gets n + 1 elements and may not be `in`.
void exclusive_scan(const Device& device, const Buffer<std::uint32_t>& in, std::size_t n,
                    Buffer<std::uint32_t>& out);

/// Sorts the numbers 0 ... n - 1 by keys[i] < key_count; equal keys keep their order.
/// `order[p]` is the number at place p; the numbers with key k stand at start[k] ... start[k + 1].
void counting_sort(const Device& device, const Buffer<std::uint32_t>& keys, std::size_t n,
                   std::uint32_t key_count, Buffer<std::uint32_t>& start,
                   Buffer<std::uint32_t>& order);

}  // namespace millrace
