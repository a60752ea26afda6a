#pragma once

#include <vector>

#include "neighbors/neighbor_list.hpp"

namespace millrace {

/// The samples of the walls: one layer (S1 4.1; Akinci et al. 2012).
template <int D>
class BoundaryParticles {
  public:
    /// Sorts the samples and gives each an effective volume, such that the wall has rest density
    /// at every sample: sum_l V_l W_kl = 1 (S1 Eq. 4.5-4.6, as corrected in docs/errata.md).
    /// `max_cells` bounds the table of grid cells.
    BoundaryParticles(const Device& device, const std::vector<Vec<D>>& samples, float radius,
                      std::size_t max_cells);

    std::size_t count() const { return count_; }
    VectorView<D> position() const { return position_.view(); }
    const float* volume() const { return volume_.data(); }
    std::vector<Vec<D>> host_positions() const { return position_.to_host(); }
    std::vector<float> host_volumes() const { return volume_.to_host(); }
    const GridView<D>& grid() const { return grid_.view(); }
    const NearMaskView<D>& near() const { return near_.view(); }
    std::size_t bytes() const {
        return position_.bytes() + volume_.bytes() + grid_.bytes() + near_.bytes();
    }

  private:
    std::size_t count_;
    VectorBuffer<D> position_;
    Buffer<float> volume_;
    UniformGrid<D> grid_;
    NearMask<D> near_;
};

}  // namespace millrace
