#include "geometry/solid_samples.hpp"

#include <algorithm>
#include <cmath>

#include "exec/host_loops.hpp"
#include "geometry/mesh_health.hpp"
#include "geometry/poisson_disk.hpp"
#include "geometry/remesh.hpp"
#include "geometry/thin_walls.hpp"
#include "geometry/triangle_tree.hpp"
#include "math/portable.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_voxel = 0.5;       // radii, of the lattice for the offset surface
constexpr double k_most_cells = 4e6;  // that the offset surface passes through

// The unit normals of the vertices, each triangle by its angle there, stretched so that the planes
// around a vertex all move by about 1.
std::vector<Vec3d> vertex_offsets(const TriangleMesh& mesh) {
    constexpr double k_longest = 2;
    std::vector<Vec3d> offsets(mesh.vertices.size(), Vec3d::all(0));
    const auto for_each_corner = [&](const auto& visit) {
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const Vec3d normal = mesh.normal(t);
            const double length = norm(normal);
            for (int k = 0; k < 3 && length > 0; ++k) {
                const Vec3d &x = mesh.corner(t, k), one = mesh.corner(t, (k + 1) % 3) - x,
                            other = mesh.corner(t, (k + 2) % 3) - x;
                visit(mesh.triangles[t][k], normal / length,
                      portable::atan2(norm(cross(one, other)), dot(one, other)));
            }
        }
    };
    for_each_corner(
        [&](std::uint32_t v, const Vec3d& normal, double angle) { offsets[v] += normal * angle; });
    for (Vec3d& offset : offsets)
        offset = squared_norm(offset) > 0 ? offset / norm(offset) : offset;
    std::vector<double> least(offsets.size(), 1);
    for_each_corner([&](std::uint32_t v, const Vec3d& normal, double) {
        least[v] = std::min(least[v], dot(offsets[v], normal));
    });
    for (std::size_t v = 0; v < offsets.size(); ++v)
        offsets[v] *= 1 / std::max(least[v], 1 / k_longest);
    return offsets;
}

// The sheet moved along its normals. Where it folds over, the parts that come too close to where it
// was are left out: the rest overlaps there.
TriangleMesh moved_sheet(const TriangleMesh& sheet, double distance) {
    constexpr double k_clear = 0.7, k_most_lost = 0.1;
    const std::vector<Vec3d> offsets = vertex_offsets(sheet);
    const TriangleTree tree(sheet);
    TriangleMesh moved = sheet, kept;
    for (std::size_t v = 0; v < sheet.vertices.size(); ++v)
        moved.vertices[v] += offsets[v] * distance;
    kept.vertices = moved.vertices;
    for (std::size_t t = 0; t < sheet.triangles.size(); ++t) {
        const Vec3d middle = (moved.corner(t, 0) + moved.corner(t, 1) + moved.corner(t, 2)) / 3.0;
        if (dot(moved.normal(t), sheet.normal(t)) > 0 &&
            tree.nearest(middle).distance > k_clear * std::abs(distance))
            kept.triangles.push_back(sheet.triangles[t]);
    }
    return area(kept) < (1 - k_most_lost) * area(moved) ? sheet : kept;
}

// The mesh of a solid moved along its normals, a quick way to the surface at a distance: it is that
// surface where no part has folded over and all samples on it are that far from the mesh. Without
// samples where it is not.
std::vector<Vec3> moved_samples(const TriangleMesh& closed, const SolidSampling& s) {
    const double least = 0.9 * s.depth, most = 1.1 * s.depth;
    const std::vector<Vec3d> offsets = vertex_offsets(closed);
    TriangleMesh moved = closed;
    for (std::size_t v = 0; v < offsets.size(); ++v)
        moved.vertices[v] += offsets[v] * (s.fluid_inside ? s.depth : -s.depth);
    for (std::size_t t = 0; t < moved.triangles.size(); ++t)
        if (!(dot(moved.normal(t), closed.normal(t)) > 0))
            return {};
    const TriangleTree tree(closed);
    // a look at the corners first: sampling is dear
    for (const Vec3d& x : moved.vertices) {
        const double distance = tree.nearest(x, 2 * most).distance;
        if (!(distance > least && distance < most))
            return {};
    }
    std::vector<Vec3> samples = poisson_disk(moved, s.radius, s.seed);
    const bool strays = parallel_any(samples.size(), {.grain = 1024}, [&](std::size_t i) {
        const double distance = tree.nearest(Vec3d::from(samples[i]), 2 * most).distance;
        return !(distance > least && distance < most);
    });
    if (strays)
        samples.clear();
    return samples;
}

// Closed, with its normals to the outside; empty for an open mesh.
TriangleMesh closed_outward(const TriangleMesh& mesh, const MeshHealth& health) {
    if (!health.closed)
        return {};
    TriangleMesh closed = health.oriented ? mesh : consistently_oriented(mesh);
    return signed_volume(closed) < 0 ? turned_over(std::move(closed)) : closed;
}

TriangleMesh layer_in_solid(const TriangleMesh& closed, const SolidSampling& s) {
    const double voxel = std::max(k_voxel * s.radius, std::sqrt(area(closed) / k_most_cells));
    TriangleMesh layer = offset_surface(closed, s.fluid_inside ? s.depth : -s.depth, voxel);
    const double limit =
        2 * (s.depth + voxel);  // the offset surface begins to go before two depths
    append(layer,
           thin_walls(s.fluid_inside ? turned_over(closed) : closed, limit, s.depth, s.radius));
    return layer;
}

}  // namespace

TriangleMesh sampled_layer(const TriangleMesh& mesh, const SolidSampling& s) {
    if (!(s.depth >= 0))
        throw InputError("the depth of samples must not be negative");
    if (s.depth == 0 || mesh.triangles.empty())
        return mesh;
    const MeshHealth health = inspect(mesh, false);
    if (health.closed)
        return layer_in_solid(closed_outward(mesh, health), s);
    if (!health.oriented || health.non_manifold_edges)
        return mesh;
    return moved_sheet(welded(mesh), s.fluid_inside ? s.depth : -s.depth);
}

std::vector<Vec3> solid_samples(const TriangleMesh& mesh, const SolidSampling& sampling) {
    if (sampling.depth > 0) {
        const TriangleMesh closed = closed_outward(welded(mesh), inspect(mesh, false));
        if (!closed.triangles.empty()) {
            std::vector<Vec3> samples = moved_samples(closed, sampling);
            if (!samples.empty())
                return samples;
        }
    }
    return poisson_disk(sampled_layer(mesh, sampling), sampling.radius, sampling.seed);
}

}  // namespace millrace
