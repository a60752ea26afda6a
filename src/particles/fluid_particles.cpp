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
    count = n;
}

template <int D>
std::size_t FluidParticles<D>::bytes() const {
    return position.bytes() + velocity.bytes() + volume.bytes() + pressure.bytes() +
           divergence_pressure.bytes() + id.bytes() + fluid.bytes() + swap_vector_.bytes() +
           swap_float_.bytes() + swap_index_.bytes() + swap_byte_.bytes();
}

template struct FluidParticles<2>;
template struct FluidParticles<3>;
template void gather(const Device&, const Buffer<std::uint32_t>&, std::size_t, VectorBuffer<2>&,
                     VectorBuffer<2>&);
template void gather(const Device&, const Buffer<std::uint32_t>&, std::size_t, VectorBuffer<3>&,
                     VectorBuffer<3>&);

}  // namespace millrace
