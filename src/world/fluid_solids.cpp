#include "world/fluid_solids.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr double k_slab = 8;  ///< thickness of a tank's walls, in spacings

}  // namespace

template <int D>
FluidSolids<D>::FluidSolids(const RigidDescription& description, double reach, double spacing)
    : reach_(static_cast<float>(reach)) {
    const double thickness = k_slab * spacing + reach;
    for (const BodyDescription& body : description.bodies) {
        Felt solid;
        solid.parts =
            std::get<Solid<D>>(body.solid).distances(thickness, reach, spacing);
        solids_.push_back(std::move(solid));
    }
    for (const WallDescription& wall : description.walls) {
        Felt solid;
        solid.parts =
            std::get<Solid<D>>(wall.solid).distances(thickness, reach, spacing);
        solids_.push_back(std::move(solid));
    }
    for (std::uint32_t s = 0; s < solids_.size(); ++s)
        for (const auto& part : solids_[s].parts)
            parts_.push_back({s, part.get()});
}

template <int D>
void FluidSolids<D>::place(Felt& solid, const BodyState& state) {
    const Mat3d rotation = to_matrix(state.rotation);
    for (int k = 0; k < D; ++k) {
        solid.position[k] = static_cast<float>(state.position[k]);
        for (int l = 0; l < D; ++l)
            solid.rotation(k, l) = static_cast<float>(rotation(k, l));
    }
}

template <int D>
void FluidSolids<D>::place(std::span<const BodyState> bodies, std::span<const BodyState> walls) {
    for (std::size_t b = 0; b < bodies.size(); ++b)
        place(solids_[b], bodies[b]);
    for (std::size_t w = 0; w < walls.size(); ++w)
        place(solids_[bodies.size() + w], walls[w]);
}

template <int D>
typename SignedDistance<D>::Sample FluidSolids<D>::look(const Part& part, const Vec<D>& x) const {
    const Felt& solid = solids_[part.solid];
    auto sample = part.distance->at(transpose(solid.rotation) * (x - solid.position));
    sample.normal = solid.rotation * sample.normal;
    return sample;
}

template <int D>
void FluidSolids<D>::world_bounds(const Part& part, float reach, Vec<D>& min, Vec<D>& max) const {
    const Felt& solid = solids_[part.solid];
    Vec<D> low, high;
    part.distance->bounds(low, high);
    const Vec<D> middle = solid.position + solid.rotation * ((low + high) * 0.5f);
    for (int k = 0; k < D; ++k) {
        float half = reach;
        for (int l = 0; l < D; ++l)
            half += 0.5f * std::abs(solid.rotation(k, l)) * (high[l] - low[l]);
        min[k] = middle[k] - half;
        max[k] = middle[k] + half;
    }
}

/// Which parts a particle of every cell may be near to.
template <int D>
void FluidSolids<D>::list_parts_in_cells(const Blocks<D>& blocks, float reach) {
    cell_start_.assign(blocks.cells() + 1, 0);
    const auto for_each_cell = [&](const Part& part, const auto& body) {
        Vec<D> min, max;
        world_bounds(part, reach, min, max);
        const auto range = blocks.cells_between(min, max);
        std::uint32_t at[D];
        const auto visit = [&](const auto& self, int axis) -> void {
            if (axis == D) {
                body(blocks.cell(at));
                return;
            }
            for (at[axis] = range.low[axis]; at[axis] <= range.high[axis]; ++at[axis])
                self(self, axis + 1);
        };
        visit(visit, 0);
    };
    for (const Part& part : parts_)
        for_each_cell(part, [&](std::uint32_t cell) { ++cell_start_[cell + 1]; });
    for (std::size_t c = 0; c + 1 < cell_start_.size(); ++c)
        cell_start_[c + 1] += cell_start_[c];
    cell_parts_.resize(cell_start_.back());
    for (std::uint32_t p = 0; p < parts_.size(); ++p)
        for_each_cell(parts_[p], [&](std::uint32_t cell) { cell_parts_[cell_start_[cell]++] = p; });
    for (std::size_t c = cell_start_.size() - 1; c > 0; --c)
        cell_start_[c] = cell_start_[c - 1];
    cell_start_[0] = 0;
}

template <int D>
void FluidSolids<D>::find(const Workers& workers, const Blocks<D>& blocks,
                          std::span<const Vec<D>> points, std::span<const float> way,
                          const WallField& field) {
    constexpr std::size_t k_cells = 64;  // that are looked at together
    const float longest = way.empty() ? 0 : *std::max_element(way.begin(), way.end());
    list_parts_in_cells(blocks, reach_ + std::min(longest, 4 * reach_));
    const std::size_t groups = (blocks.cells() + k_cells - 1) / k_cells;
    found_.resize(groups);
    start_.assign(points.size() + 1, 0);
    workers.for_each(groups, [&](std::size_t g) {
        std::vector<SolidContact<D>>& found = found_[g];
        found.clear();
        const std::size_t last = std::min(blocks.cells(), (g + 1) * k_cells);
        for (std::size_t c = g * k_cells; c < last; ++c) {
            if (cell_start_[c] == cell_start_[c + 1])
                continue;
            const auto run = blocks.points_of(c);
            for (std::uint32_t i = run.begin; i < run.end; ++i)
                for (std::uint32_t k = cell_start_[c]; k < cell_start_[c + 1]; ++k) {
                    const Part& part = parts_[cell_parts_[k]];
                    const auto sample = look(part, points[i]);
                    if (!(sample.distance < (way.empty() ? reach_ : reach_ + way[i])))
                        continue;
                    const auto value = field.at(sample.distance);
                    found.push_back({i, part.solid, sample.distance, sample.normal, value.density,
                                     value.slope});
                    ++start_[i + 1];
                }
        }
    });
    for (std::size_t i = 0; i < points.size(); ++i)
        start_[i + 1] += start_[i];
    contacts_.clear();
    for (const auto& found : found_)
        contacts_.insert(contacts_.end(), found.begin(), found.end());
}

template <int D>
float FluidSolids<D>::distance(const Vec<D>& x) const {
    float nearest = reach_;
    for (const Part& part : parts_)
        nearest = std::min(nearest, look(part, x).distance);
    return nearest;
}

template <int D>
std::size_t FluidSolids<D>::bytes() const {
    std::size_t all = contacts_.capacity() * sizeof(SolidContact<D>);
    for (const Part& part : parts_)
        all += part.distance->bytes();
    return all;
}

template class FluidSolids<2>;
template class FluidSolids<3>;

}  // namespace millrace
