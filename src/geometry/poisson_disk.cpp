#include "geometry/poisson_disk.hpp"

#include <algorithm>
#include <cmath>

#include "exec/host_loops.hpp"
#include "geometry/point_hash.hpp"
#include "math/portable.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_piece = 1.5;        // longest edge of a piece, in radii
constexpr double k_smallest = 0.05;    // of the parts into which the search cuts it
constexpr int k_darts = 4;             // random tries before that search
constexpr double k_first_share = 2.5;  // proposals per square of the radius in the first round
constexpr std::uint64_t k_rounds_by_area = 12;
constexpr double k_most_pieces = 4e8;

struct Piece {
    Vec3 a, b, c;
};

double area(const Piece& piece) {
    return norm(Vec3d::from(cross(piece.b - piece.a, piece.c - piece.a))) / 2;
}

struct Triangle {
    Vec3d a, b, c;

    // The corner opposite of the longest edge comes first.
    Triangle turned() const {
        const double ab = squared_norm(b - a), bc = squared_norm(c - b), ca = squared_norm(a - c);
        return bc >= ab && bc >= ca ? *this : ab >= ca ? Triangle{c, a, b} : Triangle{b, c, a};
    }
};

/// Numbers that depend on the seed and two counters only (SplitMix64, Steele et al. 2014).
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t round)
        : state_(mix(mix(seed + 0x9e3779b97f4a7c15u) ^ (stream << 20) ^ round)) {}

    std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15u); }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  private:
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        return x ^ x >> 31;
    }
    std::uint64_t state_;
};

void cut(const Triangle& triangle, double longest, std::vector<Piece>& pieces) {
    const Triangle t = triangle.turned();
    if (squared_norm(t.c - t.b) <= longest * longest) {
        pieces.push_back({Vec3::from(t.a), Vec3::from(t.b), Vec3::from(t.c)});
        return;
    }
    const Vec3d middle = (t.b + t.c) * 0.5;
    cut({t.a, t.b, middle}, longest, pieces);
    cut({t.a, middle, t.c}, longest, pieces);
}

std::vector<Piece> cut_into_pieces(const TriangleMesh& mesh, double longest) {
    constexpr std::size_t k_block = 1024;
    const std::size_t n = mesh.triangles.size();
    std::vector<std::vector<Piece>> parts((n + k_block - 1) / k_block);
    const auto blocks = static_cast<std::int64_t>(parts.size());
    parallel_for(blocks, {}, [&](std::int64_t block) {
        for (std::size_t t = block * k_block; t < std::min(n, (block + 1) * k_block); ++t)
            if (squared_norm(mesh.normal(t)) > 0)
                cut({mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, longest,
                    parts[block]);
    });
    std::vector<Piece> pieces;
    std::size_t count = 0;
    for (const auto& part : parts)
        count += part.size();
    pieces.reserve(count);
    for (auto& part : parts) {
        pieces.insert(pieces.end(), part.begin(), part.end());
        part = {};
    }
    return pieces;
}

// The samples that may cover a part of one piece.
class Cover {
  public:
    Cover(const Triangle& t, const PointHash& samples, double radius) : radius2_(radius * radius) {
        const Vec3d center = (t.a + t.b + t.c) / 3.0;
        const double reach = std::sqrt(std::max(
            {squared_norm(t.a - center), squared_norm(t.b - center), squared_norm(t.c - center)}));
        const double within = (radius + reach) * 1.000001;
        samples.for_each_near(center, within, [&](std::uint32_t i) {
            const Vec3d s = Vec3d::from(samples[i]);
            if (squared_norm(s - center) <= within * within && count_ < k_most)
                near_[count_++] = s;
            return true;
        });
    }

    bool empty() const { return count_ == 0; }

    bool reaches(const Vec3& point) const {
        const Vec3d p = Vec3d::from(point);
        for (int i = 0; i < count_; ++i)
            if (squared_norm(p - near_[i]) < radius2_)
                return true;
        return false;
    }

    // One sample covers it all: balls are convex.
    bool holds(const Triangle& t) const {
        for (int i = 0; i < count_; ++i)
            if (squared_norm(t.a - near_[i]) <= radius2_ &&
                squared_norm(t.b - near_[i]) <= radius2_ &&
                squared_norm(t.c - near_[i]) <= radius2_)
                return true;
        return false;
    }

    // A point of the triangle that no sample reaches; false where none is left, to within
    // parts of the smallest size.
    bool find_gap(const Triangle& triangle, double smallest, std::uint64_t order, Vec3& gap) const {
        if (holds(triangle))
            return false;
        gap = Vec3::from((triangle.a + triangle.b + triangle.c) / 3.0);
        if (!reaches(gap))
            return true;
        const Triangle t = triangle.turned();
        if (squared_norm(t.c - t.b) <= smallest * smallest)
            return false;
        const Vec3d middle = (t.b + t.c) * 0.5;
        const Triangle halves[2] = {{t.a, t.b, middle}, {t.a, middle, t.c}};
        const std::uint64_t rest = order >> 1 | order << 63;
        return find_gap(halves[order & 1], smallest, rest, gap) ||
               find_gap(halves[~order & 1], smallest, rest, gap);
    }

  private:
    static constexpr int k_most = 256;  // more balls of half the radius do not fit
    double radius2_;
    int count_ = 0;
    Vec3d near_[k_most];
};

bool propose(const Piece& piece, const PointHash& samples, double radius, Random random,
             Vec3& point) {
    const Triangle t{Vec3d::from(piece.a), Vec3d::from(piece.b), Vec3d::from(piece.c)};
    const Cover cover(t, samples, radius);
    for (int dart = 0; dart < k_darts; ++dart) {
        const double root = std::sqrt(random.unit()), v = random.unit();
        point = Vec3::from(t.a * (1 - root) + t.b * (root * (1 - v)) + t.c * (root * v));
        if (!cover.reaches(point))
            return true;
    }
    return cover.find_gap(t, k_smallest * radius, random.bits(), point);
}

struct Proposal {
    Vec3 point;
    std::uint64_t priority;
};

}  // namespace

// In each round pieces of the surface that are not covered yet propose samples, few by area at
// first; of those too close to each other, the one with the highest random priority wins. Ends when
// all is covered.
std::vector<Vec3> poisson_disk(const TriangleMesh& mesh, double radius, std::uint64_t seed) {
    if (!(radius > 0))
        throw InputError("the sampling radius must be greater than 0");
    if (area(mesh) / (radius * radius) > k_most_pieces / 8)
        throw InputError("the surface is too large for its spacing: it would take " +
                         std::to_string(0.7 * area(mesh) / (radius * radius)) + " samples");
    const std::vector<Piece> pieces = cut_into_pieces(mesh, k_piece * radius);
    PointHash samples(2 * radius), candidates(2 * radius);
    std::vector<std::uint32_t> active(pieces.size());
    for (std::uint32_t i = 0; i < active.size(); ++i)
        active[i] = i;
    std::vector<Proposal> proposals;
    std::vector<std::uint8_t> state, wins;
    enum : std::uint8_t { k_covered, k_waits, k_proposes };

    for (std::uint64_t round = 0; !active.empty(); ++round) {
        const auto n = static_cast<std::int64_t>(active.size());
        proposals.resize(active.size());
        state.assign(active.size(), k_covered);
        const double share =
            k_first_share / (radius * radius) * portable::power(4.0, static_cast<int>(round));
        parallel_for(n, {.grain = 512}, [&](std::int64_t i) {
            Random random(seed, active[i], round);
            proposals[i].priority = random.bits();
            const Piece& piece = pieces[active[i]];
            if (round < k_rounds_by_area && random.unit() > share * area(piece))
                state[i] = k_waits;
            else if (propose(piece, samples, radius, random, proposals[i].point))
                state[i] = k_proposes;
        });
        std::size_t kept = 0, proposed = 0;
        candidates.clear();
        for (std::size_t i = 0; i < active.size(); ++i) {
            if (state[i] == k_covered)
                continue;
            active[kept++] = active[i];
            if (state[i] == k_proposes) {
                candidates.add(proposals[i].point);
                proposals[proposed++] = proposals[i];
            }
        }
        active.resize(kept);

        wins.assign(proposed, 1);
        const auto m = static_cast<std::int64_t>(proposed);
        parallel_for(m, {.grain = 512}, [&](std::int64_t i) {
            const Vec3d p = Vec3d::from(proposals[i].point);
            candidates.for_each_near(p, radius, [&](std::uint32_t j) {
                const bool stronger = proposals[j].priority != proposals[i].priority
                                          ? proposals[j].priority > proposals[i].priority
                                          : j > i;
                if (stronger && squared_norm(Vec3d::from(proposals[j].point) - p) < radius * radius)
                    wins[i] = 0;
                return wins[i] == 1;
            });
        });
        for (std::size_t i = 0; i < proposed; ++i)
            if (wins[i])
                samples.add(proposals[i].point);
    }
    std::vector<Vec3> points(samples.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = samples[i];
    return points;
}

}  // namespace millrace
