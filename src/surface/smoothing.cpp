#include "surface/smoothing.hpp"

#include <numbers>

#include "exec/host_loops.hpp"
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

    Ring(const CellMesh& mesh, const Contacts& contacts) : start(mesh.vertices.size() + 1, 0) {
        const auto follows = [&](std::uint32_t v, std::uint32_t other) {
            return contacts.rank(other) <= contacts.rank(v);
        };
        // closed: the edges that leave a vertex, one a triangle, lead to all around it
        for (const auto& t : mesh.triangles)
            for (int k = 0; k < 3; ++k)
                start[t[k] + 1] += follows(t[k], t[(k + 1) % 3]);
        for (std::size_t v = 1; v < start.size(); ++v)
            start[v] += start[v - 1];
        next.resize(start.back());
        std::vector<std::uint32_t> at(start.begin(), start.end() - 1);
        for (const auto& t : mesh.triangles)
            for (int k = 0; k < 3; ++k)
                if (follows(t[k], t[(k + 1) % 3]))
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
        first_.resize(count_);
        for (std::size_t v = of_.size(); v-- > 0;)
            first_[of_[v]] = static_cast<std::uint32_t>(v);
    }

    std::vector<double> volumes(const CellMesh& mesh) const {
        std::vector<double> sum(count_, 0);
        for (const Triangle& t : mesh.triangles)
            sum[of_[t[0]]] += volume(mesh, t);
        return sum;
    }

    /// Moves vertices along their normals, by lambda times a length that is the same for a whole
    /// part, until the parts have these volumes.
    void give_back(CellMesh& mesh, std::span<const float> lambda, const std::vector<double>& target,
                   const Contacts& contacts) const {
        std::vector<double> now = volumes(mesh);
        std::vector<Triangle> open = mesh.triangles;  // of parts whose volume is not right yet
        std::vector<Vec3> normals(mesh.vertices.size());
        for (int pass = 0; pass < 8; ++pass) {
            std::erase_if(open, [&](const Triangle& t) {
                const std::uint32_t part = of_[t[0]];
                return std::abs(now[part] - target[part]) < 1e-3 * std::abs(target[part]);
            });
            if (open.empty())
                return;
            for (const Triangle& t : open)
                for (const std::uint32_t v : t)
                    normals[v] = Vec3::all(0);
            for (const Triangle& t : open) {
                const Vec3 n = area2(mesh, t);
                for (const std::uint32_t v : t)
                    normals[v] += n;
            }
            // to the length of lambda; again for each triangle around, which changes no more
            for (const Triangle& t : open)
                for (const std::uint32_t v : t) {
                    if (const Contact* contact = contacts.of(v))
                        contact->keep_on(normals[v]);
                    if (contacts.rank(v) != 0)  // within its solid it has nowhere to go
                        normals[v] = Vec3::all(0);
                    normals[v] *= lambda[v] / std::max(norm(normals[v]), 1e-20f);
                }
            std::vector<double> gain(count_, 1e-3);  // of volume, by a length of 1
            for (const Triangle& t : open)
                gain[of_[t[0]]] +=
                    dot(area2(mesh, t), normals[t[0]] + normals[t[1]] + normals[t[2]]) / 6;
            for (const Triangle& t : open)
                for (const std::uint32_t v : t) {
                    const std::uint32_t part = of_[v];
                    const double length = (target[part] - now[part]) / std::max(gain[part], 1e-3);
                    mesh.vertices[v] +=
                        normals[v] * static_cast<float>(std::clamp(length, -k_most, k_most));
                    normals[v] = Vec3::all(0);  // once
                }
            for (const Triangle& t : open)
                now[of_[t[0]]] = 0;
            for (const Triangle& t : open)
                now[of_[t[0]]] += volume(mesh, t);
        }
    }

  private:
    using Triangle = std::array<std::uint32_t, 3>;
    static constexpr double k_most = 0.25;  // cells at once

    // a normal of twice the area
    static Vec3 area2(const CellMesh& mesh, const Triangle& t) {
        return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                     mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    }
    // of a tetrahedron with its tip at the first vertex of the part: loses no digits far away
    double volume(const CellMesh& mesh, const Triangle& t) const {
        const Vec3 tip = mesh.vertices[first_[of_[t[0]]]];
        return dot(Vec3d::from(mesh.vertices[t[0]] - tip),
                   cross(Vec3d::from(mesh.vertices[t[1]] - tip),
                         Vec3d::from(mesh.vertices[t[2]] - tip))) /
               6;
    }

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
             const Contacts& contacts, std::vector<Vec3>& values, std::vector<Vec3>& scratch) {
    const auto n = static_cast<std::int64_t>(values.size());
    scratch.resize(values.size());
    for (int k = 0; k < iterations; ++k) {
        parallel_for(n, {.grain = 0, .alone_to = 4096}, [&](std::int64_t v) {
            Vec3 sum = Vec3::all(0);
            const std::uint32_t begin = ring.start[v], end = ring.start[v + 1];
            for (std::uint32_t e = begin; e < end; ++e)
                sum += values[ring.next[e]];
            if (begin == end) {  // alone between solids
                scratch[v] = values[v];
                return;
            }
            const float share = lambda[v] / static_cast<float>(end - begin);
            scratch[v] = values[v] * (1 - lambda[v]) + sum * share;
            if (const Contact* contact = contacts.of(static_cast<std::uint32_t>(v))) {
                Vec3 change = scratch[v] - values[v];
                contact->keep_on(change);
                scratch[v] = values[v] + change;
            }
        });
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
    const std::size_t n = vertices.size();
    const auto scratch = [&] { return ParticleSearch(particles, middle); };
    parallel_for_with(
        n, {.grain = 1024, .alone_to = 1024}, scratch, [&](std::size_t v, ParticleSearch& search) {
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
        });
    return lambda;
}

void smooth(CellMesh& mesh, std::span<const float> lambda, int iterations,
            const Contacts& contacts) {
    if (iterations <= 0)
        return;
    const Parts parts(mesh);
    const std::vector<double> volumes = parts.volumes(mesh);
    {
        const Ring ring(mesh, contacts);
        std::vector<Vec3> scratch, taken = mesh.vertices;
        diffuse(ring, lambda, iterations, contacts, mesh.vertices, scratch);
        for (std::size_t v = 0; v < taken.size(); ++v)
            taken[v] -= mesh.vertices[v];
        diffuse(ring, lambda, iterations, contacts, taken, scratch);
        for (std::size_t v = 0; v < taken.size(); ++v)
            mesh.vertices[v] += taken[v];
    }
    parts.give_back(mesh, lambda, volumes, contacts);
}

}  // namespace millrace
