#pragma once

#include <span>
#include <vector>

#include "rigid/free_turn.hpp"
#include "rigid/joints.hpp"

namespace millrace {

/// R of a body that nothing holds: diag(1/m, 1/m, 1/m, I^-1(t)).
Response free_response(double mass, const Inertia& inertia, const Quaterniond& rotation);

/// R of a body that keeps J v = 0 for the rows J (of body a; n x 6):
///     R' = R - R J^T (J R J^T)^+ J R
void bind_response(Response& response, std::span<const JointRow> rows);

/// The responses of all bodies: free ones, bound by the joints to the world. A joint to another
/// body binds nothing here, and a coordinate with a motor or at its limit is left free.
class Responses {
  public:
    Responses(const RigidDescription& description, std::span<const BoundJoint> joints);

    std::span<const Response> now() const { return responses_; }
    void update(std::span<const BodyState> states);

  private:
    std::vector<double> masses_;
    std::vector<Inertia> inertias_;
    std::vector<BoundJoint> to_world_;
    std::vector<Response> responses_;
};

}  // namespace millrace
