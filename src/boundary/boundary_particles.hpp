#pragma once

#include <span>
#include <vector>

#include "boundary/frame.hpp"
#include "neighbors/neighbor_list.hpp"

namespace millrace {

/// Samples that stay together: a wall or a body.
template <int D>
struct BoundaryObject {
    std::vector<Vec<D>> samples;  ///< in the object's frame
    Frame<D> frame;               ///< at the start
    bool moves = false;
};

inline constexpr std::uint32_t k_static_sample = 0xffffffff;

/// The samples of walls and bodies: one layer (S1 4.1; Akinci et al. 2012).
///
/// Every sample has an effective volume, such that the solid has rest density at every sample:
/// sum_l V_l W_kl = 1. At the start this is iterated (S1 Eq. 4.5-4.6, as corrected in
/// docs/errata.md), over all static samples together and over those of every moving object alone.
/// With these volumes V0, moving samples and static ones near them get in every step
///
///     V_k = V0_k / sum_l V0_l W_kl
///
/// over all samples: one round of the iteration, which gives V0 again where an object is alone. The
/// static samples concerned are found by the two rules of S1 4.1.2: a moving sample sets the
/// counters of static ones in its support to 2; those with a counter are updated, and count down.
template <int D>
class BoundaryParticles {
  public:
    /// `max_cells` bounds the table of grid cells.
    BoundaryParticles(const Device& device, const std::vector<BoundaryObject<D>>& objects,
                      float radius, std::size_t max_cells);
    /// Walls that stand still.
    BoundaryParticles(const Device& device, const std::vector<Vec<D>>& samples, float radius,
                      std::size_t max_cells);

    /// Moves the samples of moving objects; one frame for every object.
    void place(const Device& device, std::span<const Frame<D>> frames);

    std::size_t count() const { return count_; }
    bool anything_moves() const { return moving_count_ > 0; }
    VectorView<D> position() const { return position_.view(); }
    const float* volume() const { return volume_.data(); }
    /// The moving object of every sample, or k_static_sample.
    const std::uint32_t* object() const { return object_.data(); }
    std::vector<Vec<D>> host_positions() const { return position_.to_host(); }
    std::vector<std::uint32_t> host_objects() const { return object_.to_host(); }
    std::vector<float> host_volumes() const { return volume_.to_host(); }
    const GridView<D>& grid() const { return grid_.view(); }
    const NearMaskView<D>& near() const { return near_.view(); }
    std::size_t bytes() const;

  private:
    void sort(const Device& device);
    void find_start_volumes(const Device& device);
    void update_volumes(const Device& device);

    std::size_t count_ = 0, moving_count_ = 0;
    float radius_;
    std::size_t max_cells_;
    // in the order of the scene: all static samples, then the moving ones
    VectorBuffer<D> local_, placed_;
    Buffer<std::uint32_t> object_of_;
    Buffer<float> start_volume_;
    Buffer<std::uint8_t> counter_;
    Buffer<Frame<D>> frames_;
    // sorted by grid cell
    VectorBuffer<D> position_;
    Buffer<float> volume_, sorted_start_volume_;
    Buffer<std::uint32_t> object_;
    UniformGrid<D> grid_;
    NearMask<D> near_;
};

}  // namespace millrace
