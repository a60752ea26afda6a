#include "surface/walls.hpp"

#include <algorithm>
#include <bit>

namespace millrace {

namespace {

constexpr int k_points = FieldBlock::k_points;

// So near to another side of its solid no image may lie, in spacings: half a spacing outside of a
// layer of particles is the surface.
constexpr double k_off_other_side = 0.7;

// The images of one solid.
void mirror_at(const PlacedSolid& solid, float reach, float off, MirroredFluid& fluid) {
    const std::size_t count = fluid.positions.size() / 3;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 x{
            {fluid.positions[3 * i], fluid.positions[3 * i + 1], fluid.positions[3 * i + 2]}};
        if (!solid.may_hold(x, reach))
            continue;
        const auto here = solid.at(x);
        if (!(here.distance > 0 && here.distance < reach))
            continue;
        const Vec3 image = x - here.normal * (2 * here.distance);
        if (!solid.may_hold(image) ||
            !(solid.at(image).distance <= -0.9f * std::min(here.distance, off)))
            continue;
        fluid.positions.insert(fluid.positions.end(), image.c, image.c + 3);
        for (std::size_t k = 0; k < 3 && !fluid.velocities.empty(); ++k)
            fluid.velocities.push_back(fluid.velocities[3 * i + k]);
    }
}

}  // namespace

MirroredFluid mirror_fluid(std::span<const float> positions, std::span<const float> velocities,
                           std::span<const PlacedSolid> solids, double reach, double spacing) {
    MirroredFluid fluid{{positions.begin(), positions.end()},
                        {velocities.begin(), velocities.end()}};
    for (const PlacedSolid& solid : solids)
        mirror_at(solid, static_cast<float>(reach), static_cast<float>(k_off_other_side * spacing),
                  fluid);
    return fluid;
}

Vec3 BlockWalls::world(int x, int y, int z) const {
    const int point[3] = {x, y, z};
    Vec3 at;
    for (int k = 0; k < 3; ++k)  // the same bits in all blocks that share the point
        at[k] = static_cast<float>((double(place_[k]) * k_block + point[k]) * cell_);
    return at;
}

bool BlockWalls::find(const FieldBlock& field, float threshold, std::span<const PlacedSolid> solids,
                      const BlockPlace& place, double cell) {
    solids_ = solids;
    place_ = place;
    cell_ = cell;
    near_.clear();
    const Vec3 low = world(0, 0, 0), high = world(k_block, k_block, k_block);
    for (std::size_t s = 0; s < solids.size(); ++s) {
        bool apart = false;
        for (int k = 0; k < 3; ++k)
            apart |= solids[s].min[k] > high[k] || solids[s].max[k] < low[k];
        if (!apart)
            near_.push_back(static_cast<std::uint16_t>(s + 1));
    }
    if (near_.empty())
        return false;
    for (int z = 0; z < k_points; ++z)
        for (int y = 0; y < k_points; ++y) {
            std::uint32_t bits = 0;
            for (int x = 0; x < k_points; ++x) {
                if (field.value[z][y][x] < threshold)
                    continue;
                const Vec3 at = world(x, y, z);
                const bool is_solid = std::ranges::any_of(near_, [&](std::uint16_t number) {
                    const PlacedSolid& solid = solids_[number - 1];
                    return solid.may_hold(at) && solid.at(at).distance <= 0;
                });
                bits |= std::uint32_t{is_solid} << x;
            }
            solid_[z][y] = bits;
        }
    return true;
}

BlockWalls::Entry BlockWalls::entry(const std::array<int, 3>& fluid,
                                    const std::array<int, 3>& solid) const {
    const Vec3 from = world(fluid[0], fluid[1], fluid[2]), to = world(solid[0], solid[1], solid[2]);
    Entry first{2, 0};
    for (const std::uint16_t number : near_) {
        const PlacedSolid& part = solids_[number - 1];
        if (!part.may_hold(to))
            continue;
        const float there = part.at(to).distance;
        if (there > 0)
            continue;
        const float here = std::max(part.at(from).distance, 0.f);
        const float s = here > there ? here / (here - there) : 0;
        if (s < first.part)
            first = {s, number};
    }
    return first;
}

}  // namespace millrace
