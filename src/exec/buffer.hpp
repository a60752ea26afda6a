#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/device.hpp"
#include "exec/lanes.hpp"

namespace millrace {

/// Elements on a device. On the CPU a pack may be loaded from any valid position: behind the
/// last element lie k_lanes zeros or older values, never foreign memory. Such lanes are multiplied
/// by a kernel of 0, so the values must be finite: a world with a broken particle stops.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() : device_(Device::cpu(1)) {}
    explicit Buffer(const Device& device, std::size_t size = 0) : device_(device) { resize(size); }
    Buffer(Buffer&& other) noexcept
        : device_(other.device_),
          data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~Buffer() {
        if (data_)
            device_.release(data_);
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return capacity_ * sizeof(T); }
    T* data() { return data_; }
    const T* data() const { return data_; }
    const Device& device() const { return device_; }

    /// Keeps the elements where they fit; new ones are zero, or what stood there before a shrink.
    void resize(std::size_t size) {
        if (size + k_lanes > capacity_)
            grow(size + k_lanes);
        size_ = size;
    }

    void zero() {
        if (data_)
            device_.zero(data_, capacity_ * sizeof(T));
    }

    void assign(std::span<const T> host) {
        resize(host.size());
        device_.upload(data_, host.data(), host.size_bytes());
    }

    std::vector<T> to_host() const {
        std::vector<T> host(size_);
        device_.download(host.data(), data_, size_ * sizeof(T));
        return host;
    }

  private:
    void grow(std::size_t capacity) {
        capacity = size_ == 0 ? capacity : capacity + capacity / 4;
        T* data = static_cast<T*>(device_.allocate(capacity * sizeof(T)));
        device_.zero(data, capacity * sizeof(T));
        if (data_) {
            device_.copy(data, data_, size_ * sizeof(T));
            device_.release(data_);
        }
        data_ = data;
        capacity_ = capacity;
    }

    Device device_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace millrace
