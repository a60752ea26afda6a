#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/signed_distance.hpp"
#include "geometry/triangle_mesh.hpp"

namespace millrace {

/// Distances to a mesh on a regular grid, of which only bricks near the surface are kept; between
/// the nodes they are interpolated linearly along each axis. A mesh with holes is a thin wall, half
/// a spacing thick.
class MeshDistance : public SignedDistance<3> {
  public:
    MeshDistance(const TriangleMesh& mesh, double reach, double spacing);

    /// Beyond the reach the distance is one that is larger, of the right sign.
    Sample at(const Vec3& place) const override;
    void bounds(Vec3& min, Vec3& max) const override;
    std::size_t bytes() const override;

    /// Whether its triangles enclose a solid.
    bool is_closed() const { return closed_; }
    double cell() const { return cell_; }  ///< [m]

  private:
    static constexpr int k_cells = 8;            // of a brick, along each axis
    static constexpr int k_nodes = k_cells + 1;  // shared ones belong to both bricks
    static constexpr int k_brick_size = k_nodes * k_nodes * k_nodes;
    static constexpr std::int32_t k_outside = -1, k_inside = -2;  // bricks far from the surface

    struct Surface;
    void lay_out(const Bounds& box, double cell);
    std::size_t mark_near(const Surface& surface);
    void mark_row(const Surface& surface, int y, int z);
    void fill(const Surface& surface);
    void fill_brick(const Surface& surface, std::size_t brick, float* nodes) const;
    Vec3d corner_of(std::size_t brick) const;

    bool closed_;
    double half_thickness_;  // of the wall that an open mesh is [m]
    double reach_, cell_ = 0;
    Vec3d min_, max_;  // of the solid
    Vec3d origin_;     // first node of the grid
    std::array<int, 3> bricks_{};
    std::vector<std::int32_t> index_;  // of each brick: the number of its nodes, or as above
    std::vector<float> nodes_;         // brick by brick, x first
};

}  // namespace millrace
