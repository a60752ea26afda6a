#include "pool/clavet_springs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace millrace {

namespace {

/// The rest length after dt (Clavet et al. 2005, Algorithm 4).
float flowed(float length, float r, float dt, const FluidMaterial& material) {
    const float rate = dt * material.plasticity / (1 + dt * material.plasticity);
    const float bears = material.yield_ratio * length;
    if (r > length + bears)
        return length + rate * (r - length - bears);
    if (r < length - bears)
        return length - rate * (length - bears - r);
    return length;
}

}  // namespace

/// A table of the particles whose fluids have springs, open with linear probing.
void ClavetSprings::find_places(const SubStep& step) {
    const std::size_t size = std::bit_ceil(2 * static_cast<std::size_t>(step.count()) + 2);
    table_shift_ = 32 - std::countr_zero(size);
    table_.assign(size, {0, k_nowhere});
    for (std::uint32_t i = 0; i < step.count(); ++i) {
        if (step.materials[step.fluid[i]].spring_stiffness <= 0)
            continue;
        std::size_t slot = (step.id[i] * 2654435769u) >> table_shift_;
        while (table_[slot].place != k_nowhere)
            slot = (slot + 1) & (size - 1);
        table_[slot] = {step.id[i], i};
    }
    first_.assign(step.count(), k_nowhere);
    for (std::uint32_t s = 0; s < springs_.size(); ++s) {
        if (s > 0 && springs_[s].a == springs_[s - 1].a)
            continue;
        const std::uint32_t i = place_of(springs_[s].a);
        if (i != k_nowhere)
            first_[i] = s;
    }
}

std::uint32_t ClavetSprings::place_of(ParticleId id) const {
    std::size_t slot = (id * 2654435769u) >> table_shift_;
    while (table_[slot].place != k_nowhere && table_[slot].id != id)
        slot = (slot + 1) & (table_.size() - 1);
    return table_[slot].place;
}

void ClavetSprings::adjust(const SubStep& step, const DisplacedPlaces& places,
                           const std::vector<Columns<2>::Run>& runs, float h) {
    const std::vector<Columns<2>::Strip>& strips = step.columns.strips();
    find_places(step);
    strips_.resize(strips.size());
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        adjust_strip(step, places, runs, h, strips[s], strips_[s]);
    });
    springs_.clear();
    for (const StripSprings& strip : strips_)
        springs_.insert(springs_.end(), strip.springs.begin(), strip.springs.end());
}

/// The springs of the strip's particles that go on, and those that begin.
void ClavetSprings::adjust_strip(const SubStep& step, const DisplacedPlaces& places,
                                 const std::vector<Columns<2>::Run>& runs, float h,
                                 const Columns<2>::Strip& strip, StripSprings& out) const {
    const Columns<2>& columns = step.columns;
    out.springs.clear();
    out.links.clear();
    for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
        const FluidMaterial& material = step.materials[step.fluid[i]];
        if (material.spring_stiffness <= 0)
            continue;
        const auto keep = [&](std::uint32_t j, float length, float r, bool is_near) {
            length = flowed(length, r, step.dt, material);
            if (length > h)
                return;
            out.springs.push_back({step.id[i], step.id[j], length});
            out.links.push_back({i, j, is_near});
        };
        const auto is_near = [&](std::uint32_t j) {
            for (int k = 0; k < 3; ++k)
                if (j >= runs[3 * i + k].begin && j < runs[3 * i + k].end)
                    return true;
            return false;
        };
        std::uint32_t end = first_[i];
        for (; end < springs_.size() && springs_[end].a == step.id[i]; ++end) {
            const std::uint32_t j = place_of(springs_[end].b);
            if (j != k_nowhere && step.fluid[j] == step.fluid[i])
                keep(j, springs_[end].length, norm(places.between(columns, i, j)), is_near(j));
        }
        for (int k = 0; k < 3; ++k)
            for (std::uint32_t j = runs[3 * i + k].begin; j < runs[3 * i + k].end; ++j) {
                if (step.id[j] <= step.id[i] || step.fluid[j] != step.fluid[i])
                    continue;
                const float r = norm(places.between(columns, i, j));
                if (r >= h)
                    continue;
                bool is_new = true;
                for (std::uint32_t s = first_[i]; s < end && is_new; ++s)
                    is_new = springs_[s].b != step.id[j];
                if (is_new)
                    keep(j, h, r, true);
            }
    }
}

void ClavetSprings::relax(const SubStep& step, DisplacedPlaces& places, float h) const {
    const auto pull = [&](const StripSprings& strip, std::size_t s) {
        const Link& link = strip.links[s];
        const float length = strip.springs[s].length;
        const float k = step.materials[step.fluid[link.i]].spring_stiffness;
        const float stiffness = step.dt * step.dt * k * (1 - length / h);
        const Vec2 to_j = -places.between(step.columns, link.i, link.j);
        const float r = norm(to_j);
        if (r > 0)
            places.part(link.i, link.j, to_j * (stiffness / (1 + stiffness) * (length - r) / r));
    };
    for (int color = 0; color < 2; ++color) {
        step.columns.for_each_of_color(step.workers, color, [&](std::uint32_t k) {
            const StripSprings& strip = strips_[k];
            for (std::size_t s = 0; s < strip.springs.size(); ++s)
                if (strip.links[s].is_near)
                    pull(strip, s);
        });
    }
    // springs that are longer than the kernel may reach into any strip
    for (const StripSprings& strip : strips_)
        for (std::size_t s = 0; s < strip.springs.size(); ++s)
            if (!strip.links[s].is_near)
                pull(strip, s);
}

std::vector<std::byte> ClavetSprings::memory() const {
    const auto bytes = std::as_bytes(std::span(springs_));
    return {bytes.begin(), bytes.end()};
}

bool ClavetSprings::remember(std::span<const std::byte> memory) {
    if (memory.size() % sizeof(Spring) != 0)
        return false;
    std::vector<Spring> springs(memory.size() / sizeof(Spring));
    if (!springs.empty())
        std::memcpy(springs.data(), memory.data(), memory.size());
    for (const Spring& spring : springs)
        if (!(spring.a < spring.b) || !(spring.length >= 0) || !std::isfinite(spring.length))
            return false;
    springs_ = std::move(springs);
    return true;
}

}  // namespace millrace
