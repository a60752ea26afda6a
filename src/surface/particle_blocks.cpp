#include "surface/particle_blocks.hpp"

#include "exec/host_loops.hpp"
#include "exec/lanes.hpp"
#include "exec/parallel.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr double k_fine = 65536;  // places in a cell

// In blocks; beyond all bounds for particles to leave out.
struct BlockRule {
    double per_metre, limit;

    bool holds(const float* x) const {
        bool inside = true;
        for (int k = 0; k < 3; ++k)
            inside = inside && std::abs(x[k] * per_metre) < limit;  // false for a NaN
        return inside;
    }
    BlockPlace place(const float* x) const {
        BlockPlace place;
        for (int k = 0; k < 3; ++k)
            place[k] = static_cast<std::int32_t>(std::floor(x[k] * per_metre));
        return place;
    }
};

// A block far too full, of a simulation that collapsed: one particle stands for all in an eighth of
// a cell, so that the work stays bounded. Puts those that stay in front and tells how many.
std::uint32_t thin_out(std::span<std::uint32_t> members, const BlockPlace& place, double cell,
                       std::span<const float> positions) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> crowd;
    for (const std::uint32_t i : members) {
        std::uint32_t key = 0;
        for (int k = 0; k < 3; ++k) {
            const double cells = positions[3 * i + k] / cell - double(place[k]) * k_block;
            key = key << 10 | static_cast<std::uint32_t>(std::clamp(cells * 8, 0.0, 1000.0));
        }
        crowd.emplace_back(key, i);
    }
    std::sort(crowd.begin(), crowd.end());
    std::uint32_t kept = 0;
    for (std::size_t c = 0; c < crowd.size(); ++c)
        if (c == 0 || crowd[c].first != crowd[c - 1].first)
            members[kept++] = crowd[c].second;
    return kept;
}

}  // namespace

ParticleBlocks::ParticleBlocks(std::span<const float> positions, double cell_, double radius,
                               double spacing)
    : cell(cell_), reach(static_cast<float>(radius / cell_)) {
    // as wide as the rows of the neighbour search: a third of the kernel's diameter
    bins = std::clamp(static_cast<int>(std::lround(k_block * cell / (radius * 2 / 3))), 1, 8);
    // 2^22 spacings from the origin, half a spacing is the step between two floats
    const BlockRule rule{1 / (k_block * cell), std::min(double(BlockIndex::k_limit - 4),
                                                        (1 << 22) * spacing / (k_block * cell))};
    const std::size_t n = positions.size() / 3;
    const Device device = Device::cpu();
    const auto parts = static_cast<std::int64_t>((n + 65535) / 65536);
    std::vector<std::vector<std::uint64_t>> found(parts);
    parallel_for(parts, {.alone_to = 1}, [&](std::int64_t part) {
        std::vector<std::uint64_t>& keys = found[part];
        for (std::size_t i = part * 65536; i < std::min<std::size_t>(n, (part + 1) * 65536); ++i)
            if (rule.holds(&positions[3 * i])) {
                const std::uint64_t key = BlockIndex::key(rule.place(&positions[3 * i]));
                if (keys.empty() || keys.back() != key)
                    keys.push_back(key);
            }
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    });
    std::vector<std::uint64_t> all;
    for (const auto& keys : found)
        all.insert(all.end(), keys.begin(), keys.end());
    index = BlockIndex(std::move(all));

    // the particles left out come last
    const auto blocks = static_cast<std::uint32_t>(index.size());
    Buffer<std::uint32_t> block_of(device, n), start(device), order(device);
    parallel_for(parts, {.alone_to = 1}, [&](std::int64_t part) {
        std::uint64_t last_key = ~std::uint64_t{0};
        std::uint32_t last = blocks;
        for (std::size_t i = part * 65536; i < std::min<std::size_t>(n, (part + 1) * 65536); ++i) {
            const bool holds = rule.holds(&positions[3 * i]);
            const std::uint64_t key =
                holds ? BlockIndex::key(rule.place(&positions[3 * i])) : last_key;
            if (key != last_key)
                last = index.find(last_key = key);
            block_of.data()[i] = holds ? last : blocks;
        }
    });
    counting_sort(device, block_of, n, blocks + 1, start, order);
    const double usual = portable::power(k_block * cell / spacing, 3);
    std::vector<std::uint32_t> first(blocks + 1, 0);
    parallel_for(std::int64_t(blocks), {.grain = 4, .alone_to = 4}, [&](std::int64_t b) {
        const std::uint32_t begin = start.data()[b], end = start.data()[b + 1];
        first[b + 1] = end - begin;
        if (end - begin > 1000 + 8 * usual)
            first[b + 1] =
                thin_out({order.data() + begin, end - begin}, index.place(b), cell, positions);
    });
    for (std::uint32_t b = 0; b < blocks; ++b)
        first[b + 1] += first[b];
    const std::size_t kept = first[blocks];
    x.resize(kept + k_lanes);
    y.resize(kept + k_lanes);
    z.resize(kept + k_lanes);
    origin.resize(kept);
    bin_start.resize(blocks * stride());
    parallel_for(std::int64_t(blocks), {.grain = 4, .alone_to = 4}, [&](std::int64_t b) {
        const std::size_t count = first[b + 1] - first[b];
        sort_block(b, {order.data() + start.data()[b], count}, positions, first[b]);
    });
}

void ParticleBlocks::sort_block(std::size_t block, std::span<const std::uint32_t> members,
                                std::span<const float> positions, std::uint32_t first) {
    const BlockPlace place = index.place(block);
    std::uint32_t* start = bin_start.data() + block * stride();
    const std::size_t n = members.size();
    std::vector<Vec3> local(n);
    std::vector<std::uint16_t> bin(n);
    for (std::size_t m = 0; m < n; ++m) {
        int b[3];
        for (int k = 0; k < 3; ++k) {
            const double cells = positions[3 * members[m] + k] / cell - double(place[k]) * k_block;
            const double fine =
                std::clamp(std::floor(cells * k_fine + 0.5), 0.0, k_block * k_fine - 1);
            local[m][k] = static_cast<float>(fine / k_fine);
            b[k] = static_cast<int>(local[m][k] * static_cast<float>(bins) / k_block);
        }
        bin[m] = static_cast<std::uint16_t>(b[0] + bins * (b[1] + bins * b[2]));
        ++start[bin[m]];
    }
    std::uint32_t at = first;
    for (std::size_t k = 0; k < stride(); ++k) {
        const std::uint32_t count = start[k];
        start[k] = at;
        at += count;
    }
    std::vector<std::uint32_t> next(start, start + stride() - 1);
    for (std::size_t m = 0; m < n; ++m) {
        const std::uint32_t p = next[bin[m]]++;
        x[p] = local[m][0];
        y[p] = local[m][1];
        z[p] = local[m][2];
        origin[p] = members[m];
    }
}

}  // namespace millrace
