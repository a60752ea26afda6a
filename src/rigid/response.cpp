#include "rigid/response.hpp"

namespace millrace {

Response free_response(double mass, const Inertia& inertia, const Quaterniond& rotation) {
    Response response;
    const Mat3d turning = in_world_axes(inertia.inverse, rotation);
    for (int i = 0; i < 3; ++i) {
        response.r[i][i] = 1 / mass;
        for (int j = 0; j < 3; ++j)
            response.r[3 + i][3 + j] = turning(i, j);
    }
    return response;
}

/// Row by row, which gives the pseudo-inverse: R <- R - (R j^T)(j R) / (j R j^T). A row that those
/// before it already hold has j R j^T = 0 but for rounding, and is left out.
void bind_response(Response& response, std::span<const JointRow> rows) {
    double(&r)[6][6] = response.r;
    const Response unbound = response;
    const auto times = [](const double(&m)[6][6], const double(&j)[6], double(&result)[6]) {
        double product = 0;
        for (int i = 0; i < 6; ++i) {
            result[i] = 0;
            for (int k = 0; k < 6; ++k)
                result[i] += m[i][k] * j[k];
            product += result[i] * j[i];
        }
        return product;
    };
    for (const JointRow& row : rows) {
        double j[6], w[6];
        for (int k = 0; k < 3; ++k) {
            j[k] = row.linear_a[k];
            j[3 + k] = row.angular_a[k];
        }
        const double before = times(unbound.r, j, w);
        const double gives = times(r, j, w);
        if (!(gives > 1e-9 * before))
            continue;
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 6; ++k)
                r[i][k] -= w[i] * w[k] / gives;
    }
}

Responses::Responses(const RigidDescription& description, std::span<const BoundJoint> joints)
    : responses_(description.bodies.size()) {
    for (const BodyDescription& body : description.bodies) {
        masses_.push_back(body.mass);
        inertias_.push_back({body.inertia, inverse(body.inertia)});
    }
    for (const BoundJoint& joint : joints)
        if (joint.b == k_world)
            to_world_.push_back(joint);
}

void Responses::update(std::span<const BodyState> states) {
    for (std::size_t i = 0; i < responses_.size(); ++i)
        responses_[i] = free_response(masses_[i], inertias_[i], states[i].rotation);
    for (const BoundJoint& joint : to_world_) {
        const auto a = static_cast<std::size_t>(joint.a);
        const JointRows rows = joint_rows(joint, states[a], BodyState{});
        bind_response(responses_[a], {rows.held, static_cast<std::size_t>(rows.count)});
        // a rope that is taut; slack, it holds nothing
        const double length = rows.free.error, near = 1e-6 * length;
        if (joint.type == JointType::distance && joint.limited &&
            (length <= joint.least + near || length >= joint.most - near))
            bind_response(responses_[a], {&rows.free, 1});
    }
}

}  // namespace millrace
