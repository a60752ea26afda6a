#include "scene/check_bodies.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "scene/text.hpp"

namespace millrace::scene_file {

namespace {

void check_body(const Body& body, const std::string& file, const std::string& place) {
    if (body.name == k_world) {
        fail(file, place + ".name", "'world' stands for the fixed world in joints, choose another");
    }
    if (body.inertia && body.shape.index() != 0) {
        // no body has a moment that is larger than the two others together
        const Vector& i = *body.inertia;
        const double largest = std::max({i[0], i[1], i[2]});
        if (i[0] > 0 && 2 * largest > (1 + 1e-9) * (i[0] + i[1] + i[2])) {
            fail(file, place + ".inertia",
                 "the largest is more than the two others together, which no body has");
        }
    }
    const BodyCapsule* capsule = std::get_if<BodyCapsule>(&body.shape);
    if (capsule && capsule->height < 2 * capsule->radius) {
        fail(file, place + ".capsule.height",
             "must be at least twice the radius (" + number_text(2 * capsule->radius) + "), got " +
                 number_text(capsule->height));
    }
}

void check_limits(const Joint& joint, const std::string& file, const std::string& place) {
    if (joint.limits.empty()) {
        return;
    }
    if (!(joint.limits[0] < joint.limits[1])) {
        fail(file, place,
             "the first must be less than the second, got " + number_text(joint.limits[0]) +
                 " and " + number_text(joint.limits[1]));
    }
    if (joint.type == "distance" && joint.limits[0] < 0) {
        fail(file, place + "[0]",
             "must be at least 0 where type is 'distance', got " + number_text(joint.limits[0]));
    }
}

/// A hinge has a torque, a slider a force.
void check_motor(const Motor& motor, const std::string& type, const std::string& file,
                 const std::string& place) {
    const bool hinge = type == "hinge";
    const std::string own = hinge ? "max_torque" : "max_force";
    const std::string other = hinge ? "max_force" : "max_torque";
    const bool has_own = (hinge ? motor.max_torque : motor.max_force).has_value();
    const bool has_other = (hinge ? motor.max_force : motor.max_torque).has_value();
    if (has_other) {
        fail(file, place + "." + other,
             "not of a motor of a " + type + ", which has " + own + " instead");
    }
    if (!has_own) {
        fail(file, place + "." + own, "missing; required where type is " + in_quotes(type));
    }
}

void check_joint(const Joint& joint, const Scene& scene, const std::string& file,
                 const std::string& place) {
    for (std::size_t i = 0; i < joint.bodies.size(); ++i) {
        if (joint.bodies[i] != k_world) {
            check_body_name(scene, joint.bodies[i], file, place + "." + entry("bodies", i));
        }
    }
    if (joint.type == "distance" && joint.anchor == joint.anchor_b && joint.limits.empty()) {
        fail(file, place + ".anchor_b", "must differ from anchor, or limits must be given");
    }
    check_limits(joint, file, place + ".limits");
    if (joint.motor) {
        check_motor(*joint.motor, joint.type, file, place + ".motor");
    }
}

}  // namespace

void check_body_name(const Scene& scene, const std::string& name, const std::string& file,
                     const std::string& place) {
    std::vector<std::string_view> names;
    for (const Body& body : scene.bodies) {
        names.push_back(body.name);
    }
    if (std::ranges::find(names, name) != names.end()) {
        return;
    }
    const std::string_view guess = nearest(name, names);
    fail(file, place,
         "there is no body " + in_quotes(name) +
             (names.empty()   ? "; the scene has no bodies"
              : guess.empty() ? "; the bodies: " + list_text(names)
                              : "; did you mean " + in_quotes(guess) + "?"));
}

void check_bodies(const Scene& scene, const std::string& file) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        check_body(scene.bodies[i], file, entry("bodies", i));
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        check_joint(scene.joints[i], scene, file, entry("joints", i));
    }
}

}  // namespace millrace::scene_file
