#pragma once

#include <span>

#include "geometry/solids_in_frames.hpp"
#include "surface/marching_cubes.hpp"

namespace millrace {

/// The solids that a vertex lies on.
struct Contact {
    std::array<std::uint16_t, 3> solids{};  ///< numbers from 1; 0: none
    Vec3 normals[3];                        ///< of these, at right angles to each other
    int count = 0;

    /// Takes away from a vector what leads off the solids.
    void keep_on(Vec3& v) const {
        for (int k = 0; k < count; ++k)
            v -= normals[k] * dot(normals[k], v);
    }
};

/// The vertices of a mesh that lie on solids.
class Contacts {
  public:
    Contacts() = default;
    /// Moves the vertices next to a solid onto it, so that every triangle is either of the free
    /// surface or lies on one solid, with sharp edges between. `mesh.walls` tells on which solid
    /// marching cubes have put each vertex.
    Contacts(CellMesh& mesh, std::span<const PlacedSolid> solids, const BlockPlace& middle,
             double cell);

    bool empty() const { return contacts_.empty(); }
    const Contact* of(std::uint32_t vertex) const {
        return contacts_.empty() || index_[vertex] == 0 ? nullptr : &contacts_[index_[vertex] - 1];
    }
    /// The rank of a vertex: 0 of the free surface and its rim, the solid's number otherwise. It
    /// follows neighbours of its own rank and of lower ones.
    std::uint16_t rank(std::uint32_t vertex) const { return contacts_.empty() ? 0 : rank_[vertex]; }

    /// Normals at the rim, where the free surface meets a solid, are those of the free surface.
    void sharpen_rim(const CellMesh& mesh, std::vector<Vec3>& normals) const;

    /// After smoothing: vertices exactly onto their solids, and all others out of them.
    void put_on_solids(CellMesh& mesh) const;

  private:
    void adopt(std::uint32_t vertex, std::uint16_t number);
    Vec3 world(const Vec3& x) const;
    SignedDistance<3>::Sample sample(std::uint16_t number, const Vec3& x) const;
    void project(std::uint32_t vertex, Vec3& x) const;

    std::span<const PlacedSolid> solids_;
    BlockPlace middle_{};
    double cell_ = 1;
    std::vector<std::uint16_t> rank_;
    std::vector<std::uint32_t> index_;  // of each vertex: 1 + its place in contacts_, or 0
    std::vector<Contact> contacts_;
};

}  // namespace millrace
