#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scene/check_bodies.hpp"
#include "scene/check_engine.hpp"
#include "scene/check_flat.hpp"
#include "scene/scene_json.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file {

namespace {

constexpr char k_axis_names[] = "xyz";

void check_box(const Box& box, int dimension, const std::string& file, const std::string& place) {
    for (int axis = 0; axis < dimension; ++axis) {
        if (!(box.min[axis] < box.max[axis])) {
            fail(file, place,
                 std::string("min must be less than max along ") + k_axis_names[axis] + ", got " +
                     number_text(box.min[axis]) + " and " + number_text(box.max[axis]));
        }
    }
}

/// A lattice starts half a spacing from each face, so that n particles take n spacings.
void check_particle_fits(const Box& box, const Scene& scene, const std::string& file,
                         const std::string& place) {
    constexpr double k_rounding = 1e-6;
    for (int axis = 0; axis < scene.dimension; ++axis) {
        const double extent = box.max[axis] - box.min[axis];
        if (std::floor(extent / scene.spacing + k_rounding) < 1) {
            fail(file, place,
                 "no particle fits: along " + std::string(1, k_axis_names[axis]) + " the box is " +
                     number_text(extent) + " m, less than the spacing " +
                     number_text(scene.spacing) + " m");
        }
    }
}

template <class T>
void check_names_differ(const std::vector<T>& list, const std::string& list_name,
                        const std::string& file) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (list[i].name == list[j].name) {
                fail(file, entry(list_name, i) + ".name",
                     in_quotes(list[i].name) + " is already the name of " + entry(list_name, j));
            }
        }
    }
}

void check_times(double from, double until, const std::string& file, const std::string& place) {
    if (!(until > from)) {
        fail(file, place + ".until",
             "must be after from (" + number_text(from) + "), got " + number_text(until));
    }
}

void check_fill(const Fill& fill, const Scene& scene, const std::string& file,
                const std::string& place) {
    if (const Box* box = std::get_if<Box>(&fill.shape)) {
        check_box(*box, scene.dimension, file, place + ".box");
        check_particle_fits(*box, scene, file, place + ".box");
    }
    const Sphere* round = std::get_if<Sphere>(&fill.shape);
    if (round && 2 * round->radius < scene.spacing) {
        const std::string word = scene.dimension == 2 ? "circle" : "sphere";
        fail(file, place + "." + word,
             "no particle fits: the " + word + " is " + number_text(2 * round->radius) +
                 " m wide, less than the spacing " + number_text(scene.spacing) + " m");
    }
    if (const Polygon* polygon = std::get_if<Polygon>(&fill.shape)) {
        check_polygon(*polygon, file, place + ".polygon");
    }
}

bool parallel(const Vector& a, const Vector& b) {
    const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    constexpr double k_rounding = 1e-12;
    return dot * dot >= (1 - k_rounding) * aa * bb;
}

void check_emitter(const Emitter& emitter, const Scene& scene, const std::string& file,
                   const std::string& place) {
    const double width =
        emitter.radius > 0 ? 2 * emitter.radius : std::min(emitter.size[0], emitter.size[1]);
    if (width < scene.spacing) {
        fail(file, place + (emitter.radius > 0 ? ".radius" : ".size"),
             "no particle fits: the opening is " + number_text(width) +
                 " m wide, less than the spacing " + number_text(scene.spacing) + " m");
    }
    if (emitter.size != Vector{} && parallel(emitter.up, emitter.direction)) {
        fail(file, place + ".up",
             "must not be along direction; the height of the opening is measured along it");
    }
    check_times(emitter.from, emitter.until, file, place);
    if (!emitter.body.empty()) {
        check_body_name(scene, emitter.body, file, place + ".body");
    }
}

void check_fluid(const Fluid& fluid, const Scene& scene, const std::string& file,
                 const std::string& place) {
    if (fluid.fill.empty() && fluid.emitters.empty()) {
        fail(file, place, "needs fill or emitters");
    }
    for (std::size_t i = 0; i < fluid.fill.size(); ++i) {
        check_fill(fluid.fill[i], scene, file, place + "." + entry("fill", i));
    }
    for (std::size_t i = 0; i < fluid.emitters.size(); ++i) {
        check_emitter(fluid.emitters[i], scene, file, place + "." + entry("emitters", i));
    }
    check_names_differ(fluid.emitters, place + ".emitters", file);
}

void check_motion(const WallMotion& motion, const std::string& file, const std::string& place) {
    check_times(motion.from, motion.until, file, place);
    for (std::size_t i = 1; i < motion.keyframes.size(); ++i) {
        const double before = motion.keyframes[i - 1].time;
        if (!(motion.keyframes[i].time > before)) {
            fail(file, place + "." + entry("keyframes", i) + ".time",
                 "must be after that of the keyframe before (" + number_text(before) + "), got " +
                     number_text(motion.keyframes[i].time));
        }
    }
}

void check_boundary(const Boundary& boundary, int dimension, const std::string& file,
                    const std::string& place) {
    if (const Box* box = std::get_if<Box>(&boundary.shape)) {
        check_box(*box, dimension, file, place + ".box");
    }
    const Cylinder* cylinder = std::get_if<Cylinder>(&boundary.shape);
    if (cylinder && cylinder->from == cylinder->to) {
        fail(file, place + ".cylinder.to", "must differ from from");
    }
    if (boundary.motion) {
        check_motion(*boundary.motion, file, place + ".motion");
    }
    for (std::size_t i = 0; i < boundary.open.size(); ++i) {
        if (dimension == 2 && boundary.open[i].back() == 'z') {
            fail(file, place + "." + entry("open", i),
                 "there is no face " + in_quotes(boundary.open[i]) + " in 2D");
        }
    }
    if (boundary.open.size() == 2 * static_cast<std::size_t>(dimension)) {
        fail(file, place + ".open", "every face is open, nothing is left of the boundary");
    }
}

void check_probe(const Probe& probe, const Scene& scene, const std::string& file,
                 const std::string& place) {
    if (probe.name == "time") {
        fail(file, place + ".name", "'time' is the first column of probes.csv, choose another");
    }
    if (probe.axis >= scene.dimension) {
        fail(file, place + ".axis", "must be at most 1 in 2D, got " + std::to_string(probe.axis));
    }
    if (probe.type == "body") {
        check_body_name(scene, probe.body, file, place + ".body");
    }
}

void check_order(double smaller, double larger, const std::string& file, const std::string& place,
                 const std::string& larger_name) {
    if (smaller > larger) {
        fail(file, place,
             "must be at most " + larger_name + " (" + number_text(larger) + "), got " +
                 number_text(smaller));
    }
}

}  // namespace

void check_scene(const Scene& scene, const std::string& file) {
    const int dimension = scene.dimension;
    if (scene.domain) {
        check_box(*scene.domain, dimension, file, "domain");
    }
    for (std::size_t i = 0; i < scene.fluids.size(); ++i) {
        check_fluid(scene.fluids[i], scene, file, entry("fluids", i));
    }
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        check_boundary(scene.boundaries[i], dimension, file, entry("boundaries", i));
    }
    if (dimension == 2) {
        check_flat_scene(scene, file);
    }
    check_names_differ(scene.bodies, "bodies", file);
    check_bodies(scene, file);
    for (std::size_t i = 0; i < scene.sinks.size(); ++i) {
        check_box(scene.sinks[i].box, dimension, file, entry("sinks", i) + ".box");
    }
    for (std::size_t i = 0; i < scene.probes.size(); ++i) {
        check_probe(scene.probes[i], scene, file, entry("probes", i));
    }
    check_names_differ(scene.fluids, "fluids", file);
    check_names_differ(scene.boundaries, "boundaries", file);
    check_names_differ(scene.joints, "joints", file);
    check_names_differ(scene.sinks, "sinks", file);
    check_names_differ(scene.probes, "probes", file);
    check_order(scene.pressure.min_iterations, scene.pressure.max_iterations, file,
                "pressure.min_iterations", "max_iterations");
    check_order(scene.time_step.min, scene.time_step.max, file, "time_step.min", "max");
    check_engine(scene, file);
    if (scene.camera && scene.camera->position == scene.camera->target) {
        fail(file, "camera.target", "must differ from position");
    }
}

}  // namespace millrace::scene_file
