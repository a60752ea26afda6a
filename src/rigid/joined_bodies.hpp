#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "rigid/rigid_engine.hpp"

namespace millrace {

/// Pairs of bodies that joints hold together. The world is not one of them.
class JoinedBodies {
  public:
    explicit JoinedBodies(const RigidDescription& description) {
        const auto number = [&](const std::string& name) {
            const auto& bodies = description.bodies;
            const auto found = std::ranges::find_if(
                bodies, [&](const BodyDescription& d) { return d.body.name == name; });
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
