#pragma once

#include <span>
#include <vector>

#include "geometry/signed_distance.hpp"
#include "rigid/rigid_engine.hpp"
#include "spook/columns.hpp"
#include "spook/solid_contact.hpp"
#include "spook/wall_field.hpp"

namespace millrace {

/// The walls and bodies of a scene as particles feel them: by their signed distances.
template <int D>
class FluidSolids {
  public:
    /// `reach`: how far from a surface particles feel it [m]. Bodies come first, then walls, as in
    /// SpookBodies.
    FluidSolids(const RigidDescription& description, double reach, double spacing);

    /// Where the solids are: the bodies' states, then the walls' frames.
    void place(std::span<const BodyState> bodies, std::span<const BodyState> walls);

    /// The contacts of the sorted points, by particle, also of those that may come there within
    /// `way` [m] of each of them.
    void find(const Workers& workers, const Columns<D>& columns, std::span<const float> way,
              const WallField& field);
    std::span<const SolidContact<D>> contacts() const { return contacts_; }
    std::span<const std::uint32_t> start() const { return start_; }

    /// The distance of a place to the nearest solid, where that is less than the reach [m].
    float distance(const Vec<D>& place) const;
    std::size_t bytes() const;

  private:
    /// A solid by the distances of its parts, and where it is.
    struct Felt {
        SolidParts<D> parts;
        Mat<D> rotation = Mat<D>::identity();
        Vec<D> position = Vec<D>::all(0);
    };
    struct Part {
        std::uint32_t solid;
        const SignedDistance<D>* distance;
        Vec<D> min, max;  ///< box in the world out of which no particle feels it [m]
    };
    typename SignedDistance<D>::Sample look(const Part& part, const Vec<D>& x) const;
    void place(Felt& solid, const BodyState& state);
    void place_box(Part& part, float reach) const;
    void list_parts_of_strips(const Columns<D>& columns);
    void look(const Columns<D>& columns, std::uint32_t strip, std::span<const float> way,
              const WallField& field);

    float reach_;
    std::vector<Felt> solids_;
    std::vector<Part> parts_;
    std::vector<std::vector<std::uint32_t>> strip_parts_;  ///< that particles of a strip may feel
    std::vector<std::vector<SolidContact<D>>> found_;      ///< of every strip
    std::vector<SolidContact<D>> contacts_;
    std::vector<std::uint32_t> start_;
};

}  // namespace millrace
