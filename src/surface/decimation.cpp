#include "surface/decimation.hpp"

#include <queue>
#include <tuple>

#include "math/mat.hpp"

namespace millrace {

namespace {

// The sum of area (n . x - d)^2 over planes.
struct Quadric {
    Mat3d a = Mat3d::zero();
    Vec3d b = Vec3d::all(0);
    double c = 0;

    void add_triangle(const Vec3d& p, const Vec3d& q, const Vec3d& r) {
        const Vec3d n = cross(q - p, r - p);
        const double length = norm(n);
        if (length <= 0)
            return;
        const Vec3d unit = n / length;
        const double area = length / 2, d = dot(unit, p);
        a += outer(unit, unit) * area;
        b += unit * (area * d);
        c += area * d * d;
    }
    Quadric& operator+=(const Quadric& other) {
        a += other.a;
        b += other.b;
        c += other.c;
        return *this;
    }
    double at(const Vec3d& x) const { return std::max(0.0, dot(x, a * x) - 2 * dot(b, x) + c); }
};

struct Candidate {
    double cost;
    std::uint32_t a, b, stamp_a, stamp_b;

    bool operator>(const Candidate& other) const {
        return std::tie(cost, a, b) > std::tie(other.cost, other.a, other.b);
    }
};

class Decimation {
  public:
    explicit Decimation(CellMesh& mesh)
        : mesh_(mesh),
          around_(mesh.vertices.size()),
          quadrics_(mesh.vertices.size()),
          stamps_(mesh.vertices.size(), 0),
          left_(mesh.triangles.size()) {
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto& v = mesh.triangles[t];
            Quadric q;
            q.add_triangle(place(v[0]), place(v[1]), place(v[2]));
            for (const std::uint32_t corner : v) {
                around_[corner].push_back(t);
                quadrics_[corner] += q;
            }
        }
    }

    void run(std::size_t target) {
        // a triangle may turn by this much in a collapse; more only where the target is missed
        for (const double least_cosine : {0.5, 0.0}) {
            if (left_ <= target)
                return;
            queue_ = {};
            for (const auto& t : mesh_.triangles)
                for (int k = 0; k < 3; ++k)
                    if (t[0] != t[1] && t[k] < t[(k + 1) % 3])
                        offer(t[k], t[(k + 1) % 3]);
            while (left_ > target && !queue_.empty()) {
                const Candidate next = queue_.top();
                queue_.pop();
                if (next.stamp_a == stamps_[next.a] && next.stamp_b == stamps_[next.b])
                    collapse(next.a, next.b, least_cosine);
            }
        }
    }

    /// Takes out what is gone; what is left keeps its order.
    void compact() {
        std::vector<std::uint32_t> number(mesh_.vertices.size(), 0);
        std::size_t vertices = 0, triangles = 0;
        for (std::size_t v = 0; v < number.size(); ++v)
            if (!around_[v].empty()) {
                number[v] = static_cast<std::uint32_t>(vertices);
                mesh_.vertices[vertices++] = mesh_.vertices[v];
            }
        for (const auto& t : mesh_.triangles)
            if (t[0] != t[1])
                mesh_.triangles[triangles++] = {number[t[0]], number[t[1]], number[t[2]]};
        mesh_.vertices.resize(vertices);
        mesh_.triangles.resize(triangles);
    }

  private:
    Vec3d place(std::uint32_t v) const { return Vec3d::from(mesh_.vertices[v]); }

    bool has(std::uint32_t triangle, std::uint32_t v) const {
        const auto& t = mesh_.triangles[triangle];
        return t[0] == v || t[1] == v || t[2] == v;
    }

    // Where the quadrics are least, on the plane of places that keep the volume:
    // sum over the triangles around of n . (x - p) = 0.
    Vec3d best_place(std::uint32_t a, std::uint32_t b) const {
        const Vec3d middle = (place(a) + place(b)) * 0.5;
        Mat3d m = quadrics_[a].a + quadrics_[b].a;
        const double pull = 1e-3 * trace(m) + 1e-12;  // to the middle, where planes leave it free
        Vec3d right = quadrics_[a].b + quadrics_[b].b + middle * pull;
        for (int k = 0; k < 3; ++k)
            m(k, k) += pull;
        Vec3d x = inverse(m) * right - middle;
        Vec3d normal = Vec3d::all(0);
        double volume = 0;
        const auto add = [&](std::uint32_t t) {
            const auto& v = mesh_.triangles[t];
            const Vec3d p = place(v[0]) - middle;
            const Vec3d n = cross(place(v[1]) - middle - p, place(v[2]) - middle - p);
            normal += n;
            volume += dot(n, p);
        };
        for (const std::uint32_t t : around_[a])
            add(t);
        for (const std::uint32_t t : around_[b])
            if (!has(t, a))
                add(t);
        const double length2 = squared_norm(normal);
        if (length2 > 1e-12)
            x += normal * ((volume - dot(normal, x)) / length2);
        const double edge = norm(place(a) - place(b));
        return norm(x) <= 2 * edge ? middle + x : middle;
    }

    void offer(std::uint32_t a, std::uint32_t b) {
        const Vec3d x = best_place(a, b);
        const double cost =
            quadrics_[a].at(x) + quadrics_[b].at(x) + 1e-6 * squared_norm(place(a) - place(b));
        queue_.push({cost, a, b, stamps_[a], stamps_[b]});
    }

    void ring_of(std::uint32_t v, std::vector<std::uint32_t>& ring) const {
        ring.clear();
        for (const std::uint32_t t : around_[v])
            for (int k = 0; k < 3; ++k)
                if (mesh_.triangles[t][k] == v)
                    ring.push_back(mesh_.triangles[t][(k + 1) % 3]);
        std::sort(ring.begin(), ring.end());
    }

    // The edge's ends have two common neighbours, the corners of its triangles, which keep three
    // triangles or more: then the surface stays a surface.
    bool keeps_topology(std::uint32_t a, std::uint32_t b) {
        ring_of(a, ring_a_);
        ring_of(b, ring_b_);
        common_.clear();
        std::set_intersection(ring_a_.begin(), ring_a_.end(), ring_b_.begin(), ring_b_.end(),
                              std::back_inserter(common_));
        return common_.size() == 2 && around_[common_[0]].size() > 3 &&
               around_[common_[1]].size() > 3;
    }

    bool turns_little(std::uint32_t v, std::uint32_t other, const Vec3d& x, double least) const {
        for (const std::uint32_t t : around_[v]) {
            if (has(t, other))
                continue;
            Vec3d before[3], after[3];
            for (int k = 0; k < 3; ++k) {
                before[k] = place(mesh_.triangles[t][k]);
                after[k] = mesh_.triangles[t][k] == v ? x : before[k];
            }
            const Vec3d n = cross(before[1] - before[0], before[2] - before[0]);
            const Vec3d m = cross(after[1] - after[0], after[2] - after[0]);
            const double longest2 =
                std::max({squared_norm(after[1] - after[0]), squared_norm(after[2] - after[1]),
                          squared_norm(after[0] - after[2])});
            if (dot(n, m) < least * norm(n) * norm(m) || norm(m) < 0.02 * longest2)
                return false;
        }
        return true;
    }

    void collapse(std::uint32_t a, std::uint32_t b, double least_cosine) {
        if (!keeps_topology(a, b))
            return;
        const Vec3d x = best_place(a, b);
        if (!turns_little(a, b, x, least_cosine) || !turns_little(b, a, x, least_cosine))
            return;
        for (const std::uint32_t t : around_[b]) {
            auto& corners = mesh_.triangles[t];
            if (has(t, a)) {
                for (const std::uint32_t v : corners)
                    if (v != b)
                        std::erase(around_[v], t);
                corners = {0, 0, 0};
                --left_;
            } else {
                std::replace(corners.begin(), corners.end(), b, a);
                around_[a].push_back(t);
            }
        }
        around_[b].clear();
        quadrics_[a] += quadrics_[b];
        mesh_.vertices[a] = Vec3::from(x);
        ++stamps_[a];
        ++stamps_[b];
        ring_of(a, ring_a_);
        for (const std::uint32_t v : ring_a_)
            offer(std::min(a, v), std::max(a, v));
    }

    CellMesh& mesh_;
    std::vector<std::vector<std::uint32_t>> around_;  // triangles at each vertex
    std::vector<Quadric> quadrics_;
    std::vector<std::uint32_t> stamps_;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
    std::vector<std::uint32_t> ring_a_, ring_b_, common_;
    std::size_t left_;
};

}  // namespace

void decimate(CellMesh& mesh, std::size_t triangles) {
    Decimation decimation(mesh);
    decimation.run(triangles);
    decimation.compact();
}

}  // namespace millrace
