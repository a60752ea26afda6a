#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace millrace {

enum class Backend { cpu, cuda };

/// Where work runs and buffers live: the CPU with a number of threads, or one GPU.
/// A small handle; copies stand for the same device.
class Device {
  public:
    /// All cores, or `threads` of them.
    static Device cpu(int threads = 0);
    /// The first GPU; throws RunError where there is none or this build has no CUDA.
    static Device cuda();
    static bool cuda_built();
    static bool cuda_available();

    Backend backend() const { return backend_; }
    bool on_gpu() const { return backend_ == Backend::cuda; }
    int threads() const { return threads_; }
    /// For people: "cpu" or the GPU's own name.
    std::string name() const;
    std::size_t free_memory() const;

    void* allocate(std::size_t bytes) const;
    void release(void* data) const;
    void zero(void* data, std::size_t bytes) const;
    void upload(void* to, const void* host, std::size_t bytes) const;
    void download(void* host, const void* from, std::size_t bytes) const;
    void copy(void* to, const void* from, std::size_t bytes) const;
    /// Waits until the work that was started is done.
    void synchronize() const;

    /// Memory on the device for the inside of a primitive; the next call may reuse it.
    void* scratch(std::size_t bytes) const;

  private:
    struct Scratch;
    Device(Backend backend, int threads);

    Backend backend_;
    int threads_;
    std::shared_ptr<Scratch> scratch_;
};

}  // namespace millrace
