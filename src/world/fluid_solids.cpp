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
        solid.parts = std::get<Solid<D>>(body.solid).distances(thickness, reach, spacing);
        solids_.push_back(std::move(solid));
    }
    for (const WallDescription& wall : description.walls) {
        Felt solid;
        solid.parts = std::get<Solid<D>>(wall.solid).distances(thickness, reach, spacing);
        solids_.push_back(std::move(solid));
    }
    for (std::uint32_t s = 0; s < solids_.size(); ++s)
        for (const auto& part : solids_[s].parts)
            parts_.push_back({s, part.get(), {}, {}});
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
void FluidSolids<D>::place_box(Part& part, float reach) const {
    const Felt& solid = solids_[part.solid];
    Vec<D> low, high;
    part.distance->bounds(low, high);
    const Vec<D> middle = solid.position + solid.rotation * ((low + high) * 0.5f);
    for (int k = 0; k < D; ++k) {
        float half = reach;
        for (int l = 0; l < D; ++l)
            half += 0.5f * std::abs(solid.rotation(k, l)) * (high[l] - low[l]);
        part.min[k] = middle[k] - half;
        part.max[k] = middle[k] + half;
    }
}

template <int D>
void FluidSolids<D>::list_parts_of_strips(const Columns<D>& columns) {
    strip_parts_.resize(columns.strips().size());
    for (std::vector<std::uint32_t>& parts : strip_parts_)
        parts.clear();
    for (std::uint32_t p = 0; p < parts_.size(); ++p)
        columns.for_each_strip_near(parts_[p].min, parts_[p].max,
                                    [&](std::uint32_t s) { strip_parts_[s].push_back(p); });
}

/// The contacts of a strip.
template <int D>
void FluidSolids<D>::look(const Columns<D>& columns, std::uint32_t s, std::span<const float> way,
                          const WallField& field) {
    std::vector<SolidContact<D>>& found = found_[s];
    found.clear();
    const auto& strip = columns.strips()[s];
    for (const std::uint32_t p : strip_parts_[s]) {
        const Part& part = parts_[p];
        for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
            if (!columns.may_meet(c, part.min, part.max))
                continue;
            const auto run = columns.between(c, part.min[1], part.max[1]);
            for (std::uint32_t i = run.begin; i < run.end; ++i) {
                const auto sample = look(part, columns.position(i));
                if (!(sample.distance < (way.empty() ? reach_ : reach_ + way[i])))
                    continue;
                const auto value = field.at(sample.distance);
                found.push_back(
                    {i, part.solid, sample.normal, sample.distance, value.density, value.slope});
            }
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.particle < b.particle; });
    for (const SolidContact<D>& contact : found)
        ++start_[contact.particle + 1];
}

template <int D>
void FluidSolids<D>::find(const Workers& workers, const Columns<D>& columns,
                          std::span<const float> way, const WallField& field) {
    const float longest = way.empty() ? 0 : *std::max_element(way.begin(), way.end());
    for (Part& part : parts_)
        place_box(part, reach_ + std::min(longest, 4 * reach_));
    list_parts_of_strips(columns);
    found_.resize(columns.strips().size());
    start_.assign(columns.count() + 1, 0);
    columns.for_each_strip(workers, [&](std::uint32_t s) { look(columns, s, way, field); });
    for (std::size_t i = 0; i < columns.count(); ++i)
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
