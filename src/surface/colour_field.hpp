#pragma once

#include "surface/particle_blocks.hpp"

namespace millrace {

struct Anisotropy;

/// What particles bring to the colour field; one each, in the order of their blocks, and a
/// pack more.
struct ParticleWeights {
    std::vector<float> volume;     ///< m / rho [cells^3]
    std::vector<float> neighbors;  ///< how many others lie within the radius of the kernel
};

/// rho_i = sum_j m W(x_i - x_j, H) over the fluid alone, itself included, so that a particle's
/// volume m / rho_i = 1 / sum_j W(x_i - x_j, H) does not depend on the mass.
ParticleWeights particle_weights(const ParticleBlocks& particles);

/// The colour field <1>(x) = sum_j m_j/rho_j W(x - x_j, H) of S1 Eq. 5.1 at the lattice points of a
/// block, those on all of its faces included.
struct FieldBlock {
    static constexpr int k_points = k_block + 1;
    static constexpr int k_row = k_points + 7;  // a pack may start at the last point

    alignas(32) float value[k_points][k_points][k_row];

    /// With `shapes`, kernels are stretched (Yu and Turk 2013). False where all is 0.
    bool fill(const ParticleBlocks& particles, const ParticleWeights& weights,
              const Anisotropy* shapes, const BlockPlace& place);
};

/// The same at any place, with round kernels; in cells from the corner of the block in the middle
/// of `near`.
float colour_at(const ParticleBlocks& particles, const ParticleWeights& weights,
                const std::array<std::uint32_t, 27>& near, const Vec3& place);

/// The blocks with a point within reach of a particle.
BlockIndex field_blocks(const ParticleBlocks& particles, const Anisotropy* shapes);

}  // namespace millrace
