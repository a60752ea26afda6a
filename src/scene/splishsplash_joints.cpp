#include "scene/splishsplash_joints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/portable.hpp"
#include "scene/check_bodies.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file::splishsplash {

namespace {

/// The bodies of a joint; none if it holds nothing that moves.
std::vector<std::string> bodies_of(Object& object, const BodyNames& names, const Scene& scene) {
    std::vector<std::string> bodies;
    for (const char* key : {"bodyID1", "bodyID2"}) {
        const auto found = names.find(object.whole(key, 0));
        if (found == names.end()) {
            object.fail(key, "there is no rigid body with this id");
        }
        bodies.push_back(found->second);
    }
    const auto is_wall = [&](const std::string& name) {
        return name != k_world &&
               std::ranges::find(scene.bodies, name, &Body::name) == scene.bodies.end();
    };
    if (std::ranges::any_of(bodies, is_wall)) {
        object.warn("bodyID1", "the joint is left out: another one moves its body");
        return {};
    }
    if (bodies[0] == bodies[1]) {
        object.warn("bodyID1", "the joint is left out: it does not hold two bodies");
        return {};
    }
    return bodies;
}

struct JointKind {
    const char* list;
    const char* type;
    bool motor;
};
constexpr JointKind k_joints[] = {{"HingeJoints", "hinge", false},
                                  {"SliderJoints", "slider", false},
                                  {"DistanceJoints", "distance", false},
                                  {"TargetVelocityMotorHingeJoints", "hinge", true},
                                  {"TargetVelocityMotorSliderJoints", "slider", true}};

/// Their motors reach their speed against any load.
constexpr double k_any_load = 1e9;

/// Speeds of a motor over time: straight lines between times and targets.
class Sequence {
  public:
    /// From `targetSequence`, a list of times and targets, and `repeatSequence`.
    explicit Sequence(Object& object) {
        const Json& list = object.value("targetSequence");
        repeat_ = object.flag("repeatSequence", false);
        if (list.is_null()) {
            return;
        }
        const auto is_number = [](const Json& entry) { return entry.is_number(); };
        if (!list.is_array() || !std::ranges::all_of(list, is_number)) {
            object.fail("targetSequence", "must be a list of numbers, got " + shown(list));
        }
        for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
            times_.push_back(list[i].get<double>());
            targets_.push_back(list[i + 1].get<double>());
        }
        if (!std::ranges::is_sorted(times_)) {
            object.fail("targetSequence", "its times must not decrease");
        }
    }

    bool empty() const { return times_.empty(); }

    double at(double time) const {
        const double duration = times_.back() - times_.front();
        if (repeat_ && duration > 0 && time > duration) {
            time = std::fmod(time, duration);
        }
        const auto next = std::ranges::upper_bound(times_, time);
        if (next == times_.begin() || next == times_.end()) {
            return next == times_.end() ? targets_.back() : targets_.front();
        }
        const auto k = static_cast<std::size_t>(next - times_.begin());
        const double part = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
        return targets_[k - 1] + part * (targets_[k] - targets_[k - 1]);
    }

  private:
    std::vector<double> times_, targets_;
    bool repeat_ = false;
};

/// The way that a motor of changing speed has gone, as keyframes.
WallMotion motion_of(const Joint& joint, const Sequence& speeds, double sense, double end) {
    constexpr double k_interval = 0.02;  // [s]
    const double length = portable::hypot(joint.axis[0], joint.axis[1], joint.axis[2]);
    WallMotion motion;
    motion.type = "keyframes";
    motion.center = joint.anchor;
    double way = 0;
    for (int k = 0; k <= std::ceil(end / k_interval) + 1; ++k) {
        Keyframe key;
        key.time = k * k_interval;
        if (joint.type == "hinge") {
            key.rotation = {joint.axis, way * 180 / std::numbers::pi};
        } else {
            for (int c = 0; c < 3; ++c) {
                key.position[c] = joint.axis[c] / length * way;
            }
        }
        motion.keyframes.push_back(key);
        way += sense * speeds.at(key.time + k_interval / 2) * k_interval;
    }
    return motion;
}

/// Whether a joint other than this one holds the body.
bool is_held_elsewhere(const Scene& scene, const std::string& body) {
    return std::ranges::any_of(scene.joints, [&](const Joint& joint) {
        return std::ranges::find(joint.bodies, body) != joint.bodies.end();
    });
}

/// A body that a motor moves against any load is a wall that moves by a script.
void make_wall(Scene& scene, const std::string& name, const WallMotion& motion) {
    const auto found = std::ranges::find(scene.bodies, name, &Body::name);
    const Body body = *found;
    scene.bodies.erase(found);
    Boundary wall;
    wall.name = name;
    if (const BodyBox* size = std::get_if<BodyBox>(&body.shape)) {
        Box box;
        for (int k = 0; k < 3; ++k) {
            box.min[k] = -size->size[k] / 2;
            box.max[k] = size->size[k] / 2;
        }
        wall.shape = box;
    } else {
        const BodyMesh& mesh = std::get<BodyMesh>(body.shape);
        wall.shape = MeshFile{mesh.file, {1, 1, 1}, {}, {}};
        wall.scale = mesh.scale;
    }
    wall.rotation = body.rotation;
    wall.position = body.position;
    wall.motion = motion;
    wall.friction = body.friction;
    wall.restitution = body.restitution;
    wall.color = body.color;
    scene.boundaries.push_back(wall);
}

/// Their target is the speed of the second body against the first, whatever the bodies are. So is
/// ours, but against the world it is that of the body.
double sense_of(const std::vector<std::string>& bodies) {
    return bodies[1] == k_world ? -1 : 1;
}

void read_motor(Object& object, Joint& joint, Scene& scene) {
    const Sequence sequence(object);
    const double target = object.number("target", sequence.empty() ? 0 : sequence.at(0));
    const bool changes = !sequence.empty() && !object.has("target");
    if (joint.bodies.empty()) {
        return;
    }
    const double sense = sense_of(joint.bodies);
    const std::string& body = joint.bodies[joint.bodies[0] == k_world ? 1 : 0];
    const bool to_world = joint.bodies[0] == k_world || joint.bodies[1] == k_world;
    if (changes && to_world && !is_held_elsewhere(scene, body)) {
        object.warn("targetSequence", "the body is moved by keyframes, as a wall");
        make_wall(scene, body, motion_of(joint, sequence, sense, scene.end));
        joint.bodies.clear();
        return;
    }
    if (changes) {
        object.warn("targetSequence", "ignored: the motor keeps its first speed");
    }
    joint.motor.emplace();
    joint.motor->speed = target == 0 ? 0 : sense * target;
    (joint.type == "hinge" ? joint.motor->max_torque : joint.motor->max_force) = k_any_load;
}

void read_joint(Object& object, const JointKind& kind, const BodyNames& names, Scene& scene) {
    Joint joint;
    joint.type = kind.type;
    joint.bodies = bodies_of(object, names, scene);
    if (joint.type == "distance") {
        joint.anchor = object.vector("position1", {});
        joint.anchor_b = object.vector("position2", {});
        if (object.has("stiffness")) {
            object.warn("stiffness", "ignored: the distance is fixed");
        }
    } else {
        joint.anchor = object.vector("position", {});
        joint.axis = object.vector("axis", {1, 0, 0});
        if (joint.axis == Vector{}) {
            object.fail("axis", "must not be 0 in every direction");
        }
    }
    if (kind.motor) {
        read_motor(object, joint, scene);
    }
    object.finish();
    if (!joint.bodies.empty()) {
        scene.joints.push_back(joint);
    }
}

}  // namespace

void read_joints(const Json& root, const BodyNames& names, Scene& scene, Log& log) {
    for (const JointKind& kind : k_joints) {
        for (Object& object : objects(root, kind.list, log)) {
            read_joint(object, kind, names, scene);
        }
    }
}

}  // namespace millrace::scene_file::splishsplash
