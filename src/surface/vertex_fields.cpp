#include "surface/vertex_fields.hpp"

#include "exec/host_loops.hpp"
#include "exec/lanes.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/mat.hpp"

namespace millrace {

namespace {

struct Hit {
    std::uint32_t particle;
    float share;  // V W
    float flat;   // V (1 - r^2 / H^2)
    Vec3 offset;  // from the vertex, in cells
};

// The particles around a place; where there is none, a wider kernel finds some.
void find_hits(ParticleSearch& search, const ParticleBlocks& particles,
               std::span<const float> volumes, const Vec3& place, std::vector<Hit>& hits) {
    hits.clear();
    for (float radius = particles.reach; hits.empty(); radius *= 2) {
        radius = std::min(radius, float(k_block));
        const CubicSpline<3> kernel(radius);
        search.for_each_run(
            place, radius, [&](std::uint32_t begin, std::uint32_t end, const Vec3& at) {
                for (std::uint32_t j = begin; j < end; j += k_lanes) {
                    const Pack dx = load_pack(&particles.x[j]) - Pack(at[0]),
                               dy = load_pack(&particles.y[j]) - Pack(at[1]),
                               dz = load_pack(&particles.z[j]) - Pack(at[2]);
                    const Pack r2 = select(first_lanes(static_cast<int>(end - j)),
                                           dx * dx + dy * dy + dz * dz, Pack(1e9f));
                    const Pack volume = load_pack(&volumes[j]);
                    const Pack w = volume * kernel.w(r2);
                    const Pack flat = volume * (Pack(1.0f) - r2 * Pack(1 / (radius * radius)));
                    for (unsigned lanes = lane_bits(Pack(0.0f) < w); lanes; lanes &= lanes - 1) {
                        const int k = __builtin_ctz(lanes);
                        hits.push_back({j + k, w.v[k], flat.v[k], {{dx.v[k], dy.v[k], dz.v[k]}}});
                    }
                }
            });
        if (radius >= k_block)
            break;
    }
}

struct Flow {
    Vec3 velocity = Vec3::all(0), vorticity = Vec3::all(0);
};

// v = sum_j V_j W_j v_j / sum_j V_j W_j (Shepard 1968). Gradient: the linear field that fits the
// velocities around best. With the weights w_j = V_j (1 - r^2/H^2), which at a surface reach deeper
// than W_j, with d_j from the mean place and v_j from the mean velocity,
//     grad v = (sum_j w_j v_j d_j^T) (sum_j w_j d_j d_j^T + eps sum_j w_j)^-1,
// exact for linear fields but for eps = (0.03 spacings)^2, which lets it fall to 0 across sheets of
// one layer. The vorticity is its curl.
Flow flow_of(const std::vector<Hit>& hits, const ParticleBlocks& particles,
             std::span<const float> velocities, double spacing) {
    if (hits.empty())
        return {};
    const auto velocity = [&](const Hit& hit) {
        const float* v = &velocities[3 * std::size_t{particles.origin[hit.particle]}];
        return Vec3{{v[0], v[1], v[2]}};
    };
    const Vec3 reference = velocity(hits[0]);
    float total = 0, total_flat = 0;
    Vec3 shepard = Vec3::all(0), mean_v = Vec3::all(0), mean_d = Vec3::all(0);
    for (const Hit& hit : hits) {
        const Vec3 v = velocity(hit) - reference;
        total += hit.share;
        shepard += v * hit.share;
        total_flat += hit.flat;
        mean_v += v * hit.flat;
        mean_d += hit.offset * hit.flat;
    }
    shepard *= 1 / total;
    mean_v *= 1 / total_flat;
    mean_d *= 1 / total_flat;
    Mat3 moments = Mat3::zero(), products = Mat3::zero();
    for (const Hit& hit : hits) {
        const Vec3 d = hit.offset - mean_d;
        const Vec3 wd = d * hit.flat;
        moments += outer(wd, d);
        products += outer(velocity(hit) - reference - mean_v, wd);
    }
    for (int k = 0; k < 3; ++k)
        moments(k, k) += static_cast<float>(0.0009 * spacing * spacing) * total_flat;
    const Mat3 gradient =
        Mat3::from(Mat3d::from(products) * inverse(Mat3d::from(moments)));  // row: component of v
    Flow flow;
    flow.velocity = reference + shepard;
    for (int k = 0; k < 3; ++k) {
        const int b = (k + 1) % 3, c = (k + 2) % 3;
        flow.vorticity[k] = (gradient(c, b) - gradient(b, c)) / static_cast<float>(particles.cell);
    }
    return flow;
}

}  // namespace

std::vector<Vec3> vertex_normals(std::span<const Vec3> vertices,
                                 std::span<const std::array<std::uint32_t, 3>> triangles) {
    std::vector<Vec3> normals(vertices.size(), Vec3::all(0));
    for (const auto& t : triangles) {
        const Vec3 area = cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]]);
        for (const std::uint32_t v : t)
            normals[v] += area;
    }
    for (Vec3& n : normals) {
        const float length = norm(n);
        n = length > 0 ? n / length : Vec3{{0, 1, 0}};
    }
    return normals;
}

void interpolate_flow(const ParticleBlocks& particles, std::span<const float> volumes,
                      std::span<const float> velocities, std::span<const Vec3> vertices,
                      const BlockPlace& middle, double spacing, SurfaceMesh& mesh) {
    const std::size_t n = vertices.size();
    mesh.velocities.resize(n);
    mesh.vorticities.resize(n);
    struct Scratch {
        ParticleSearch search;
        std::vector<Hit> hits;
    };
    const auto scratch = [&] { return Scratch{ParticleSearch(particles, middle), {}}; };
    parallel_for_with(n, {.grain = 1024, .alone_to = 1024}, scratch, [&](auto v, Scratch& own) {
        find_hits(own.search, particles, volumes, vertices[v], own.hits);
        const Flow flow = flow_of(own.hits, particles, velocities, spacing);
        mesh.velocities[v] = flow.velocity;
        mesh.vorticities[v] = flow.vorticity;
    });
}

}  // namespace millrace
