#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/cuda_check.hpp"
#include "exec/device.hpp"

#if defined(__CUDACC__)
#include <thrust/iterator/counting_iterator.h>

#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#endif

namespace millrace {

#if defined(__CUDACC__)
namespace detail {

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
    [[maybe_unused]] const int threads = n >= 512 ? device.threads() : 1;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (std::int64_t i = 0; i < count; ++i)
        pass(static_cast<std::uint32_t>(i));
}

namespace detail {

#if defined(__CUDACC__)
constexpr int k_reduce_threads = 256;

template <class T, class Pass, class Join>
__global__ void pass_and_reduce_kernel(std::uint32_t n, const Pass pass, const T identity,
                                       const Join join, T* partial) {
    using Reduce = cub::BlockReduce<T, k_reduce_threads>;
    __shared__ typename Reduce::TempStorage memory;
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = Reduce(memory).Reduce(i < n ? pass(i) : identity, join);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

template <class T, class Join>
__global__ void join_kernel(std::uint32_t n, const T* partial, const T identity, const Join join,
                            T* result) {
    using Reduce = cub::BlockReduce<T, k_reduce_threads>;
    __shared__ typename Reduce::TempStorage memory;
    T sum = identity;
    for (std::uint32_t i = threadIdx.x; i < n; i += k_reduce_threads)
        sum = join(sum, partial[i]);
    sum = Reduce(memory).Reduce(sum, join);
    if (threadIdx.x == 0)
        *result = sum;
}

/// `result` lies on the GPU; without one, it is put into the scratch memory.
template <class T, class Map, class Join>
T* reduce_on_gpu(const Device& device, std::size_t n, const T identity, const Map& map,
                 const Join& join, T* result) {
    constexpr std::size_t k_result_bytes = 256;
    static_assert(sizeof(T) <= k_result_bytes);
    std::size_t bytes = 0;
    const thrust::counting_iterator<std::uint32_t> first(0);
    const auto count = static_cast<std::int64_t>(n);
    cuda_check(cub::DeviceReduce::TransformReduce(nullptr, bytes, first, static_cast<T*>(nullptr),
                                                  count, join, map, identity));
    char* scratch = static_cast<char*>(device.scratch(k_result_bytes + bytes));
    if (!result)
        result = reinterpret_cast<T*>(scratch);
    cuda_check(cub::DeviceReduce::TransformReduce(scratch + k_result_bytes, bytes, first, result,
                                                  count, join, map, identity));
    return result;
}
#endif

template <class T, class Map, class Join>
T reduce_on_cpu(const Device& device, std::size_t n, const T identity, const Map& map,
                const Join& join) {
    constexpr std::size_t k_block = 1024;
    const std::size_t blocks = (n + k_block - 1) / k_block;
    T* partial = static_cast<T*>(device.scratch(blocks * sizeof(T)));
    const auto block_count = static_cast<std::int64_t>(blocks);
    [[maybe_unused]] const int threads = blocks > 4 ? device.threads() : 1;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
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
    return sum;
}

}  // namespace detail

/// join(...join(join(identity, map(0)), map(1))..., map(n - 1)). On the CPU the order is fixed by
/// blocks that do not depend on the number of threads, so that the result is always the same bits.
template <class T, class Map, class Join>
T reduce(const Device& device, std::size_t n, const T identity, const Map& map, const Join& join) {
    if (n == 0)
        return identity;
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        T host;
        device.download(
            &host, detail::reduce_on_gpu(device, n, identity, map, join, static_cast<T*>(nullptr)),
            sizeof(T));
        return host;
    }
#endif
    return detail::reduce_on_cpu(device, n, identity, map, join);
}

/// The same for n > 0, with the result left in `result` on the device: the GPU need not wait for
/// the host to see it.
template <class T, class Map, class Join>
void reduce_into(const Device& device, std::size_t n, const T identity, const Map& map,
                 const Join& join, T* result) {
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        detail::reduce_on_gpu(device, n, identity, map, join, result);
        return;
    }
#endif
    *result = detail::reduce_on_cpu(device, n, identity, map, join);
}

/// Calls pass(i) as for_each does and joins what the calls return, as reduce_into does: for passes
/// with much work each.
template <class T, class Pass, class Join>
void for_each_reduce(const Device& device, std::size_t n, const T identity, const Pass& pass,
                     const Join& join, T* result) {
#if defined(__CUDACC__)
    if (device.on_gpu()) {
        constexpr int k_threads = detail::k_reduce_threads;
        const std::size_t blocks = (n + k_threads - 1) / k_threads;
        T* partial = static_cast<T*>(device.scratch(blocks * sizeof(T)));
        detail::pass_and_reduce_kernel<<<static_cast<unsigned>(blocks), k_threads>>>(
            static_cast<std::uint32_t>(n), pass, identity, join, partial);
        cuda_check(cudaGetLastError());
        detail::join_kernel<<<1, k_threads>>>(static_cast<std::uint32_t>(blocks), partial, identity,
                                              join, result);
        cuda_check(cudaGetLastError());
        return;
    }
#endif
    *result = detail::reduce_on_cpu(device, n, identity, pass, join);
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
