#pragma once

#include "scene/keys_fluid.hpp"

// The keys of walls, bodies and joints.
namespace millrace::scene_file {

template <class Visitor>
void describe(Visitor& visit, const Keyframe*) {
    visit({.name = "time",
           .help = "when the wall is there; each later than the one before",
           .unit = "s",
           .required = true},
          &Keyframe::time);
    visit({.name = "position", .help = "how far it is from its place at the start", .unit = "m"},
          &Keyframe::position);
    visit({.name = "rotation", .help = "how it is turned about `center`"}, &Keyframe::rotation);
}

template <class Visitor>
void describe(Visitor& visit, const WallMotion*) {
    const Beside sine{"type", {"sine"}};
    visit({.name = "type",
           .help = "`sine`: to and fro; `linear`: straight on; `rotate`: round an axis; "
                   "`keyframes`: through given poses",
           .required = true,
           .choices = {"sine", "linear", "rotate", "keyframes"}},
          &WallMotion::type);
    visit({.name = "axis",
           .help = "of `sine` the direction; of `rotate` the axis, in 2D [0, 0, 1]; of any "
                   "length but 0",
           .not_zero = true,
           .shape = Shape::axis,
           .only_with = {"type", {"sine", "rotate"}}},
          &WallMotion::axis);
    visit({.name = "amplitude",
           .help = "way from the middle to the end",
           .unit = "m",
           .required = true,
           .at_least = 0,
           .only_with = sine},
          &WallMotion::amplitude);
    visit({.name = "period",
           .help = "time to and fro",
           .unit = "s",
           .required = true,
           .above = 0,
           .only_with = sine},
          &WallMotion::period);
    visit({.name = "phase",
           .help = "where in its period it starts; 0: in the middle, towards `axis`",
           .unit = "degrees",
           .only_with = sine},
          &WallMotion::phase);
    visit({.name = "velocity",
           .help = "its velocity",
           .unit = "m/s",
           .required = true,
           .only_with = {"type", {"linear"}}},
          &WallMotion::velocity);
    visit({.name = "center",
           .help = "a point of the axis, in the world",
           .unit = "m",
           .only_with = {"type", {"rotate", "keyframes"}}},
          &WallMotion::center);
    visit({.name = "rpm",
           .help = "turns per minute, right-handed about `axis`",
           .unit = "1/min",
           .required = true,
           .only_with = {"type", {"rotate"}}},
          &WallMotion::rpm);
    visit({.name = "keyframes",
           .help = "the poses; in between they are interpolated",
           .required = true,
           .least = 1,
           .only_with = {"type", {"keyframes"}}},
          &WallMotion::keyframes);
    visit(k_from_key, &WallMotion::from);
    visit(k_until_key, &WallMotion::until);
}

/// Of boundaries and bodies.
inline const Key k_friction_key{
    .name = "friction", .help = "Coulomb's coefficient, in contacts of bodies", .at_least = 0};
inline const Key k_restitution_key{.name = "restitution",
                                   .help = "part of the speed of a body that a bounce leaves",
                                   .at_least = 0,
                                   .at_most = 1};

template <class Visitor>
void describe(Visitor& visit, const Boundary*) {
    visit({.name = "name",
           .help = "the name in files and messages; no two boundaries share one; without it the "
                   "boundary is called `boundary_` and its place in the list"},
          &Boundary::name);
    visit({.name = "box", .help = "the box whose faces are the walls", .one_of = k_shape},
          as<Box>(&Boundary::shape));
    visit({.name = "sphere",
           .help = "the sphere whose surface is the wall",
           .only_in = 3,
           .one_of = k_shape,
           .has_twin = true},
          as<Sphere>(&Boundary::shape));
    visit({.name = "cylinder",
           .help = "the cylinder whose surface is the wall, its ends too",
           .only_in = 3,
           .one_of = k_shape},
          as<Cylinder>(&Boundary::shape));
    visit({.name = "plane",
           .help = "the plane that is the wall, in 2D a line; the fluid is in front of it",
           .one_of = k_shape},
          as<Plane>(&Boundary::shape));
    visit({.name = "mesh", .help = "the surface that is the wall", .only_in = 3, .one_of = k_shape},
          as<MeshFile>(&Boundary::shape));
    visit({.name = "circle",
           .help = "the disc that is the wall",
           .only_in = 2,
           .one_of = k_shape,
           .has_twin = true},
          as<Sphere>(&Boundary::shape));
    visit(
        {.name = "polygon", .help = "the solid that is the wall", .only_in = 2, .one_of = k_shape},
        as<Polygon>(&Boundary::shape));
    visit({.name = "chain",
           .help = "the thin wall, with fluid on both sides",
           .only_in = 2,
           .one_of = k_shape},
          as<Chain>(&Boundary::shape));
    visit({.name = "inside",
           .help = "true: a tank, the fluid is within the shape; false: an obstacle",
           .not_with = "plane"},
          &Boundary::inside);
    visit({.name = "open",
           .help = "faces left out",
           .choices = {"-x", "+x", "-y", "+y", "-z", "+z"},
           .only_with = {"box", {}}},
          &Boundary::open);
    visit(k_scale_key, &Boundary::scale);
    visit({.name = "rotation",
           .help = "turns the shape about the origin of the world, after `scale`"},
          &Boundary::rotation);
    visit({.name = "position", .help = "moves the shape, last", .unit = "m"}, &Boundary::position);
    visit({.name = "motion", .help = "how the wall moves; without it, it stands still"},
          &Boundary::motion);
    visit(k_friction_key, &Boundary::friction);
    visit(k_restitution_key, &Boundary::restitution);
    visit(k_color_key, &Boundary::color);
    visit(k_glass_key, &Boundary::glass);
}

template <class Visitor>
void describe(Visitor& visit, const BodyBox*) {
    visit({.name = "size",
           .help = "length of its edges along x, y and z",
           .unit = "m",
           .required = true,
           .above = 0},
          &BodyBox::size);
}

template <class Visitor>
void describe(Visitor& visit, const BodySphere*) {
    visit({.name = "radius", .help = "its radius", .unit = "m", .required = true, .above = 0},
          &BodySphere::radius);
}

template <class Visitor>
void describe(Visitor& visit, const BodyCylinder*) {
    visit({.name = "radius", .help = "its radius", .unit = "m", .required = true, .above = 0},
          &BodyCylinder::radius);
    visit({.name = "height", .help = "length along y", .unit = "m", .required = true, .above = 0},
          &BodyCylinder::height);
}

template <class Visitor>
void describe(Visitor& visit, const BodyCapsule*) {
    visit({.name = "radius", .help = "its radius", .unit = "m", .required = true, .above = 0},
          &BodyCapsule::radius);
    visit({.name = "height",
           .help = "length along y with its round ends, at least twice the radius",
           .unit = "m",
           .required = true,
           .above = 0},
          &BodyCapsule::height);
}

template <class Visitor>
void describe(Visitor& visit, const BodyMesh*) {
    visit(k_file_key, &BodyMesh::file);
    visit(k_scale_key, &BodyMesh::scale);
}

template <class Visitor>
void describe(Visitor& visit, const Body*) {
    visit({.name = "name",
           .help = "the name in files and messages; no two bodies share one, and none is called "
                   "`world`; without it the body is called `body_` and its place in the list"},
          &Body::name);
    visit({.name = "box", .help = "a box around the body's origin", .one_of = k_shape},
          as<BodyBox>(&Body::shape));
    visit({.name = "sphere",
           .help = "a sphere around the body's origin",
           .only_in = 3,
           .one_of = k_shape,
           .has_twin = true},
          as<BodySphere>(&Body::shape));
    visit({.name = "cylinder",
           .help = "a cylinder along y, the body's origin in its middle",
           .only_in = 3,
           .one_of = k_shape},
          as<BodyCylinder>(&Body::shape));
    visit({.name = "capsule",
           .help = "a cylinder with round ends along y, the body's origin in its middle",
           .only_in = 3,
           .one_of = k_shape},
          as<BodyCapsule>(&Body::shape));
    visit({.name = "mesh",
           .help = "a closed surface in the frame of its file, which is the body's frame",
           .only_in = 3,
           .one_of = k_shape},
          as<BodyMesh>(&Body::shape));
    visit({.name = "circle",
           .help = "a disc around the body's origin",
           .only_in = 2,
           .one_of = k_shape,
           .has_twin = true},
          as<BodySphere>(&Body::shape));
    visit({.name = "polygon",
           .help = "an area, convex or not, in the body's frame",
           .only_in = 2,
           .one_of = k_shape},
          as<Polygon>(&Body::shape));
    visit({.name = "mass", .help = "of the whole body", .unit = "kg", .above = 0}, &Body::mass);
    visit({.name = "density",
           .help = "of its material, where `mass` is not given; in 2D the body is 1 m thick",
           .unit = "kg/m^3",
           .above = 0,
           .not_with = "mass"},
          &Body::density);
    visit({.name = "center_of_mass",
           .help = "in the body's frame; without it that of the shape, filled evenly",
           .unit = "m"},
          &Body::center_of_mass);
    visit({.name = "inertia",
           .help = "moments of inertia about the axes of the body's frame through the centre of "
                   "mass, in 2D one number; without it those of the shape, filled evenly",
           .unit = "kg m^2",
           .above = 0,
           .shape = Shape::spin},
          &Body::inertia);
    visit(
        {.name = "position", .help = "where the origin of its frame is at the start", .unit = "m"},
        &Body::position);
    visit({.name = "rotation", .help = "how its frame is turned at the start"}, &Body::rotation);
    visit({.name = "velocity", .help = "of its centre of mass at the start", .unit = "m/s"},
          &Body::velocity);
    visit({.name = "angular_velocity",
           .help = "at the start, about the axes of the world; in 2D one number, from x to y",
           .unit = "rad/s",
           .shape = Shape::spin},
          &Body::angular_velocity);
    visit(k_friction_key, &Body::friction);
    visit(k_restitution_key, &Body::restitution);
    visit(k_color_key, &Body::color);
    visit(k_glass_key, &Body::glass);
}

template <class Visitor>
void describe(Visitor& visit, const Motor*) {
    visit(
        {.name = "speed",
         .help = "to be kept: of a hinge in rad/s, right-handed about `axis`, of a slider in "
                 "m/s; that of the second body against the first, or of the body against the world",
         .required = true},
        &Motor::speed);
    visit({.name = "max_torque",
           .help = "what it can do at most; required for a hinge, and only there",
           .unit = "N m",
           .above = 0},
          &Motor::max_torque);
    visit({.name = "max_force",
           .help = "what it can do at most; required for a slider, and only there",
           .unit = "N",
           .above = 0},
          &Motor::max_force);
}

template <class Visitor>
void describe(Visitor& visit, const Joint*) {
    visit({.name = "name",
           .help = "no two joints share one; without it the joint is called `joint_` and its place "
                   "in the list"},
          &Joint::name);
    visit({.name = "type",
           .help = "`hinge`: turns about an axis; `slider`: moves along an axis; `distance`: two "
                   "points stay as far apart as they are; `weld`: does not move",
           .required = true,
           .choices = {"hinge", "slider", "distance", "weld"}},
          &Joint::type);
    visit({.name = "bodies",
           .help = "names of the two bodies; `world` is what does not move",
           .required = true,
           .count = 2},
          &Joint::bodies);
    visit({.name = "anchor",
           .help = "a point of the joint, in the world at the start; of `distance` the one on the "
                   "first body",
           .unit = "m",
           .required_with = {"type", {"hinge", "distance"}}},
          &Joint::anchor);
    visit({.name = "anchor_b",
           .help = "the point on the second body, in the world at the start",
           .unit = "m",
           .required = true,
           .only_with = {"type", {"distance"}}},
          &Joint::anchor_b);
    visit({.name = "axis",
           .help = "in the world at the start, of any length but 0; in 2D a hinge has [0, 0, 1]",
           .not_zero = true,
           .shape = Shape::axis,
           .only_with = {"type", {"hinge", "slider"}}},
          &Joint::axis);
    visit({.name = "limits",
           .help = "least and most: of `hinge` the angle from the start in degrees, of `slider` "
                   "the way from the start in m, of `distance` the distance in m, at least 0; "
                   "without them a hinge and a slider are free",
           .count = 2,
           .only_with = {"type", {"hinge", "slider", "distance"}}},
          &Joint::limits);
    visit({.name = "motor",
           .help = "what drives the joint",
           .only_with = {"type", {"hinge", "slider"}}},
          &Joint::motor);
}

template <class Visitor>
void describe(Visitor& visit, const Rigid*) {
    visit(
        {.name = "engine",
         .help = "what moves the bodies: `own` without contacts; `bullet` in 3D and `box2d` in 2D "
                 "with contacts and joints; `spook`: contacts and joints as constraints, with "
                 "engine `constraints` in one solve with the fluid; `auto`: `bullet` or `box2d` "
                 "where it is built in, and `spook` with engine `constraints`",
         .choices = {"auto", "own", "bullet", "box2d", "spook"}},
        &Rigid::engine);
}

template <class Visitor>
void describe(Visitor& visit, const Sink*) {
    visit({.name = "name",
           .help = "no two sinks share one; without it the sink is called `sink_` and its place in "
                   "the list"},
          &Sink::name);
    visit({.name = "box", .help = "fluid that comes here is removed and counted", .required = true},
          &Sink::box);
}

}  // namespace millrace::scene_file
