#pragma once

#include <algorithm>
#include <cmath>

#include "diffuse/advance.hpp"
#include "exec/device.hpp"
#include "neighbors/uniform_grid.hpp"

namespace millrace {

/// The fluid of a frame in the order of a grid, for questions about what is near a place. Particles
/// that are not finite are left out.
class SortedFluid {
  public:
    SortedFluid(const Device& device, const FluidFrame& frame, double spacing);

    std::size_t count() const { return count_; }
    const VectorView<3>& positions() const { return position_; }   ///< [m]
    const VectorView<3>& velocities() const { return velocity_; }  ///< [m/s]
    /// Its place in the frame.
    std::uint32_t original(std::uint32_t sorted) const { return grid_.order().data()[sorted]; }
    float support() const { return support_; }  ///< H = 2 h [m]

    /// The cell of a place, or the one at the border that is nearest to it, in the order of the
    /// particles: places asked for in this order find what they need in the cache.
    std::uint32_t cell_of(const Vec3& x) const {
        const GridView<3>& grid = grid_.view();
        std::uint32_t index = 0;
        for (int k = 2; k >= 0; --k) {
            const int c = grid.wrap(static_cast<int>(std::floor(grid.coordinate(x[k], k))), k);
            index = index * static_cast<std::uint32_t>(grid.dims[k]) +
                    static_cast<std::uint32_t>(std::clamp(c, 0, grid.dims[k] - 1));
        }
        return index;
    }
    std::uint32_t cell_count() const {
        const int* dims = grid_.view().dims;
        return static_cast<std::uint32_t>(dims[0]) * static_cast<std::uint32_t>(dims[1]) *
               static_cast<std::uint32_t>(dims[2]);
    }

    /// Calls body(j, x_ij, r2) for packs of particles that together hold all within H of x, with
    /// x_ij = x - x_j and r2 its squared length. In lanes without a particle r2 is beyond H^2.
    template <class Body>
    void for_each_near(const Vec3& x, Body&& body) const {
        const Vec<3, Pack> x_i = spread(x);
        const Pack beyond(4 * support_ * support_);
        grid_.view().for_each_run(x, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t first = begin; first < end; first += k_lanes) {
                const LaneIndex j{first};
                const Vec<3, Pack> x_ij = x_i - position_.lanes(j);
                const PackMask within = first_lanes(static_cast<int>(end - first));
                body(j, x_ij, select(within, squared_norm(x_ij), beyond));
            }
        });
    }

  private:
    float support_;
    std::size_t count_ = 0;
    UniformGrid<3> grid_;
    VectorBuffer<3> positions_, velocities_;
    VectorView<3> position_, velocity_;
};

}  // namespace millrace
