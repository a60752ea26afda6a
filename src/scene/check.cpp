#include <cmath>
#include <string>
#include <vector>

#include "scene/scene_json.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file {

namespace {

constexpr char k_axis_names[] = "xyz";

std::string entry(const char* list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
}

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
void check_names_differ(const std::vector<T>& list, const char* list_name,
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

void check_boundary(const Boundary& boundary, int dimension, const std::string& file,
                    const std::string& place) {
    check_box(*boundary.box, dimension, file, place + ".box");
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

void check_probe(const Probe& probe, int dimension, const std::string& file,
                 const std::string& place) {
    if (probe.name == "time") {
        fail(file, place + ".name", "'time' is the first column of probes.csv, choose another");
    }
    if (probe.axis >= dimension) {
        fail(file, place + ".axis", "must be at most 1 in 2D, got " + std::to_string(probe.axis));
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
        const Fluid& fluid = scene.fluids[i];
        for (std::size_t j = 0; j < fluid.fill.size(); ++j) {
            const std::string place = entry("fluids", i) + "." + entry("fill", j) + ".box";
            check_box(*fluid.fill[j].box, dimension, file, place);
            check_particle_fits(*fluid.fill[j].box, scene, file, place);
        }
    }
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        check_boundary(scene.boundaries[i], dimension, file, entry("boundaries", i));
    }
    for (std::size_t i = 0; i < scene.probes.size(); ++i) {
        check_probe(scene.probes[i], dimension, file, entry("probes", i));
    }
    check_names_differ(scene.fluids, "fluids", file);
    check_names_differ(scene.boundaries, "boundaries", file);
    check_names_differ(scene.probes, "probes", file);
    check_order(scene.pressure.min_iterations, scene.pressure.max_iterations, file,
                "pressure.min_iterations", "max_iterations");
    check_order(scene.time_step.min, scene.time_step.max, file, "time_step.min", "max");
    if (scene.camera && scene.camera->position == scene.camera->target) {
        fail(file, "camera.target", "must differ from position");
    }
}

}  // namespace millrace::scene_file
