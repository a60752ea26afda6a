#pragma once

#include <vector>

#include "neighbors/near_mask.hpp"
#include "neighbors/uniform_grid.hpp"

namespace millrace {

/// Sorted particles begin ... end - 1.
struct Run {
    std::uint32_t begin, end;
};

/// The points near every particle. On the CPU: runs of sorted points, which hold all points within
/// the radius and some beyond it. On the GPU: the numbers of the points within the radius, entry k
/// of 32 particles side by side. A particle that is itself among the points is its own neighbour.
template <int D>
struct NeighborView {
    VectorView<D> point;
    float radius;
    const std::uint32_t* count;  ///< of a particle's runs (CPU) or neighbours (GPU)
    const Run* runs;             ///< CPU: `stride` places for every particle
    std::uint32_t stride;
    const std::uint32_t* offset;  ///< GPU: first row of a slice of particles
    const std::uint32_t* index;   ///< GPU: rows of k_slice entries

    static constexpr std::uint32_t k_slice = 32;

    /// Calls body(j, x_ij, r2) for groups of points j, with x_ij = x - x_j and r2 its squared
    /// length. A lane that holds no neighbour may be filled with any other point or have r2 set
    /// beyond the radius: a body multiplies with the kernel, which is zero there.
    template <class Body>
    MILLRACE_HD void for_each(std::uint32_t i, const Vec<D>& x, Body&& body) const {
#if defined(__CUDA_ARCH__)
        const std::uint32_t n = count[i];
        const std::uint32_t* entry =
            index + std::size_t{offset[i / k_slice]} * k_slice + i % k_slice;
        for (std::uint32_t k = 0; k < n; ++k, entry += k_slice) {
            const LaneIndex j{*entry};
            const Vec<D> x_ij = x - point.get(j.first);
            body(j, x_ij, squared_norm(x_ij));
        }
#else
        const Vec<D, Lanes> x_i = spread(x);
        const Lanes beyond(4.0f * radius * radius);
        const VectorView<D> points = point;
        const Run* run = runs + std::size_t{i} * stride;
        const Run* const stop = run + count[i];
        // One loop over all packs of all runs, without a branch where a run ends: most runs are a
        // single pack. The place behind the last run may be read.
        std::uint32_t first = run->begin, end = run->end;
        while (run != stop) {
            const LaneIndex j{first};
            const Vec<D, Lanes> x_ij = x_i - points.lanes(j);
            const PackMask within = first_lanes(static_cast<int>(end - first));
            body(j, x_ij, select(within, squared_norm(x_ij), beyond));
            const bool done = first + k_lanes >= end;
            run += done;
            first = done ? run->begin : first + k_lanes;
            end = run->end;
        }
#endif
    }

    /// Calls body(j, x_ij, r2) for every single point within the radius: slower on the CPU, for
    /// what cannot be done in packs.
    template <class Body>
    MILLRACE_HD void for_each_single(std::uint32_t i, const Vec<D>& x, Body&& body) const {
#if defined(__CUDA_ARCH__)
        for_each(i, x, [&](LaneIndex j, const Vec<D>& x_ij, float r2) {
            if (r2 < radius * radius)
                body(j.first, x_ij, r2);
        });
#else
        for_each(i, x, [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
            unsigned bits = lane_bits(r2 < Lanes(radius * radius));
            for (int lane = 0; bits != 0; ++lane, bits >>= 1) {
                if (!(bits & 1))
                    continue;
                Vec<D> single;
                for (int k = 0; k < D; ++k)
                    single[k] = x_ij[k].v[lane];
                body(j.first + static_cast<std::uint32_t>(lane), single, r2.v[lane]);
            }
        });
#endif
    }
};

/// Builds the neighbours of query particles among the particles of a grid.
template <int D>
class NeighborList {
  public:
    explicit NeighborList(const Device& device)
        : counts_(device), offset_(device), runs_(device), index_(device) {}

    /// `points` are in the order of `grid`; `queries` may be the same. Queries to which the mask
    /// says that no point is near get none.
    void build(const Device& device, const GridView<D>& grid, VectorView<D> points,
               VectorView<D> queries, std::size_t query_count, const NearMaskView<D>& mask = {});

    const NeighborView<D>& view() const { return view_; }
    /// The numbers of the points within the radius of every query particle, ascending. For tests.
    std::vector<std::vector<std::uint32_t>> to_host(const std::vector<Vec<D>>& points,
                                                    const std::vector<Vec<D>>& queries) const;
    std::size_t bytes() const {
        return counts_.bytes() + offset_.bytes() + runs_.bytes() + index_.bytes();
    }

  private:
    NeighborView<D> view_{};
    Buffer<std::uint32_t> counts_, offset_;
    Buffer<Run> runs_;
    Buffer<std::uint32_t> index_;
};

}  // namespace millrace
