#pragma once

#include "millrace/scene.hpp"
#include "scene/key.hpp"

// The keys of shapes.
namespace millrace::scene_file {

template <class Visitor>
void describe(Visitor& visit, const Box*) {
    visit({.name = "min", .help = "lower corner", .unit = "m", .required = true}, &Box::min);
    visit({.name = "max", .help = "upper corner", .unit = "m", .required = true}, &Box::max);
}

template <class Visitor>
void describe(Visitor& visit, const Rotation*) {
    visit({.name = "axis",
           .help = "what is turned about, of any length but 0; in 2D along z",
           .not_zero = true,
           .shape = Shape::space},
          &Rotation::axis);
    visit(
        {.name = "angle", .help = "right-handed: from x to y about the z axis", .unit = "degrees"},
        &Rotation::angle);
}

template <class Visitor>
void describe(Visitor& visit, const Sphere*) {
    visit({.name = "center", .help = "its centre", .unit = "m", .required = true}, &Sphere::center);
    visit({.name = "radius", .help = "its radius", .unit = "m", .required = true, .above = 0},
          &Sphere::radius);
}

template <class Visitor>
void describe(Visitor& visit, const Cylinder*) {
    visit({.name = "from", .help = "centre of one end", .unit = "m", .required = true},
          &Cylinder::from);
    visit({.name = "to", .help = "centre of the other end", .unit = "m", .required = true},
          &Cylinder::to);
    visit({.name = "radius", .help = "its radius", .unit = "m", .required = true, .above = 0},
          &Cylinder::radius);
}

template <class Visitor>
void describe(Visitor& visit, const Polygon*) {
    visit({.name = "points",
           .help = "its corners, in any sense of rotation; its edges do not cross",
           .unit = "m",
           .required = true,
           .least = 3},
          &Polygon::points);
}

template <class Visitor>
void describe(Visitor& visit, const Chain*) {
    visit({.name = "points",
           .help = "what it goes through; where the last one is the first, it is closed",
           .unit = "m",
           .required = true,
           .least = 2},
          &Chain::points);
}

template <class Visitor>
void describe(Visitor& visit, const Plane*) {
    visit({.name = "point", .help = "a point of the plane", .unit = "m", .required = true},
          &Plane::point);
    visit({.name = "normal",
           .help = "direction out of the solid, of any length but 0; all behind the plane is solid",
           .not_zero = true},
          &Plane::normal);
}

inline const Key k_file_key{.name = "file",
                            .help = "OBJ, PLY, STL, glTF or GLB; relative to the scene file",
                            .required = true,
                            .path = true};
inline const Key k_scale_key{.name = "scale",
                             .help = "factor of its size, or one along each axis; negative mirrors",
                             .not_zero = true,
                             .shape = Shape::scale};

template <class Visitor>
void describe(Visitor& visit, const MeshFile*) {
    visit(k_file_key, &MeshFile::file);
    visit(k_scale_key, &MeshFile::scale);
    visit({.name = "rotation", .help = "about the origin, after `scale`"}, &MeshFile::rotation);
    visit({.name = "position", .help = "where its origin comes to lie, last", .unit = "m"},
          &MeshFile::position);
}

template <class Visitor>
void describe(Visitor& visit, const PointFile*) {
    visit({.name = "file",
           .help = "`.bgeo` of Houdini, version 5, compressed or not; relative to the scene file",
           .required = true,
           .path = true},
          &PointFile::file);
    visit(k_scale_key, &PointFile::scale);
    visit({.name = "rotation", .help = "about the origin, after `scale`"}, &PointFile::rotation);
    visit({.name = "position", .help = "where its origin comes to lie, last", .unit = "m"},
          &PointFile::position);
}

}  // namespace millrace::scene_file
