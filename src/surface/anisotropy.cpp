#include "surface/anisotropy.hpp"

#include "exec/host_loops.hpp"
#include "exec/lanes.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/portable.hpp"
#include "surface/symmetric_eigen.hpp"

namespace millrace {

namespace {

constexpr float k_center = 0.9f;  // lambda of Yu and Turk: how far centres are smoothed
constexpr double k_ratio = 4;     // k_r: longest to shortest axis, at most
constexpr float k_fuller = 0.3f;  // so that planes and balls lie where round kernels put them
constexpr float k_deep = 1.3f;    // kernels are round where neighbours are this many N_HS
constexpr float k_few = 7;        // N_eps: particles with fewer neighbours keep round kernels

// The weights w_ij = 1 - (|x_ij| / r)^3 of Yu and Turk 2013, Eq. 11, as a loop over packs: calls
// body(first, w, dx, dy, dz).
template <class Body>
void for_each_weight(const ParticleBlocks& particles, const std::array<std::uint32_t, 27>& near,
                     const Vec3& x, float radius, const Body& body) {
    particles.for_each_run(
        near, x - Vec3::all(radius), x + Vec3::all(radius),
        [&](std::uint32_t begin, std::uint32_t end, const Vec3& shift) {
            for (std::uint32_t j = begin; j < end; j += k_lanes) {
                const Pack dx = load_pack(&particles.x[j]) - Pack(x[0] - shift[0]),
                           dy = load_pack(&particles.y[j]) - Pack(x[1] - shift[1]),
                           dz = load_pack(&particles.z[j]) - Pack(x[2] - shift[2]);
                const Pack q2 = (dx * dx + dy * dy + dz * dz) * Pack(1 / (radius * radius));
                const Pack q = q2 * rsqrt(max(q2, Pack(1e-12f)));
                const Pack w = select(first_lanes(static_cast<int>(end - j)),
                                      max(Pack(1.0f) - q2 * q, Pack(0.0f)), Pack(0.0f));
                body(j, w, dx, dy, dz);
            }
        });
}

struct Moments {
    Vec3 mean;  // of the places around, from the particle's own
    Mat3d covariance;
};

Moments moments_around(const ParticleBlocks& particles, const std::array<std::uint32_t, 27>& near,
                       const Vec3& x, float radius) {
    Pack one(0.0f), first[3] = {0.0f, 0.0f, 0.0f}, second[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for_each_weight(particles, near, x, radius,
                    [&](std::uint32_t, Pack w, Pack dx, Pack dy, Pack dz) {
                        const Pack wx = w * dx, wy = w * dy, wz = w * dz;
                        one += w;
                        first[0] += wx, first[1] += wy, first[2] += wz;
                        second[0] += wx * dx, second[1] += wy * dy, second[2] += wz * dz;
                        second[3] += wx * dy, second[4] += wx * dz, second[5] += wy * dz;
                    });
    const double scale = 1 / double(sum_lanes(one));
    Moments m;
    for (int k = 0; k < 3; ++k)
        m.mean[k] = static_cast<float>(sum_lanes(first[k]) * scale);
    constexpr int k_place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m.covariance(i, j) =
                sum_lanes(second[k_place[i][j]]) * scale - double(m.mean[i]) * m.mean[j];
    return m;
}

// G = Q diag(1/s_1, 1/s_2, 1/s_3) Q^T with the eigenvectors Q of the covariance and s the roots of
// its eigenvalues, none less than a k_r-th of the longest, scaled to a product of 1, to the
// power of `part`.
Anisotropy::Shape shape_of(const Mat3d& covariance, float reach, double part) {
    const Eigen3 eigen = symmetric_eigen(covariance);
    Vec3d s;
    for (int k = 0; k < 3; ++k)
        s[k] = std::sqrt(std::max(eigen.values[k], 0.0));
    const double longest = std::max({s[0], s[1], s[2], 1e-12});
    double product = 1;
    for (int k = 0; k < 3; ++k) {
        s[k] = std::max(s[k], longest / k_ratio);
        product *= s[k];
    }
    const double scale = 1 / portable::cbrt(product);
    Mat3d m = Mat3d::zero();
    Vec3d extent2 = Vec3d::all(0);
    double determinant = 1;
    for (int k = 0; k < 3; ++k) {
        s[k] = std::min(portable::pow(s[k] * scale, part), double(Anisotropy::k_longest));
        determinant /= s[k];
        for (int i = 0; i < 3; ++i) {
            extent2[i] += eigen.vectors(i, k) * eigen.vectors(i, k) * s[k] * s[k];
            for (int j = 0; j < 3; ++j)
                m(i, j) += eigen.vectors(i, k) * eigen.vectors(j, k) / (s[k] * s[k]);
        }
    }
    Anisotropy::Shape shape{float(m(0, 0)), float(m(1, 1)), float(m(2, 2)),     float(m(0, 1)),
                            float(m(0, 2)), float(m(1, 2)), float(determinant), {}};
    for (int k = 0; k < 3; ++k)
        shape.extent[k] = static_cast<float>(reach * std::sqrt(extent2[k]) * 1.0001);
    return shape;
}

// 1 at a surface, 0 deep inside and for particles with few neighbours, whose kernels stay round.
float stretched_part(float neighbors, float half_space) {
    return neighbors < k_few ? 0.0f
                             : std::clamp((k_deep - neighbors / half_space) / 0.2f, 0.0f, 1.0f);
}

// 1 on planes and inside, near 0 in spray.
float calm(float neighbors, float half_space) {
    const float share = neighbors < k_few ? 0.0f : std::min(1.0f, neighbors / half_space);
    return share * share * share;
}

// V_i = 1 / sum_j W_j(x_i - x_j) with the centres and kernels that make the field, and a little
// more: flat kernels reach less far into the air.
void find_volumes(const ParticleBlocks& particles, const ParticleWeights& weights, float half_space,
                  Anisotropy& result) {
    const CubicSpline<3> kernel(particles.reach);
    const float reach = result.reach + 1;
    result.volumes.resize(particles.size() + k_lanes);
    const auto blocks = static_cast<std::int64_t>(particles.index.size());
    parallel_for(blocks, {.grain = 2, .alone_to = 4}, [&](std::int64_t b) {
        const auto near = particles.index.around(particles.index.place(b));
        for (std::uint32_t i = particles.first(b); i < particles.end(b); ++i) {
            const Vec3 x = result.centers[i];
            const float fuller = 1 + k_fuller * calm(weights.neighbors[i], half_space);
            if (weights.neighbors[i] >= k_deep * half_space) {  // all around it is round
                result.volumes[i] = fuller * weights.volume[i];
                continue;
            }
            float sum = 0;
            particles.for_each_run(near, x - Vec3::all(reach), x + Vec3::all(reach),
                                   [&](std::uint32_t begin, std::uint32_t end, const Vec3& shift) {
                                       const Vec3 at = x - shift;
                                       for (std::uint32_t j = begin; j < end; ++j) {
                                           const Anisotropy::Shape& s = result.shapes[j];
                                           const Vec3 d = result.centers[j] - at;
                                           const float r2 = (s.xx * d[0] + 2 * s.xy * d[1]) * d[0] +
                                                            (s.yy * d[1] + 2 * s.yz * d[2]) * d[1] +
                                                            (s.zz * d[2] + 2 * s.xz * d[0]) * d[2];
                                           if (r2 < particles.reach * particles.reach)
                                               sum += s.determinant * kernel.w(std::max(r2, 0.0f));
                                       }
                                   });
            result.volumes[i] = fuller / sum;
        }
    });
}

}  // namespace

Anisotropy stretch_kernels(const ParticleBlocks& particles, const ParticleWeights& weights,
                           float half_space) {
    const std::vector<float>& neighbors = weights.neighbors;
    Anisotropy result;
    const float radius = particles.reach;
    const float most = 1;  // shift of a centre, in cells
    result.reach = Anisotropy::k_longest * particles.reach + most;
    result.centers.resize(particles.size());
    result.shapes.resize(particles.size());
    std::vector<float> shift[3];  // d: to the mean of the places around
    for (auto& s : shift)
        s.assign(particles.size() + k_lanes, 0);
    const auto blocks = static_cast<std::int64_t>(particles.index.size());
    parallel_for(blocks, {.grain = 2, .alone_to = 4}, [&](std::int64_t b) {
        const auto near = particles.index.around(particles.index.place(b));
        for (std::uint32_t i = particles.first(b); i < particles.end(b); ++i) {
            const float part = stretched_part(neighbors[i], half_space);
            const Moments m = part > 0 ? moments_around(particles, near, particles.place(i), radius)
                                       : Moments{Vec3::all(0), Mat3d::identity()};
            result.shapes[i] = shape_of(m.covariance, particles.reach, part);
            for (int k = 0; k < 3; ++k)
                shift[k][i] = m.mean[k];
        }
    });
    parallel_for(blocks, {.grain = 2, .alone_to = 4}, [&](std::int64_t b) {
        const auto near = particles.index.around(particles.index.place(b));
        for (std::uint32_t i = particles.first(b); i < particles.end(b); ++i) {
            Vec3 c = particles.place(i);
            result.centers[i] = c;
            if (stretched_part(neighbors[i], half_space) <= 0)
                continue;
            Pack one(0.0f), mean[3] = {0.0f, 0.0f, 0.0f};
            for_each_weight(particles, near, c, radius,
                            [&](std::uint32_t j, Pack w, Pack, Pack, Pack) {
                                one += w;
                                for (int k = 0; k < 3; ++k)
                                    mean[k] += w * load_pack(&shift[k][j]);
                            });
            for (int k = 0; k < 3; ++k) {
                const float back = sum_lanes(mean[k]) / sum_lanes(one);
                const float by =
                    calm(neighbors[i], half_space) * k_center * k_center * (shift[k][i] - back);
                // in 2^-16 cells, as places are
                c[k] = std::round((c[k] + std::clamp(by, -most, most)) * 65536) / 65536;
            }
            result.centers[i] = c;
        }
    });
    find_volumes(particles, weights, half_space, result);
    return result;
}

}  // namespace millrace
