#pragma once

#include <vector>

#include "exec/parallel.hpp"
#include "exec/vector_buffer.hpp"

// What a pass makes of particles, brought to the host by one copy: the CPU writes it where it will
// stay, the GPU into its own memory, from which it is copied as a whole.
namespace millrace {

/// `width` values for each of n particles: make_pass(out) is a pass whose call for particle i fills
/// out[i * width] to out[i * width + width - 1].
template <class T, class MakePass>
std::vector<T> read_back(const Device& device, std::size_t n, std::size_t width,
                         const MakePass& make_pass) {
    std::vector<T> host(n * width);
    if (device.on_gpu()) {
        T* out = static_cast<T*>(device.scratch(host.size() * sizeof(T) + 1));
        for_each(device, n, make_pass(out));
        device.download(host.data(), out, host.size() * sizeof(T));
    } else {
        for_each(device, n, make_pass(host.data()));
    }
    return host;
}

namespace detail {

template <int D>
struct WriteFlat {
    VectorView<D> from;
    float* to;
    std::uint32_t components;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        float* out = to + static_cast<std::size_t>(i) * components;
        const Vec<D> v = from.get(i);
        for (std::uint32_t k = 0; k < components; ++k)
            out[k] = k < D ? v[static_cast<int>(k)] : 0.0f;
    }
};

}  // namespace detail

/// The first n vectors, `components` floats each: D of them, or more, and the rest is 0.
template <int D>
std::vector<float> read_flat(const Device& device, const VectorBuffer<D>& vectors, std::size_t n,
                             int components = D) {
    return read_back<float>(device, n, static_cast<std::size_t>(components), [&](float* out) {
        return detail::WriteFlat<D>{vectors.view(), out, static_cast<std::uint32_t>(components)};
    });
}

}  // namespace millrace
