#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rigid/rigid_engine.hpp"

// Where bodies touch each other and the walls, for a solver that is not the finder's own.
namespace millrace {

/// Two surfaces that are near each other.
struct BodyContact {
    int a;         ///< number of a body
    int b;         ///< number of another body, or -1 - w for wall w
    Vec3d point;   ///< midway between the surfaces [m]
    Vec3d normal;  ///< of length 1, from b to a
    double gap;    ///< between the surfaces; below 0 they overlap [m]
    /// Of all contacts of a pair: the same number for the same place in the next step.
    std::uint32_t feature;
};

class ContactFinder {
  public:
    virtual ~ContactFinder() = default;

    /// The contacts of surfaces that are nearer than the finder's reach, in an order that depends
    /// on the states alone. Bodies that a joint holds together do not touch. `walls` are the
    /// walls' frames, one for every wall of the description. Valid until the next call.
    virtual std::span<const BodyContact> find(std::span<const BodyState> bodies,
                                              std::span<const BodyState> walls) = 0;
};

/// In space, by Bullet; throws InputError where the build has none. `reach` is the largest gap
/// that counts [m].
std::unique_ptr<ContactFinder> make_space_contact_finder(const RigidDescription& description,
                                                         double reach);

/// In the plane: circles, boxes, polygons (convex or not), thin walls.
std::unique_ptr<ContactFinder> make_flat_contact_finder(const RigidDescription& description,
                                                        double reach);

}  // namespace millrace
