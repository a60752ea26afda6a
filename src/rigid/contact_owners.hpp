#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "rigid/rigid_engine.hpp"

// Bodies and walls as contacts number them: from 0 on and from -1 down.
namespace millrace {

inline int wall_number(std::size_t wall) {
    return -1 - static_cast<int>(wall);
}

inline const BodyState& frame_of(int owner, std::span<const BodyState> bodies,
                                 std::span<const BodyState> walls) {
    return owner >= 0 ? bodies[static_cast<std::size_t>(owner)]
                      : walls[static_cast<std::size_t>(-1 - owner)];
}

/// Whether of a pair `a` is named first: bodies before walls, lower numbers of bodies first.
inline bool comes_first(int a, int b) {
    return a >= 0 && (b < 0 || a < b);
}

/// Pairs of bodies that joints hold together. The world is not one of them.
class JoinedBodies {
  public:
    explicit JoinedBodies(const RigidDescription& description) {
        const auto number = [&](const std::string& name) {
            const auto& bodies = description.bodies;
            const auto found = std::ranges::find_if(
                bodies, [&](const BodyDescription& d) { return d.name() == name; });
            return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
        };
        for (const Joint& joint : description.joints) {
            const int a = number(joint.bodies[0]), b = number(joint.bodies[1]);
            if (a >= 0 && b >= 0)
                pairs_.insert(std::minmax(a, b));
        }
    }

    bool holds(int a, int b) const { return pairs_.contains(std::minmax(a, b)); }

  private:
    std::set<std::pair<int, int>> pairs_;
};

}  // namespace millrace
