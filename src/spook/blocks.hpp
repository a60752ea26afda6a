#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/workers.hpp"
#include "math/vec.hpp"

namespace millrace {

/// Points sorted by cells as wide as the kernel reaches: by pillars of cells along y, and by cell
/// within a pillar, so that the neighbours of a point lie in 3^(D-1) runs.
///
/// Two by two pillars (in 2D two) are a block. What a point of one block writes to, itself and its
/// neighbours, no point of the block after the next touches: the blocks of one colour, every other
/// one along every axis but y, may be swept at once, and the result does not depend on which thread
/// swept what.
template <int D>
class Blocks {
  public:
    static constexpr int k_colors = D == 2 ? 2 : 4;
    static constexpr int k_runs = D == 2 ? 3 : 9;

    struct Run {
        std::uint32_t begin, end;  ///< points
    };
    struct Block {
        std::uint32_t pillars[k_colors];  ///< the first `count` are there
        std::uint32_t count;
        std::uint32_t points;
    };

    /// Sorts the points: `order` gets the number of the point at every place.
    void sort(std::span<const Vec<D>> points, float width, std::vector<std::uint32_t>& order);

    std::uint32_t count() const { return start_.empty() ? 0 : start_.back(); }
    const std::vector<Block>& blocks() const { return blocks_; }
    /// Numbers of the blocks that may be swept at once.
    const std::vector<std::uint32_t>& of_color(int color) const { return colors_[color]; }

    Run pillar(std::uint32_t p) const { return {start_[p * height_], start_[(p + 1) * height_]}; }

    /// The runs that hold the neighbours of all points of a cell; returns how many there are.
    int runs(std::uint32_t pillar, std::uint32_t level, Run out[k_runs]) const;
    /// Calls body(points, runs, count) for every cell of a pillar that is not empty, upwards.
    template <class Body>
    void for_each_cell(std::uint32_t pillar, const Body& body) const {
        for (std::uint32_t level = 0; level < height_; ++level) {
            const std::uint32_t cell = pillar * height_ + level;
            if (start_[cell] == start_[cell + 1])
                continue;
            Run around[k_runs];
            const int n = runs(pillar, level, around);
            body(Run{start_[cell], start_[cell + 1]}, around, n);
        }
    }

    /// Cells from `min` to `max` [m], clamped to what there is.
    struct Range {
        std::uint32_t low[D], high[D];  ///< both of them within
    };
    Range cells_between(const Vec<D>& min, const Vec<D>& max) const;
    std::uint32_t cell(const std::uint32_t place[D]) const;
    std::size_t cells() const { return start_.empty() ? 0 : start_.size() - 1; }
    Run points_of(std::size_t cell) const { return {start_[cell], start_[cell + 1]}; }

  private:
    std::uint32_t cell_along(float x, int axis) const;
    void find_blocks();

    float width_ = 1;
    Vec<D> origin_ = Vec<D>::all(0);
    std::uint32_t size_[D] = {};
    std::uint32_t height_ = 1;
    std::vector<std::uint32_t> start_;  ///< of every cell, and the end
    std::vector<std::uint32_t> cell_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> colors_[k_colors];
};

}  // namespace millrace
