#pragma once

#include <vector>

#include "exec/buffer.hpp"
#include "math/vec.hpp"

namespace millrace {

/// Access to vectors that lie on a device: components apart on the CPU, so that packs load from
/// contiguous memory; together on the GPU, so that one wide load brings a whole vector.
template <int D>
struct VectorView {
    float* data = nullptr;
    std::size_t stride = 0;  ///< CPU: distance between components

    static constexpr int k_gpu_width = D <= 2 ? D : 4;

    MILLRACE_HD Vec<D> get(std::uint32_t i) const {
        Vec<D> r;
#if defined(__CUDA_ARCH__)
        if constexpr (D == 1) {
            r[0] = data[i];
        } else if constexpr (D == 2) {
            const float2 v = reinterpret_cast<const float2*>(data)[i];
            r[0] = v.x, r[1] = v.y;
        } else {
            const float4 v = reinterpret_cast<const float4*>(data)[i];
            r[0] = v.x, r[1] = v.y, r[2] = v.z;
        }
#else
        for (int k = 0; k < D; ++k)
            r[k] = data[k * stride + i];
#endif
        return r;
    }

    MILLRACE_HD void set(std::uint32_t i, const Vec<D>& v) const {
#if defined(__CUDA_ARCH__)
        if constexpr (D == 1)
            data[i] = v[0];
        else if constexpr (D == 2)
            reinterpret_cast<float2*>(data)[i] = make_float2(v[0], v[1]);
        else
            reinterpret_cast<float4*>(data)[i] = make_float4(v[0], v[1], v[2], 0.0f);
#else
        for (int k = 0; k < D; ++k)
            data[k * stride + i] = v[k];
#endif
    }

    MILLRACE_HD Vec<D, Lanes> lanes(LaneIndex j) const {
#if defined(__CUDA_ARCH__)
        return get(j.first);
#else
        Vec<D, Lanes> r;
        for (int k = 0; k < D; ++k)
            r[k] = load_pack(data + k * stride + j.first);
        return r;
#endif
    }
};

template <int D>
MILLRACE_HD Vec<D> sum_lanes(const Vec<D, Lanes>& v) {
    Vec<D> r;
    for (int k = 0; k < D; ++k)
        r[k] = sum_lanes(v[k]);
    return r;
}

/// A value that is the same for all lanes.
template <int D>
MILLRACE_HD Vec<D, Lanes> spread(const Vec<D>& v) {
    Vec<D, Lanes> r;
    for (int k = 0; k < D; ++k)
        r[k] = Lanes(v[k]);
    return r;
}

/// One vector per particle.
template <int D>
class VectorBuffer {
  public:
    VectorBuffer() = default;
    explicit VectorBuffer(const Device& device, std::size_t size = 0) : floats_(device) {
        resize(size);
    }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return floats_.bytes(); }

    /// The elements are lost when the buffer must grow.
    void resize(std::size_t size) {
        const std::size_t needed = size + k_lanes;
        if (needed > stride_) {
            stride_ = size_ == 0 ? needed : needed + needed / 4;
            floats_ = Buffer<float>(floats_.device());
            floats_.resize(stride_ * (on_gpu() ? VectorView<D>::k_gpu_width : D));
        }
        size_ = size;
    }

    void zero() { floats_.zero(); }

    VectorView<D> view() const { return {const_cast<float*>(floats_.data()), stride_}; }

    void assign(const std::vector<Vec<D>>& host) {
        resize(host.size());
        std::vector<float> raw = floats_.to_host();
        for (std::size_t i = 0; i < host.size(); ++i)
            for (int k = 0; k < D; ++k)
                raw[place(i, k)] = host[i][k];
        floats_.assign(raw);
    }

    std::vector<Vec<D>> to_host() const {
        const std::vector<float> raw = floats_.to_host();
        std::vector<Vec<D>> host(size_);
        for (std::size_t i = 0; i < size_; ++i)
            for (int k = 0; k < D; ++k)
                host[i][k] = raw[place(i, k)];
        return host;
    }

  private:
    bool on_gpu() const { return floats_.device().on_gpu(); }
    std::size_t place(std::size_t i, int axis) const {
        return on_gpu() ? i * VectorView<D>::k_gpu_width + axis : axis * stride_ + i;
    }

    Buffer<float> floats_;
    std::size_t size_ = 0;
    std::size_t stride_ = 0;
};

}  // namespace millrace
