#include "exec/device.hpp"

#include <cstring>
#include <new>

#include "exec/cuda_check.hpp"
#include "exec/host_threads.hpp"
#include "millrace/error.hpp"
#include "platform/memory.hpp"

namespace millrace {

namespace {

constexpr std::size_t k_line = 64;  ///< memory of the CPU comes in whole lines [bytes]
constexpr std::align_val_t k_alignment{k_line};

}  // namespace

struct Device::Scratch {
    const Backend backend;
    void* data = nullptr;
    std::size_t bytes = 0;

    explicit Scratch(Backend b) : backend(b) {}
    ~Scratch() {
#ifdef MILLRACE_CUDA
        if (backend == Backend::cuda)
            cudaFree(data);
#endif
        if (backend == Backend::cpu)
            ::operator delete(data, k_alignment);
    }
};

Device::Device(Backend backend, int threads)
    : backend_(backend), threads_(threads), scratch_(std::make_shared<Scratch>(backend)) {}

Device Device::cpu(int threads) {
    return Device(Backend::cpu, threads > 0 ? threads : host_threads());
}

bool Device::cuda_built() {
#ifdef MILLRACE_CUDA
    return true;
#else
    return false;
#endif
}

bool Device::cuda_available() {
#ifdef MILLRACE_CUDA
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
#else
    return false;
#endif
}

Device Device::cuda() {
    if (!cuda_built())
        throw RunError("device cuda: this build has no GPU side; build with the preset 'cuda'");
    if (!cuda_available())
        throw RunError("device cuda: no NVIDIA GPU was found; use --device cpu");
    return Device(Backend::cuda, host_threads());
}

std::string Device::name() const {
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        cudaDeviceProp properties;
        cuda_check(cudaGetDeviceProperties(&properties, 0));
        return properties.name;
    }
#endif
    return "cpu";
}

std::size_t Device::free_memory() const {
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        std::size_t free_bytes = 0, total = 0;
        cuda_check(cudaMemGetInfo(&free_bytes, &total));
        return free_bytes;
    }
#endif
    return static_cast<std::size_t>(platform::available_memory());
}

void* Device::allocate(std::size_t bytes) const {
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        void* data = nullptr;
        cuda_check(cudaMalloc(&data, bytes));
        return data;
    }
#endif
    return ::operator new((bytes + k_line - 1) / k_line * k_line, k_alignment);
}

void Device::release(void* data) const {
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        cudaFree(data);
        return;
    }
#endif
    ::operator delete(data, k_alignment);
}

void Device::zero(void* data, std::size_t bytes) const {
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        cuda_check(cudaMemset(data, 0, bytes));
        return;
    }
#endif
    std::memset(data, 0, bytes);
}

void Device::upload(void* to, const void* host, std::size_t bytes) const {
    if (bytes == 0)
        return;
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        cuda_check(cudaMemcpy(to, host, bytes, cudaMemcpyHostToDevice));
        return;
    }
#endif
    std::memcpy(to, host, bytes);
}

void Device::download(void* host, const void* from, std::size_t bytes) const {
    if (bytes == 0)
        return;
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        cuda_check(cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost));
        return;
    }
#endif
    std::memcpy(host, from, bytes);
}

void Device::copy(void* to, const void* from, std::size_t bytes) const {
    if (bytes == 0)
        return;
#ifdef MILLRACE_CUDA
    if (on_gpu()) {
        cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
        return;
    }
#endif
    std::memcpy(to, from, bytes);
}

void Device::synchronize() const {
#ifdef MILLRACE_CUDA
    if (on_gpu())
        cuda_check(cudaDeviceSynchronize());
#endif
}

void* Device::scratch(std::size_t bytes) const {
    if (bytes > scratch_->bytes) {
        if (scratch_->data)
            release(scratch_->data);
        scratch_->data = nullptr;
        scratch_->bytes = 0;
        scratch_->data = allocate(bytes + bytes / 4);
        scratch_->bytes = bytes + bytes / 4;
    }
    return scratch_->data;
}

}  // namespace millrace
