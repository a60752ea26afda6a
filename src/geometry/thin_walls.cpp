#include "geometry/thin_walls.hpp"

#include <algorithm>

#include "exec/host_loops.hpp"
#include "geometry/triangle_tree.hpp"

namespace millrace {

namespace {

// Below this share of the wall's half thickness a point is too close to an edge of the solid, such
// as the rim of a plate or the edge of a wedge of more than 45 degrees.
constexpr double k_clear = 0.7;
constexpr double k_finest = 0.25;  // piece, where only a part of it is thin

class WallFinder {
  public:
    WallFinder(const TriangleTree& tree, double limit, double depth, double piece)
        : tree_(tree), limit_(limit), depth_(depth), piece_(piece) {}

    void cut(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& normal,
             TriangleMesh& walls) const {
        // the longest edge is bc
        const double ab = squared_norm(b - a), bc = squared_norm(c - b), ca = squared_norm(a - c);
        if (ab > bc && ab >= ca)
            return cut(c, a, b, normal, walls);
        if (ca > bc)
            return cut(b, c, a, normal, walls);
        const Vec3d middle = (b + c) * 0.5;
        const auto halve = [&] {
            cut(a, b, middle, normal, walls);
            cut(a, middle, c, normal, walls);
        };
        if (bc > piece_ * piece_)
            return halve();

        const Vec3d center = (a + b + c) / 3.0, corner[3] = {a, b, c};
        const double center_shift = shift(center, normal);
        double shifts[3];
        int thin = center_shift > 0;
        for (int k = 0; k < 3; ++k) {
            shifts[k] = shift(corner[k] + (center - corner[k]) * 1e-3, normal);
            thin += shifts[k] > 0;
        }
        if (thin == 0)
            return;
        if (thin < 4 && bc > k_finest * k_finest * piece_ * piece_)
            return halve();
        if (center_shift == 0)
            return;
        const auto first = static_cast<std::uint32_t>(walls.vertices.size());
        for (int k = 0; k < 3; ++k)
            walls.vertices.push_back(corner[k] - normal * (thin == 4 ? shifts[k] : center_shift));
        walls.triangles.push_back({first, first + 1, first + 2});
    }

  private:
    // How far below the surface the samples lie; 0 where the wall is not thin.
    double shift(const Vec3d& point, const Vec3d& normal) const {
        const double hit = tree_.first_hit(point, -normal, 1e-6 * limit_, limit_);
        if (hit == TriangleTree::k_far)
            return 0;
        const double half = std::min(hit / 2, depth_);
        const double clear = tree_.nearest(point - normal * half, half * 1.01).distance;
        return clear < k_clear * half ? 0 : half;
    }

    const TriangleTree& tree_;
    double limit_, depth_, piece_;
};

}  // namespace

TriangleMesh thin_walls(const TriangleMesh& solid, double limit, double depth, double piece) {
    const TriangleTree tree(solid);
    const WallFinder finder(tree, limit, depth, piece);
    constexpr std::int64_t k_block = 64;
    const auto n = static_cast<std::int64_t>(solid.triangles.size());
    std::vector<TriangleMesh> parts((n + k_block - 1) / k_block);
    const auto blocks = static_cast<std::int64_t>(parts.size());
    parallel_for(blocks, {}, [&](std::int64_t block) {
        for (std::int64_t t = block * k_block; t < std::min(n, (block + 1) * k_block); ++t) {
            const Vec3d normal = solid.normal(t);
            const double length = norm(normal);
            if (length > 0)
                finder.cut(solid.corner(t, 0), solid.corner(t, 1), solid.corner(t, 2),
                           normal / length, parts[block]);
        }
    });
    TriangleMesh walls;
    for (const TriangleMesh& part : parts)
        append(walls, part);
    return walls;
}

}  // namespace millrace
