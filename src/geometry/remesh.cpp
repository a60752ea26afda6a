#include "geometry/remesh.hpp"

#include <algorithm>
#include <cmath>

#include "exec/host_loops.hpp"
#include "geometry/iso_surface.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/triangle_tree.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr int k_side = LatticeField::k_side;
constexpr std::size_t k_most_blocks = 500'000;  // 1 GiB of values
const double k_sqrt3 = std::sqrt(3.0);

// A cube of lattice points: `side` along each axis from `low` on.
struct Cell {
    std::array<std::int32_t, 3> low;
    std::int32_t side;
    int sign = 0;                         // of all its points: -1 inside, 0 not known yet
    double within = TriangleTree::k_far;  // more than the distance of its middle
};

// The signed distance to a mesh, less `offset`. Inside is where the winding number is above 1/2
// (Jacobson et al. 2013), whatever holes there are. In a hole the distance jumps from + to -;
// the field goes through 0 there with the winding number w instead:
//   f = -+ min(distance, 8 voxels |w - 1/2|)
class DistanceField {
  public:
    DistanceField(const TriangleMesh& mesh, double offset, bool holes, double voxel)
        : tree_(mesh), offset_(offset), holes_(holes) {
        const Bounds box = bounds(mesh);
        const double margin = std::max(offset, 0.0) + 3 * voxel;
        field_.voxel = voxel;
        field_.origin = box.min - Vec3d::all(margin);
        const Vec3d size = box.size() + Vec3d::all(2 * margin);
        const double longest = std::max({size[0], size[1], size[2]}) / voxel;
        if (longest >= 1 << 20)
            throw InputError("the mesh is more than a million voxels long; use larger ones");
        Cell root{{0, 0, 0}, k_side};
        while (root.side < longest)
            root.side *= 2;
        find_blocks(root);
        fill(0);
        for (std::size_t first = 0; holes_ && first < field_.blocks.size();) {
            const std::size_t next = field_.blocks.size();
            grow(first);
            fill(next);
            first = next;
        }
    }

    TriangleMesh surface() const {
        TriangleMesh mesh = iso_surface(field_);
        if (offset_ != 0)
            project(mesh);
        return mesh;
    }

  private:
    struct Middle {
        double value;  // of the field
        int sign;      // of all points of the cell, 0 where that is not sure
        double distance;
        bool cut;  // the surface may pass within sqrt(3) voxels of a point
    };

    // A point whose side is known: so is that of all points nearer to it than the surface.
    struct Known {
        Vec3d point;
        double distance = 0;
        int sign = 0;
    };

    // |grad w| <= 1 / (pi rho) between two rims of a hole at the distance rho.
    Middle look(const Cell& cell, Known& known) const {
        const double voxel = field_.voxel, half = (cell.side - 1) / 2.0,
                     reach = half * k_sqrt3 * voxel;
        const Vec3d middle =
            field_.origin +
            Vec3d{{cell.low[0] + half, cell.low[1] + half, cell.low[2] + half}} * voxel;
        const double d = tree_.nearest(middle, cell.within).distance;
        Middle at{0, cell.sign, d, true};
        const double clear = 1.01 * k_sqrt3 * voxel;
        // Nearer than the offset the side does not matter, if that is more than a voxel: the value
        // has the same sign on both, and no cell that is cut has points on both.
        const double level = std::abs(offset_);
        if (level > 1.05 * voxel && (cell.side > 1 ? d + reach < level - clear : d < level)) {
            at.value = offset_ > 0 ? d - level : level - d;
            at.cut = false;
            return at;
        }
        double room = d - reach;  // to the surface, from anywhere in the cell
        if (cell.side > 1 && room <= 0)
            return at;
        double depth = d;
        if (!holes_ && !at.sign && known.sign &&
            norm(middle - known.point) < 0.999 * std::max(d, known.distance))
            at.sign = known.sign;
        if (holes_ || !at.sign) {
            const double w = std::abs(tree_.winding_number(middle)) - 0.5;
            const double change = cell.side > 1 ? 0.35 * reach / room : 0;
            at.sign = std::abs(w) <= change ? 0 : w > 0 ? -1 : 1;
            if (cell.side == 1)
                at.sign = w > 0 ? -1 : 1;
            if (holes_) {
                depth = std::min(d, 8 * voxel * std::abs(w));
                room = std::min(room, 8 * voxel * (std::abs(w) - change));
            }
        }
        if (!at.sign)
            return at;
        known = {middle, d, at.sign};
        // never 0: both sides of an inner wall are inside
        at.value = at.sign * std::max(depth, 1e-6 * voxel) - offset_;
        at.cut = offset_ == 0 ? room <= clear : std::abs(at.value) <= reach + clear;
        return at;
    }

    // Moves vertices that the lattice has put between its points to their exact distance.
    void project(TriangleMesh& mesh) const {
        const auto n = static_cast<std::int64_t>(mesh.vertices.size());
        parallel_for(n, {.grain = 256}, [&](std::int64_t v) {
            Vec3d& x = mesh.vertices[v];
            const double wanted = std::abs(offset_);
            const TriangleTree::Nearest at = tree_.nearest(x, wanted + 2 * field_.voxel);
            if (std::abs(at.distance - wanted) < field_.voxel && at.distance > 0.1 * wanted)
                x = at.point + (x - at.point) * (wanted / at.distance);
        });
    }

    static Cell child(const Cell& cell, int k, const Middle& at, double voxel) {
        const std::int32_t half = cell.side / 2;
        Cell part{cell.low, half, at.sign};
        for (int axis = 0; axis < 3; ++axis)
            part.low[axis] += (k >> axis & 1) * half;
        part.within = at.distance + cell.side * k_sqrt3 / 4 * voxel * 1.001;
        return part;
    }

    void find_blocks(const Cell& root) {
        std::vector<Cell> level{root};
        while (!level.empty()) {
            const auto n = static_cast<std::int64_t>(level.size());
            std::vector<Middle> seen(level.size());
            parallel_for(n, {.grain = 64}, [&](std::int64_t i) {
                Known none;
                seen[i] = look(level[i], none);
                // a hole far from the surface is found from its rim
                if (holes_)
                    seen[i].cut = seen[i].distance <=
                                  ((level[i].side - 1) / 2.0 + 2) * k_sqrt3 * field_.voxel;
            });
            std::vector<Cell> next;
            for (std::size_t i = 0; i < level.size(); ++i) {
                const Cell& cell = level[i];
                if (!seen[i].cut)
                    continue;
                if (cell.side == k_side)
                    add({cell.low[0] / k_side, cell.low[1] / k_side, cell.low[2] / k_side});
                else
                    for (int k = 0; k < 8; ++k)
                        next.push_back(child(cell, k, seen[i], field_.voxel));
            }
            level = std::move(next);
        }
    }

    void add(const LatticeField::Block& block) {
        field_.add(block);
        if (field_.blocks.size() > k_most_blocks)
            throw InputError("the mesh needs too many voxels of " + std::to_string(field_.voxel) +
                             " m; use larger ones");
    }

    void fill(std::size_t first) {
        parallel_for(field_.blocks.size() - first, {.grain = 4}, [&](std::size_t k) {
            const std::size_t b = first + k;
            const LatticeField::Block& block = field_.blocks[b];
            const Cell all{{block[0] * k_side, block[1] * k_side, block[2] * k_side}, k_side};
            Known known;
            fill(all, all.low, known, field_.values[b]);
        });
    }

    void fill(const Cell& cell, const std::array<std::int32_t, 3>& base, Known& known,
              LatticeField::Values& values) const {
        const Middle at = look(cell, known);
        if (cell.side > 1 && at.cut) {
            for (int k = 0; k < 8; ++k)
                fill(child(cell, k, at, field_.voxel), base, known, values);
            return;
        }
        const int x0 = cell.low[0] - base[0], y0 = cell.low[1] - base[1],
                  z0 = cell.low[2] - base[2];
        for (int z = z0; z < z0 + cell.side; ++z)
            for (int y = y0; y < y0 + cell.side; ++y)
                for (int x = x0; x < x0 + cell.side; ++x)
                    values[x + k_side * (y + k_side * z)] = static_cast<float>(at.value);
    }

    // Adds the missing blocks of cells through which the surface passes, for blocks from `first`
    // on.
    void grow(std::size_t first) {
        std::vector<LatticeField::Block> wanted;
        for (std::size_t b = first; b < field_.blocks.size(); ++b) {
            const auto around = field_.around(static_cast<std::uint32_t>(b));
            if (std::find(around.begin(), around.end(), LatticeField::k_none) == around.end())
                continue;
            for (int z = -1; z < k_side; ++z)
                for (int y = -1; y < k_side; ++y)
                    for (int x = -1; x < k_side; ++x)
                        want_cell(field_.blocks[b], around, x, y, z, wanted);
        }
        for (const LatticeField::Block& block : wanted)
            add(block);
    }

    void want_cell(const LatticeField::Block& block, const std::array<std::uint32_t, 27>& around,
                   int x, int y, int z, std::vector<LatticeField::Block>& wanted) const {
        const auto at_rim = [](int c) { return c < 0 || c == k_side - 1; };
        if (!at_rim(x) && !at_rim(y) && !at_rim(z))
            return;
        int inside = 0, outside = 0, missing[8], misses = 0;
        for (int c = 0; c < 8; ++c) {
            const int p[3] = {x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1)};
            int neighbor = 0, point = 0;
            for (int k = 2; k >= 0; --k) {
                const int step = p[k] < 0 ? 0 : p[k] >= k_side ? 2 : 1;
                neighbor = 3 * neighbor + step;
                point = k_side * point + p[k] - (step - 1) * k_side;
            }
            if (around[neighbor] == LatticeField::k_none)
                missing[misses++] = neighbor;
            else
                ++(field_.values[around[neighbor]][point] < 0 ? inside : outside);
        }
        if (inside && outside)
            for (int m = 0; m < misses; ++m)
                wanted.push_back({block[0] + missing[m] % 3 - 1, block[1] + missing[m] / 3 % 3 - 1,
                                  block[2] + missing[m] / 9 - 1});
    }

    TriangleTree tree_;
    double offset_;
    bool holes_;
    LatticeField field_;
};

}  // namespace

TriangleMesh watertight(const TriangleMesh& mesh, double voxel) {
    const TriangleMesh oriented = consistently_oriented(mesh);
    const MeshHealth health = inspect(oriented, false);
    const bool holes = !(health.closed && health.oriented);
    TriangleMesh closed = DistanceField(oriented, 0, holes, voxel).surface();
    if (signed_volume(closed) < 0.1 * voxel * area(oriented))
        throw InputError("the mesh encloses nothing; close its holes or use a smaller voxel");
    return closed;
}

TriangleMesh offset_surface(const TriangleMesh& closed, double distance, double voxel) {
    if (closed.triangles.empty())
        return {};
    return DistanceField(closed, distance, false, voxel).surface();
}

}  // namespace millrace
