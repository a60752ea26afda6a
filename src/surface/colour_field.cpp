#include "surface/colour_field.hpp"

#include <cstring>

#include "exec/host_loops.hpp"
#include "exec/lanes.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "surface/anisotropy.hpp"

namespace millrace {

namespace {

// The lattice points 0 ... k_block within `extent` of c.
struct Points {
    int first, last;
    Points(float c, float extent)
        : first(std::max(0, static_cast<int>(std::ceil(c - extent)))),
          last(std::min(k_block, static_cast<int>(std::floor(c + extent)))) {}
};

Pack ramp() {
    Pack r(0.0f);
    for (int k = 0; k < k_lanes; ++k)
        r.v[k] = static_cast<float>(k);
    return r;
}

// Adds a quantity that depends on the squared distance: value += volume w(distance2(dx, dy, dz)).
template <class Rows>
void splat(FieldBlock& field, const Vec3& c, const Vec3& extent, const Rows& rows) {
    const Points px(c[0], extent[0]), py(c[1], extent[1]), pz(c[2], extent[2]);
    for (int first = px.first; first <= px.last; first += k_lanes) {
        const Pack dx = Pack(static_cast<float>(first) - c[0]) + ramp();
        for (int z = pz.first; z <= pz.last; ++z)
            for (int y = py.first; y <= py.last; ++y)
                rows(dx, static_cast<float>(y) - c[1], static_cast<float>(z) - c[2],
                     &field.value[z][y][first]);
    }
}

}  // namespace

ParticleWeights particle_weights(const ParticleBlocks& particles) {
    ParticleWeights weights;
    weights.volume.resize(particles.size() + k_lanes);
    weights.neighbors.resize(particles.size() + k_lanes);
    const CubicSpline<3> kernel(particles.reach);
    const float reach = particles.reach;
    const auto blocks = static_cast<std::int64_t>(particles.index.size());
    parallel_for(blocks, {.grain = 2, .alone_to = 4}, [&](std::int64_t b) {
        const auto near = particles.index.around(particles.index.place(b));
        for (std::uint32_t i = particles.first(b); i < particles.end(b); ++i) {
            const Vec3 x = particles.place(i);
            Pack sum(0.0f), count(0.0f);
            particles.for_each_run(
                near, x - Vec3::all(reach), x + Vec3::all(reach),
                [&](std::uint32_t begin, std::uint32_t end, const Vec3& shift) {
                    const Pack px(x[0] - shift[0]), py(x[1] - shift[1]), pz(x[2] - shift[2]);
                    for (std::uint32_t j = begin; j < end; j += k_lanes) {
                        const Pack dx = load_pack(&particles.x[j]) - px,
                                   dy = load_pack(&particles.y[j]) - py,
                                   dz = load_pack(&particles.z[j]) - pz;
                        const Pack r2 = select(first_lanes(static_cast<int>(end - j)),
                                               dx * dx + dy * dy + dz * dz, Pack(1e9f));
                        sum += kernel.w(r2);
                        count += select(r2 < Pack(reach * reach), Pack(1.0f), Pack(0.0f));
                    }
                });
            weights.volume[i] = 1 / sum_lanes(sum);
            weights.neighbors[i] = sum_lanes(count) - 1;
        }
    });
    return weights;
}

bool FieldBlock::fill(const ParticleBlocks& particles, const ParticleWeights& weights,
                      const Anisotropy* shapes, const BlockPlace& place) {
    std::memset(value, 0, sizeof value);
    const CubicSpline<3> kernel(particles.reach);
    const float support2 = particles.reach * particles.reach;
    const float reach = shapes ? shapes->reach : particles.reach;
    const float low = -reach, high = k_block + reach;
    bool touched = false;
    const auto near = particles.index.around(place);
    const auto plain = [&](std::uint32_t j, const Vec3& c) {
        const Pack volume(weights.volume[j]);
        splat(*this, c, Vec3::all(reach), [&](Pack dx, float dy, float dz, float* row) {
            const float rest2 = dy * dy + dz * dz;
            if (rest2 < support2)
                store_pack(row, load_pack(row) + volume * kernel.w(dx * dx + Pack(rest2)));
        });
    };
    const auto stretched = [&](std::uint32_t j, const Vec3& c) {
        const Anisotropy::Shape& s = shapes->shapes[j];
        const Pack volume(shapes->volumes[j] * s.determinant);
        splat(*this, c, s.extent, [&](Pack dx, float dy, float dz, float* row) {
            const float rest2 = s.yy * dy * dy + s.zz * dz * dz + 2 * s.yz * dy * dz;
            const float slope = 2 * (s.xy * dy + s.xz * dz);
            const Pack r2 = max((Pack(s.xx) * dx + Pack(slope)) * dx + Pack(rest2), Pack(0.0f));
            store_pack(row, load_pack(row) + volume * kernel.w(r2));
        });
    };
    particles.for_each_run(near, Vec3::all(low), Vec3::all(high),
                           [&](std::uint32_t begin, std::uint32_t end, const Vec3& shift) {
                               for (std::uint32_t j = begin; j < end; ++j) {
                                   const Vec3 c =
                                       (shapes ? shapes->centers[j] : particles.place(j)) + shift;
                                   if (c[0] < low || c[1] < low || c[2] < low || c[0] > high ||
                                       c[1] > high || c[2] > high)
                                       continue;
                                   touched = true;
                                   if (shapes)
                                       stretched(j, c);
                                   else
                                       plain(j, c);
                               }
                           });
    return touched;
}

float colour_at(const ParticleBlocks& particles, const ParticleWeights& weights,
                const std::array<std::uint32_t, 27>& near, const Vec3& place) {
    const CubicSpline<3> kernel(particles.reach);
    Pack sum(0.0f);
    particles.for_each_run(near, place - Vec3::all(particles.reach),
                           place + Vec3::all(particles.reach),
                           [&](std::uint32_t begin, std::uint32_t end, const Vec3& shift) {
                               const Vec3 at = place - shift;
                               for (std::uint32_t j = begin; j < end; j += k_lanes) {
                                   const Pack dx = load_pack(&particles.x[j]) - Pack(at[0]),
                                              dy = load_pack(&particles.y[j]) - Pack(at[1]),
                                              dz = load_pack(&particles.z[j]) - Pack(at[2]);
                                   const Pack r2 = select(first_lanes(static_cast<int>(end - j)),
                                                          dx * dx + dy * dy + dz * dz, Pack(1e9f));
                                   sum += load_pack(&weights.volume[j]) * kernel.w(r2);
                               }
                           });
    return sum_lanes(sum);
}

BlockIndex field_blocks(const ParticleBlocks& particles, const Anisotropy* shapes) {
    // a particle of the middle block may matter to a block where it comes near that side
    const auto blocks = static_cast<std::int64_t>(particles.index.size());
    const float reach = shapes ? shapes->reach : particles.reach;
    std::vector<std::array<std::uint8_t, 27>> wanted(blocks);
    parallel_for(blocks, {.grain = 4, .alone_to = 4}, [&](std::int64_t b) {
        wanted[b] = {};
        for (std::uint32_t i = particles.first(b); i < particles.end(b); ++i) {
            const Vec3 c = shapes ? shapes->centers[i] : particles.place(i);
            int from[3], to[3];
            for (int k = 0; k < 3; ++k) {
                from[k] = c[k] - reach <= 0 ? 0 : 1;
                to[k] = c[k] + reach >= k_block ? 2 : 1;
            }
            for (int z = from[2]; z <= to[2]; ++z)
                for (int y = from[1]; y <= to[1]; ++y)
                    for (int x = from[0]; x <= to[0]; ++x)
                        wanted[b][x + 3 * (y + 3 * z)] = 1;
        }
    });
    std::vector<std::uint64_t> keys;
    for (std::int64_t b = 0; b < blocks; ++b) {
        const BlockPlace p = particles.index.place(b);
        for (int d = 0; d < 27; ++d)
            if (wanted[b][d])
                keys.push_back(
                    BlockIndex::key({p[0] + d % 3 - 1, p[1] + d / 3 % 3 - 1, p[2] + d / 9 - 1}));
    }
    return BlockIndex(std::move(keys));
}

}  // namespace millrace
