#pragma once

#include "exec/vector_buffer.hpp"
#include "math/spin.hpp"

namespace millrace {

/// The state of the fluid, kept sorted by grid cell; `id` stays with a particle for its life.
template <int D>
struct FluidParticles {
    explicit FluidParticles(const Device& device)
        : position(device),
          velocity(device),
          volume(device),
          pressure(device),
          divergence_pressure(device),
          id(device),
          fluid(device),
          spin(device),
          swap_vector_(device),
          swap_float_(device),
          swap_index_(device),
          swap_byte_(device),
          swap_spin_(device) {}

    std::size_t count = 0;
    VectorBuffer<D> position;           ///< [m]
    VectorBuffer<D> velocity;           ///< [m/s]
    Buffer<float> volume;               ///< at rest, V = m / rho0 [m^D]
    Buffer<float> pressure;             ///< [Pa]
    Buffer<float> divergence_pressure;  ///< with which the next solve begins; see FluidView
    Buffer<std::uint32_t> id;
    Buffer<std::uint8_t> fluid;  ///< which of the scene's fluids
    bool turns = false;          ///< whether the particles have a spin, set before the first resize
    VectorBuffer<k_spin_size<D>> spin;  ///< of the particles themselves [rad/s]; empty: none

    void resize(std::size_t n);
    /// Brings the particle at order[p] to place p and keeps the first n.
    void reorder(const Device& device, const Buffer<std::uint32_t>& order, std::size_t n);
    /// Adds particles at rest pressure and without spin, with ids from `first_id` on.
    void append(const Device& device, const std::vector<Vec<D>>& positions, const Vec<D>& v,
                float v0, std::uint32_t first_id, std::uint8_t which);
    std::size_t bytes() const;

  private:
    VectorBuffer<D> swap_vector_;
    Buffer<float> swap_float_;
    Buffer<std::uint32_t> swap_index_;
    Buffer<std::uint8_t> swap_byte_;
    VectorBuffer<k_spin_size<D>> swap_spin_;
};

/// out[p] = in[order[p]] for p < n, by way of a second buffer that takes the place of the first.
template <int D>
void gather(const Device& device, const Buffer<std::uint32_t>& order, std::size_t n,
            VectorBuffer<D>& values, VectorBuffer<D>& swap);
template <class T>
void gather(const Device& device, const Buffer<std::uint32_t>& order, std::size_t n,
            Buffer<T>& values, Buffer<T>& swap);

}  // namespace millrace
