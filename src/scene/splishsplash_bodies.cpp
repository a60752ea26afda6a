#include <algorithm>
#include <cmath>

#include "scene/check_bodies.hpp"
#include "scene/splishsplash_joints.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file::splishsplash {

namespace {

/// What a rigid body and a wall have in common.
struct Placed {
    std::string file;  ///< empty: a cube of 1 m
    Vector scale;
    Rotation rotation;
    Vector position;
    std::optional<Vector> color;
};

std::optional<Placed> read_placed(Object& object, bool flat, const std::string& path) {
    Placed placed;
    const std::string file = object.text("geometryFile", "");
    placed.scale = object.vector("scale", {1, 1, 1});
    placed.rotation = rotation(object);
    placed.position = object.vector("translation", {});
    if (object.has("color")) {
        placed.color = object.vector("color", {});
        for (double& x : *placed.color) {
            x = std::clamp(x, 0.0, 1.0);
        }
    }
    if (flat && (!is_unit_box(file) || placed.rotation.angle != 0)) {
        object.warn("geometryFile", "left out: in 2D only boxes that are not turned are available");
        return std::nullopt;
    }
    if (!is_unit_box(file)) {
        placed.file = mesh_path(object, "geometryFile", path);
    }
    return placed;
}

Box unit_box(const Placed& placed, bool flat) {
    Box box;
    const bool is_turned = placed.rotation.angle != 0;
    for (int k = 0; k < (flat ? 2 : 3); ++k) {
        const double middle = is_turned ? 0 : placed.position[k];
        box.min[k] = middle - std::abs(placed.scale[k]) / 2;
        box.max[k] = middle + std::abs(placed.scale[k]) / 2;
    }
    return box;
}

/// Whether fluid starts within a box.
bool holds_fluid(const Box& box, const Scene& scene) {
    const auto is_within = [&](const Vector& x) {
        for (int k = 0; k < scene.dimension; ++k) {
            if (x[k] < box.min[k] || x[k] > box.max[k]) {
                return false;
            }
        }
        return true;
    };
    for (const Fluid& fluid : scene.fluids) {
        for (const Fill& fill : fluid.fill) {
            const Box* box = std::get_if<Box>(&fill.shape);
            if (!box) {
                continue;
            }
            Vector middle;
            for (int k = 0; k < 3; ++k) {
                middle[k] = (box->min[k] + box->max[k]) / 2;
            }
            if (is_within(middle)) {
                return true;
            }
        }
    }
    return false;
}

void add_wall(Object& object, const Placed& placed, Scene& scene) {
    Boundary wall;
    const bool flat = scene.dimension == 2;
    const bool invert = object.flag("mapInvert", false), is_wall = object.flag("isWall", false);
    wall.inside = invert;
    if (placed.file.empty()) {
        const Box box = unit_box(placed, flat);
        wall.shape = box;
        if (placed.rotation.angle != 0) {
            wall.rotation = placed.rotation;
            wall.position = placed.position;
        }
        if (!invert && placed.rotation.angle == 0 && holds_fluid(box, scene)) {
            wall.inside = true;
            object.warn("mapInvert", "taken as true: the box holds fluid");
        }
    } else {
        wall.shape = MeshFile{placed.file, {1, 1, 1}, {}, {}};
        wall.scale = placed.scale;
        wall.rotation = placed.rotation;
        wall.position = placed.position;
        if (!invert && is_wall) {
            wall.inside = true;
            object.warn("mapInvert", "taken as true: the mesh is a wall");
        }
    }
    wall.friction = std::max(0.0, object.number("friction", 0.2));
    wall.restitution = std::clamp(object.number("restitution", 0.6), 0.0, 1.0);
    wall.color = placed.color.value_or(wall.color);
    scene.boundaries.push_back(wall);
}

void add_body(Object& object, const Placed& placed, const std::string& name, Scene& scene) {
    Body body;
    body.name = name;
    if (placed.file.empty()) {
        BodyBox box;
        for (int k = 0; k < 3; ++k) {
            box.size[k] = std::abs(placed.scale[k]);
        }
        body.shape = box;
    } else {
        body.shape = BodyMesh{placed.file, placed.scale};
    }
    body.position = placed.position;
    body.rotation = placed.rotation;
    body.density = object.number("density", 1);
    if (!object.has("density")) {
        object.warn("density", "not given; 1 kg/m^3, as there");
    }
    body.velocity = object.vector("velocity", {});
    body.angular_velocity = object.vector("angularVelocity", {});
    body.friction = std::max(0.0, object.number("friction", 0.2));
    body.restitution = std::clamp(object.number("restitution", 0.6), 0.0, 1.0);
    body.color = placed.color.value_or(body.color);
    scene.bodies.push_back(body);
}

BodyNames read_bodies(const Json& root, const std::string& path, Scene& scene, Log& log) {
    BodyNames names;
    int number = 0;
    const bool flat = scene.dimension == 2;
    for (Object& object : objects(root, "RigidBodies", log)) {
        const int id = object.whole("id", number++);
        const bool dynamic = object.flag("isDynamic", false);
        if (object.flag("isAnimated", false)) {
            object.warn("isAnimated", "ignored: it does not move");
        }
        const std::optional<Placed> placed = read_placed(object, flat, path);
        std::string name = "body_" + std::to_string(id);
        while (std::ranges::find(scene.bodies, name, &Body::name) != scene.bodies.end()) {
            name += "_";
        }
        if (placed && dynamic && flat) {
            object.warn("isDynamic", "left out: bodies in 2D are not converted");
        } else if (placed && dynamic) {
            add_body(object, *placed, name, scene);
        } else if (placed) {
            add_wall(object, *placed, scene);
        }
        names.emplace(id, placed && dynamic && !flat ? name : k_world);
        object.know({"mapInvert", "isWall", "density", "velocity", "angularVelocity", "friction",
                     "restitution"});
        object.skip({"particleFile", "mapFile", "mapThickness", "mapResolution", "samplingMode",
                     "collisionObjectType", "collisionObjectScale", "collisionObjectFileName",
                     "testMesh", "invertSDF", "thicknessSDF", "resolutionSDF", "flatShading", "tag",
                     "boundingBoxMin", "boundingBoxMax"});
        object.finish();
    }
    return names;
}

}  // namespace

void read_rigid_bodies(const Json& root, const std::string& path, Scene& scene, Log& log) {
    read_joints(root, read_bodies(root, path, scene, log), scene, log);
}

}  // namespace millrace::scene_file::splishsplash
