#include "rigid/spook_engine.hpp"

#include <algorithm>

#include "rigid/response.hpp"
#include "rigid/spook_bodies.hpp"

namespace millrace {
namespace {

constexpr int k_sweeps = 30;
constexpr double k_reach = 0.02;  ///< of contacts, in extents of the smallest body

double smallest_extent(const RigidDescription& description) {
    double smallest = 1e300;
    for (const BodyDescription& body : description.bodies) {
        smallest = std::min(smallest, extent_of(body));
    }
    return smallest;
}

int dimension_of(const RigidDescription& description) {
    return std::holds_alternative<Solid<2>>(description.bodies.front().solid) ? 2 : 3;
}

class SpookEngine final : public RigidEngine {
  public:
    explicit SpookEngine(const RigidDescription& description)
        : bodies_(description, dimension_of(description), k_reach * smallest_extent(description)),
          responses_(description, bind_joints(description)) {
        for (const WallDescription& wall : description.walls)
            walls_.push_back(wall.state);
        responses_.update(bodies_.states());
    }

    std::span<const BodyState> states() const override { return bodies_.states(); }
    std::span<const Response> responses() const override { return responses_.now(); }

    void step(double dt, std::span<const Wrench> pushes,
              std::span<const BodyState> walls) override {
        bodies_.start(dt, pushes, walls.empty() ? std::span<const BodyState>(walls_) : walls);
        for (int k = 0; k < k_sweeps; ++k)
            bodies_.sweep(Workers{1}, k % 2 == 0);
        bodies_.finish(dt);
        responses_.update(bodies_.states());
    }

    void restore(std::span<const BodyState> states) override {
        bodies_.restore(states);
        responses_.update(bodies_.states());
    }

  private:
    SpookBodies bodies_;
    Responses responses_;
    std::vector<BodyState> walls_;
};

}  // namespace

std::unique_ptr<RigidEngine> make_spook_engine(const RigidDescription& description) {
    return std::make_unique<SpookEngine>(description);
}

}  // namespace millrace
