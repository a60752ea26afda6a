#pragma once

#include <string>
#include <vector>

#include "io/body_lines.hpp"
#include "math/quaternion.hpp"

namespace millrace {

/// A turn about the origin, then a shift [m].
struct Pose {
    Quaterniond rotation = Quaterniond::identity();
    Vec3d position = Vec3d::all(0);

    Vec3d operator()(const Vec3d& x) const { return position + rotate(rotation, x); }
};

inline Pose pose_of(const BodyView& view) {
    const auto& q = view.rotation;
    const auto& x = view.position;
    return {{q[0], {{q[1], q[2], q[3]}}}, {{x[0], x[1], x[2]}}};
}

/// That of the object of this name; null where there is none.
inline const BodyView* find_view(const std::vector<BodyView>& views, const std::string& name) {
    for (const BodyView& view : views)
        if (view.name == name)
            return &view;
    return nullptr;
}

/// Of a wall in a frame; one that does not move is where it is.
inline Pose wall_pose(const BodyFrame& frame, const std::string& name) {
    const BodyView* view = find_view(frame.walls, name);
    return view ? pose_of(*view) : Pose{};
}

}  // namespace millrace
