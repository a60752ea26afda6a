#include "geometry/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "exec/host_loops.hpp"
#include "geometry/inside_test.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/shape_distances.hpp"
#include "geometry/triangle_tree.hpp"

namespace millrace {
namespace {

constexpr std::size_t k_most_cells = 200'000'000;
constexpr std::size_t k_most_bricks = 50'000'000;  // near the surface or not

double between(double a, double b, double part) {
    return a + (b - a) * part;
}

/// Linear along each axis between the corners of a cell: value and gradient per cell. first: of the
/// corners; a row and a layer of nodes follow each other after `row` and `layer` numbers.
double interpolate(const float* first, int row, int layer, const Vec3d& part, Vec3d& gradient) {
    double at_z[2], slope_x[2], slope_y[2];
    for (int z = 0; z < 2; ++z) {
        const float *low = first + z * layer, *high = low + row;
        const double at_low = between(low[0], low[1], part[0]);
        const double at_high = between(high[0], high[1], part[0]);
        slope_x[z] = between(low[1] - low[0], high[1] - high[0], part[1]);
        slope_y[z] = at_high - at_low;
        at_z[z] = between(at_low, at_high, part[1]);
    }
    gradient = {between(slope_x[0], slope_x[1], part[2]), between(slope_y[0], slope_y[1], part[2]),
                at_z[1] - at_z[0]};
    return between(at_z[0], at_z[1], part[2]);
}

}  // namespace

/// The triangles while the grid is made.
struct MeshDistance::Surface {
    TriangleTree tree;
    std::optional<InsideTest> inside;  // not of an open mesh

    Surface(const TriangleMesh& mesh, bool closed) : tree(mesh) {
        if (closed)
            inside.emplace(mesh);
    }
    bool contains(const Vec3d& x) const { return inside && inside->contains(x); }
};

MeshDistance::MeshDistance(const TriangleMesh& mesh, double reach, double spacing)
    : closed_(inspect(mesh, false).closed),
      half_thickness_(closed_ ? 0 : spacing / 4),
      reach_(reach) {
    const Surface surface(mesh, closed_);
    const Bounds box = millrace::bounds(mesh);
    const Vec3d margin = Vec3d::all(half_thickness_);
    min_ = box.min - margin;
    max_ = box.max + margin;
    // distances of an open mesh have a fold at the triangles: it must stay within the wall
    double cell = closed_ ? spacing / 2 : half_thickness_;
    const auto is_too_fine = [&] {
        lay_out(box, cell);
        return double(bricks_[0]) * bricks_[1] * bricks_[2] > double(k_most_bricks) ||
               mark_near(surface) > k_most_cells / (k_cells * k_cells * k_cells);
    };
    while (is_too_fine())
        cell *= 1.5;
    fill(surface);
}

void MeshDistance::lay_out(const Bounds& box, double cell) {
    cell_ = cell;
    const Vec3d margin = Vec3d::all(reach_ + half_thickness_ + cell);
    origin_ = box.min - margin;
    const Vec3d size = box.size() + margin * 2.0;
    for (int k = 0; k < 3; ++k)
        bricks_[k] = static_cast<int>(std::ceil(size[k] / (k_cells * cell)));
}

Vec3d MeshDistance::corner_of(std::size_t brick) const {
    const std::size_t x = brick % bricks_[0], row = brick / bricks_[0];
    const double width = k_cells * cell_;
    return origin_ + Vec3d{double(x), double(row % bricks_[1]), double(row / bricks_[1])} * width;
}

/// Writes which bricks are kept, one after the other; returns their number.
std::size_t MeshDistance::mark_near(const Surface& surface) {
    index_.assign(std::size_t(bricks_[0]) * bricks_[1] * bricks_[2], 0);
    const int rows = bricks_[1] * bricks_[2];
    parallel_for(rows, {.grain = 4},
                 [&](int row) { mark_row(surface, row % bricks_[1], row / bricks_[1]); });
    std::int32_t kept = 0;
    for (std::int32_t& entry : index_)
        if (entry >= 0)
            entry = kept++;
    return static_cast<std::size_t>(kept);
}

/// A brick is far where all of it is farther from the surface than the reach and what is needed to
/// interpolate. So are those that follow, as long as the distance cannot have shrunk to that.
void MeshDistance::mark_row(const Surface& surface, int y, int z) {
    const double width = k_cells * cell_;
    const double near = reach_ + half_thickness_ + 2 * cell_ + std::sqrt(0.75) * width;
    const std::size_t first = (std::size_t(z) * bricks_[1] + y) * bricks_[0];
    for (int x = 0; x < bricks_[0];) {
        const Vec3d middle = corner_of(first + x) + Vec3d::all(width / 2);
        const double distance = surface.tree.nearest(middle).distance;
        if (distance <= near) {
            ++x;
            continue;
        }
        const double more = std::min((distance - near) / width, double(bricks_[0]));
        const int end = std::min(bricks_[0], x + 1 + static_cast<int>(more * 0.999));
        std::fill(index_.begin() + std::ptrdiff_t(first + x),
                  index_.begin() + std::ptrdiff_t(first + end),
                  surface.contains(middle) ? k_inside : k_outside);
        x = end;
    }
}

void MeshDistance::fill(const Surface& surface) {
    std::vector<std::size_t> near;
    for (std::size_t brick = 0; brick < index_.size(); ++brick)
        if (index_[brick] >= 0)
            near.push_back(brick);
    nodes_.resize(near.size() * k_brick_size);
    parallel_for(near.size(), {.grain = 4}, [&](std::size_t i) {
        fill_brick(surface, near[i], nodes_.data() + i * k_brick_size);
    });
}

/// Between two neighbours in a row whose distances sum up to more than a cell there is no surface:
/// they have the same sign. Distances are cut off where no place within the reach needs them.
void MeshDistance::fill_brick(const Surface& surface, std::size_t brick, float* nodes) const {
    const Vec3d corner = corner_of(brick);
    const double certain = cell_ * (1 + 1e-6), farthest = reach_ + half_thickness_ + 2 * cell_;
    for (int row = 0; row < k_nodes * k_nodes; ++row) {
        const Vec3d start = corner + Vec3d{0, double(row % k_nodes), double(row / k_nodes)} * cell_;
        double last = 0;
        bool inside = false;
        for (int x = 0; x < k_nodes; ++x) {
            const Vec3d place = start + Vec3d{x * cell_, 0, 0};
            const double within = x ? std::min(last + certain, farthest) : farthest;
            const double distance = surface.tree.nearest(place, within).distance;
            if (x == 0 || distance + last <= certain)
                inside = surface.contains(place);
            last = distance;
            *nodes++ = static_cast<float>((inside ? -distance : distance) - half_thickness_);
        }
    }
}

SignedDistance<3>::Sample MeshDistance::at(const Vec3& place) const {
    const float far = static_cast<float>(reach_ + 2 * cell_);
    const Vec3 any{0, 1, 0};
    const Vec3d in_cells = (Vec3d::from(place) - origin_) / cell_;
    int brick[3], node[3];
    Vec3d part;
    for (int k = 0; k < 3; ++k) {
        if (!(in_cells[k] >= 0 && in_cells[k] < bricks_[k] * k_cells))
            return {far, any};
        const int cell = static_cast<int>(in_cells[k]);
        brick[k] = cell / k_cells;
        node[k] = cell % k_cells;
        part[k] = in_cells[k] - cell;
    }
    const std::int32_t entry =
        index_[(std::size_t(brick[2]) * bricks_[1] + brick[1]) * bricks_[0] + brick[0]];
    if (entry < 0)
        return {entry == k_inside ? -far : far, any};
    const float* first = nodes_.data() + std::size_t(entry) * k_brick_size +
                         (node[2] * k_nodes + node[1]) * k_nodes + node[0];
    Vec3d gradient;
    const double distance = interpolate(first, k_nodes, k_nodes * k_nodes, part, gradient);
    const double steepness = norm(gradient);
    return {static_cast<float>(distance),
            steepness > 1e-6 * cell_ ? Vec3::from(gradient / steepness) : any};
}

void MeshDistance::bounds(Vec3& min, Vec3& max) const {
    round_outwards(min_, max_, min, max);
}

std::size_t MeshDistance::bytes() const {
    return sizeof(*this) + index_.capacity() * sizeof(std::int32_t) +
           nodes_.capacity() * sizeof(float);
}

}  // namespace millrace
