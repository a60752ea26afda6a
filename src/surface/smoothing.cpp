#include "surface/smoothing.hpp"

#include <numbers>

#include "exec/lanes.hpp"
#include "math/kernels/cubic_spline.hpp"

namespace millrace {

namespace {

// S(x) of S1 sec. 5.1
float smooth_step(float x) {
    return x * x * x * (x * (6 * x - 15) + 10);
}

// The vertices that share an edge with each.
struct Ring {
    std::vector<std::uint32_t> start, next;

    explicit Ring(const CellMesh& mesh) : start(mesh.vertices.size() + 1, 0) {
        // closed: the edges that leave a vertex, one a triangle, lead to all around it
        for (const auto& t : mesh.triangles)
            for (const std::uint32_t v : t)
                ++start[v + 1];
        for (std::size_t v = 1; v < start.size(); ++v)
            start[v] += start[v - 1];
        next.resize(3 * mesh.triangles.size());
        std::vector<std::uint32_t> at(start.begin(), start.end() - 1);
        for (const auto& t : mesh.triangles)
            for (int k = 0; k < 3; ++k)
                next[at[t[k]]++] = t[(k + 1) % 3];
    }
};

// The connected parts of a mesh: drops, pockets of air, the sea.
class Parts {
  public:
    explicit Parts(const CellMesh& mesh) : of_(mesh.vertices.size()) {
        for (std::uint32_t v = 0; v < of_.size(); ++v)
            of_[v] = v;
        for (const auto& t : mesh.triangles)
            for (int k = 1; k < 3; ++k) {
                const std::uint32_t a = root(t[0]), b = root(t[k]);
                of_[std::max(a, b)] = std::min(a, b);
            }
        for (std::uint32_t v = 0; v < of_.size(); ++v)  // a root comes before the rest of its part
            of_[v] = of_[v] == v ? count_++ : of_[of_[v]];
        // the first vertex of a part, near which its volume loses no digits
        first_.resize(count_);
        for (std::size_t v = of_.size(); v-- > 0;)
            first_[of_[v]] = static_cast<std::uint32_t>(v);
    }

    std::vector<double> volumes(const CellMesh& mesh) const {
        std::vector<double> sum(count_, 0);
        for (const auto& t : mesh.triangles) {
            const std::uint32_t part = of_[t[0]];
            const Vec3 near = mesh.vertices[first_[part]];
            sum[part] += dot(Vec3d::from(mesh.vertices[t[0]] - near),
                             cross(Vec3d::from(mesh.vertices[t[1]] - near),
                                   Vec3d::from(mesh.vertices[t[2]] - near))) /
                         6;
        }
        return sum;
    }

    /// Moves vertices along their normals, by lambda times a length that is the same for a whole
    /// part, so that the parts have these volumes; exact to the first order. True once all do.
    bool give_back(CellMesh& mesh, std::span<const float> lambda,
                   const std::vector<double>& target) const {
        const std::vector<double> volume = volumes(mesh);
        bool done = true;
        for (std::uint32_t part = 0; part < count_; ++part)
            done = done && std::abs(volume[part] - target[part]) < 1e-3 * std::abs(target[part]);
        if (done)
            return true;
        std::vector<Vec3> normals(mesh.vertices.size(), Vec3::all(0));  // length: 2 areas around
        for (const auto& t : mesh.triangles) {
            const Vec3 n = cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                                 mesh.vertices[t[2]] - mesh.vertices[t[0]]);
            for (const std::uint32_t v : t)
                normals[v] += n;
        }
        std::vector<double> gain(count_, 0);  // of volume, by a length of 1
        for (std::size_t v = 0; v < normals.size(); ++v)
            gain[of_[v]] += double(lambda[v]) * norm(normals[v]) / 6;
        std::vector<float> length(count_);
        for (std::uint32_t part = 0; part < count_; ++part)
            length[part] = static_cast<float>(std::clamp(
                (target[part] - volume[part]) / std::max(gain[part], 1e-3), -k_most, k_most));
        for (std::size_t v = 0; v < normals.size(); ++v)
            if (const float size = norm(normals[v]); size > 0)
                mesh.vertices[v] += normals[v] * (lambda[v] / size * length[of_[v]]);
        return false;
    }

  private:
    static constexpr double k_most = 0.25;  // cells at once

    std::uint32_t root(std::uint32_t v) {
        while (of_[v] != v)
            v = of_[v] = of_[of_[v]];
        return v;
    }

    std::vector<std::uint32_t> of_;  // the part of each vertex
    std::vector<std::uint32_t> first_;
    std::uint32_t count_ = 0;
};

// x^(k+1) = x^k + lambda (mean of x^k around - x^k): S1 Eq. 5.6, with the - x^k that it lacks.
void diffuse(const Ring& ring, std::span<const float> lambda, int iterations,
             std::vector<Vec3>& values, std::vector<Vec3>& scratch) {
    const auto n = static_cast<std::int64_t>(values.size());
    scratch.resize(values.size());
    for (int k = 0; k < iterations; ++k) {
#pragma omp parallel for schedule(static) if (n > 4096)
        for (std::int64_t v = 0; v < n; ++v) {
            Vec3 sum = Vec3::all(0);
            const std::uint32_t begin = ring.start[v], end = ring.start[v + 1];
            for (std::uint32_t e = begin; e < end; ++e)
                sum += values[ring.next[e]];
            const float share = lambda[v] / static_cast<float>(end - begin);
            scratch[v] = values[v] * (1 - lambda[v]) + sum * share;
        }
        values.swap(scratch);
    }
}

}  // namespace

double half_space_neighbors(double radius) {
    const double above = std::min(0.5, radius);
    return std::max(1.0, std::numbers::pi * (2.0 / 3.0 * radius * radius * radius +
                                             above * radius * radius - above * above * above / 3) -
                             1);
}

std::vector<float> smoothing_weights(const ParticleBlocks& particles,
                                     const ParticleWeights& weights, std::span<const Vec3> vertices,
                                     const BlockPlace& middle, double half_space) {
    std::vector<float> lambda(vertices.size());
    const CubicSpline<3> kernel(particles.reach);
    const auto n = static_cast<std::int64_t>(vertices.size());
#pragma omp parallel if (n > 1024)
    {
        ParticleSearch search(particles, middle);
#pragma omp for schedule(dynamic, 1024)
        for (std::int64_t v = 0; v < n; ++v) {
            Pack one(0.0f), counts(0.0f);  // <1>, <|N|>
            search.for_each_run(
                vertices[v], particles.reach,
                [&](std::uint32_t begin, std::uint32_t end, const Vec3& at) {
                    for (std::uint32_t j = begin; j < end; j += k_lanes) {
                        const Pack dx = load_pack(&particles.x[j]) - Pack(at[0]),
                                   dy = load_pack(&particles.y[j]) - Pack(at[1]),
                                   dz = load_pack(&particles.z[j]) - Pack(at[2]);
                        const PackMask lanes = first_lanes(static_cast<int>(end - j));
                        const Pack r2 = select(lanes, dx * dx + dy * dy + dz * dz, Pack(1e9f));
                        const Pack share = load_pack(&weights.volume[j]) * kernel.w(r2);
                        one += share;
                        counts += share * load_pack(&weights.neighbors[j]);
                    }
                });
            const float mean = sum_lanes(counts) / std::max(sum_lanes(one), 1e-12f);
            lambda[v] = smooth_step(std::min(1.0f, mean / static_cast<float>(half_space)));
        }
    }
    return lambda;
}

void smooth(CellMesh& mesh, std::span<const float> lambda, int iterations) {
    if (iterations <= 0)
        return;
    const Parts parts(mesh);
    const std::vector<double> volumes = parts.volumes(mesh);
    {
        const Ring ring(mesh);
        std::vector<Vec3> scratch, taken = mesh.vertices;
        diffuse(ring, lambda, iterations, mesh.vertices, scratch);
        for (std::size_t v = 0; v < taken.size(); ++v)
            taken[v] -= mesh.vertices[v];
        diffuse(ring, lambda, iterations, taken, scratch);
        for (std::size_t v = 0; v < taken.size(); ++v)
            mesh.vertices[v] += taken[v];
    }
    for (int k = 0; k < 8 && !parts.give_back(mesh, lambda, volumes); ++k) {
    }
}

}  // namespace millrace
