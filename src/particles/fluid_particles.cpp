#include "particles/fluid_particles.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <class T>
struct Gather {
    const std::uint32_t* order;
    const T* in;
    T* out;
    MILLRACE_HD void operator()(std::uint32_t p) const { out[p] = in[order[p]]; }
};

template <int D>
struct GatherVectors {
    const std::uint32_t* order;
    VectorView<D> in, out;
    MILLRACE_HD void operator()(std::uint32_t p) const { out.set(p, in.get(order[p])); }
};

template <int D>
struct CopyVectors {
    VectorView<D> in, out;
    MILLRACE_HD void operator()(std::uint32_t i) const { out.set(i, in.get(i)); }
};

/// Grows a buffer of vectors, whose first `old` stay.
template <int D>
void resize_keeping(const Device& device, VectorBuffer<D>& values, VectorBuffer<D>& swap,
                    std::size_t old, std::size_t n) {
    swap.resize(n);
    for_each(device, old, CopyVectors<D>{values.view(), swap.view()});
    std::swap(values, swap);
}

template <int D>
struct Come {
    std::uint32_t first;
    VectorView<D> come;
    Vec<D> v;
    float v0;
    std::uint32_t first_id;
    std::uint8_t which;
    VectorView<D> position, velocity;
    float* volume;
    float* pressure;
    float* divergence_pressure;
    std::uint32_t* id;
    std::uint8_t* fluid;
    VectorView<k_spin_size<D>> spin;
    MILLRACE_HD void operator()(std::uint32_t k) const {
        const std::uint32_t i = first + k;
        position.set(i, come.get(k));
        velocity.set(i, v);
        volume[i] = v0;
        pressure[i] = 0;
        divergence_pressure[i] = 0;
        id[i] = first_id + k;
        fluid[i] = which;
        if (spin.data)
            spin.set(i, Spin<D>::all(0.0f));
    }
};

}  // namespace

template <int D>
void gather(const Device& device, const Buffer<std::uint32_t>& order, std::size_t n,
            VectorBuffer<D>& values, VectorBuffer<D>& swap) {
    swap.resize(n);
    for_each(device, n, GatherVectors<D>{order.data(), values.view(), swap.view()});
    std::swap(values, swap);
}

template <class T>
void gather(const Device& device, const Buffer<std::uint32_t>& order, std::size_t n,
            Buffer<T>& values, Buffer<T>& swap) {
    swap.resize(n);
    for_each(device, n, Gather<T>{order.data(), values.data(), swap.data()});
    std::swap(values, swap);
}

template <int D>
void FluidParticles<D>::resize(std::size_t n) {
    count = n;
    position.resize(n);
    velocity.resize(n);
    volume.resize(n);
    pressure.resize(n);
    divergence_pressure.resize(n);
    id.resize(n);
    fluid.resize(n);
    if (turns)
        spin.resize(n);
}

template <int D>
void FluidParticles<D>::reorder(const Device& device, const Buffer<std::uint32_t>& order,
                                std::size_t n) {
    gather(device, order, n, position, swap_vector_);
    gather(device, order, n, velocity, swap_vector_);
    gather(device, order, n, volume, swap_float_);
    gather(device, order, n, pressure, swap_float_);
    gather(device, order, n, divergence_pressure, swap_float_);
    gather(device, order, n, id, swap_index_);
    gather(device, order, n, fluid, swap_byte_);
    if (turns)
        gather(device, order, n, spin, swap_spin_);
    count = n;
}

template <int D>
void FluidParticles<D>::append(const Device& device, const std::vector<Vec<D>>& positions,
                               const Vec<D>& v, float v0, std::uint32_t first_id,
                               std::uint8_t which) {
    const std::size_t old = count;
    VectorBuffer<D> come(device);
    come.assign(positions);
    resize_keeping(device, position, swap_vector_, old, old + positions.size());
    resize_keeping(device, velocity, swap_vector_, old, old + positions.size());
    if (turns)
        resize_keeping(device, spin, swap_spin_, old, old + positions.size());
    resize(old + positions.size());
    for_each(device, positions.size(),
             Come<D>{static_cast<std::uint32_t>(old), come.view(), v, v0, first_id, which,
                     position.view(), velocity.view(), volume.data(), pressure.data(),
                     divergence_pressure.data(), id.data(), fluid.data(),
                     turns ? spin.view() : VectorView<k_spin_size<D>>{}});
}

template <int D>
std::size_t FluidParticles<D>::bytes() const {
    return position.bytes() + velocity.bytes() + volume.bytes() + pressure.bytes() +
           divergence_pressure.bytes() + id.bytes() + fluid.bytes() + swap_vector_.bytes() +
           swap_float_.bytes() + swap_index_.bytes() + swap_byte_.bytes() + spin.bytes() +
           swap_spin_.bytes();
}

template struct FluidParticles<2>;
template struct FluidParticles<3>;
template void gather(const Device&, const Buffer<std::uint32_t>&, std::size_t, VectorBuffer<1>&,
                     VectorBuffer<1>&);
template void gather(const Device&, const Buffer<std::uint32_t>&, std::size_t, VectorBuffer<2>&,
                     VectorBuffer<2>&);
template void gather(const Device&, const Buffer<std::uint32_t>&, std::size_t, VectorBuffer<3>&,
                     VectorBuffer<3>&);

}  // namespace millrace
