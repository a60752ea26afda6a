#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "math/portable.hpp"
#include "scene/splishsplash_materials.hpp"
#include "scene/splishsplash_object.hpp"
#include "scene/text.hpp"

namespace millrace::scene_file::splishsplash {

namespace {

/// The least and the largest extent of the volumes and openings from which a fluid comes [m].
struct Extents {
    double least = std::numeric_limits<double>::infinity(), largest = 0;

    void include(double extent) {
        least = std::min(least, extent);
        largest = std::max(largest, extent);
    }
};

Extents extents_of(const Fluid& fluid, int dimension, double spacing) {
    Extents extents;
    for (const Fill& fill : fluid.fill) {
        const Box* box = std::get_if<Box>(&fill.shape);
        for (int k = 0; box && k < dimension; ++k) {
            extents.include(box->max[k] - box->min[k]);
        }
    }
    for (const Emitter& emitter : fluid.emitters) {
        extents.include(emitter.radius > 0 ? 2 * emitter.radius
                                           : std::min(emitter.size[0], emitter.size[1]));
    }
    if (!(extents.largest > 0)) {  // of a mesh or points: nothing is known
        extents.include(10 * spacing);
    }
    extents.least = std::max(extents.least, 2 * spacing);
    extents.largest = std::max(extents.largest, extents.least);
    return extents;
}

/// Collects the fluids of a scene: one for each id and velocity at the start.
class Fluids {
  public:
    Fluids(const Json& root, const TheirParticles& particles, Log& log) : log_(log) {
        const std::string list = "Materials";
        std::size_t i = 0;
        for (Object& object : objects(root, list, log)) {
            const std::string id = object.text("id", "Fluid");
            materials_[id] = read_material(object, root.at(list).at(i++), particles, log);
        }
    }

    Fluid& find(const std::string& id, const Vector& velocity, const std::string& place) {
        const auto same = [&](const Entry& entry) {
            return entry.id == id && entry.fluid.velocity == velocity;
        };
        auto found = std::ranges::find_if(fluids_, same);
        if (found == fluids_.end()) {
            const auto parts = std::ranges::count(fluids_, id, &Entry::id);
            Entry entry{id, materials_[id].fluid};
            entry.fluid.velocity = velocity;
            entry.fluid.name = clean_name(id, "Fluid");
            if (parts > 0) {
                entry.fluid.name.append("_").append(std::to_string(parts + 1));
                log_.warn(place, "a fluid starts with one velocity; this part of " + in_quotes(id) +
                                     " is called " + in_quotes(entry.fluid.name));
            }
            fluids_.push_back(std::move(entry));
            found = fluids_.end() - 1;
        }
        return found->fluid;
    }

    /// Where an emitter of that id adds to.
    Fluid& find(const std::string& id, const std::string& place) {
        const auto found = std::ranges::find(fluids_, id, &Entry::id);
        return found == fluids_.end() ? find(id, Vector{}, place) : found->fluid;
    }

    /// Its particles are shared among the emitters of a fluid.
    void limit_emitters() {
        for (auto& [id, fluid] : fluids_) {
            for (Emitter& emitter : fluid.emitters) {
                emitter.max_particles = std::max<std::uint64_t>(
                    1, materials_[id].max_emitter_particles / fluid.emitters.size());
            }
        }
    }

    /// The viscosities that calm the fluids as much as their damping of strain, in steps of dt.
    /// A solve that is global damps waves of every length: taken is the mean of the fluid's least
    /// and largest extent. One that is local damps short ones: the least extent.
    void set_viscosities(double dt, int dimension, double spacing) {
        for (auto& [id, fluid] : fluids_) {
            const Material& material = materials_[id];
            if (!(material.strain_damping > 0)) {
                continue;
            }
            const Extents extents = extents_of(fluid, dimension, spacing);
            const double length = material.damps_globally
                                      ? std::sqrt(extents.least * extents.largest)
                                      : extents.least;
            fluid.viscosity.nu = rounded(strain_damping_nu(material.strain_damping, dt, length));
            log_.warn(join_path(material.place, "viscosityMethod"),
                      material.method + ": implicit is used with nu = " +
                          number_text(fluid.viscosity.nu) + " m^2/s, which calms a layer of " +
                          number_text(rounded(length)) + " m as fast");
        }
    }

    std::vector<Fluid> list() const {
        std::vector<Fluid> fluids;
        for (const Entry& entry : fluids_) {
            fluids.push_back(entry.fluid);
        }
        return fluids;
    }

  private:
    struct Entry {
        std::string id;
        Fluid fluid;
    };

    Log& log_;
    std::map<std::string, Material> materials_;
    std::vector<Entry> fluids_;
};

void warn_of_start(Object& object) {
    const int mode = object.whole("denseMode", 0);
    if (mode != 0) {
        object.warn("denseMode", "ignored: particles start on a cubic lattice");
    }
    if (object.vector("initialAngularVelocity", {}) != Vector{}) {
        object.warn("initialAngularVelocity", "ignored: a fluid starts without rotation");
    }
    object.skip({"visMesh"});
}

void read_block(Object& block, bool flat, Fluids& fluids) {
    const Vector start = block.vector("start", {}), end = block.vector("end", {1, 1, 1});
    const Vector scale = block.vector("scale", {1, 1, 1});
    const Vector translation = block.vector("translation", {});
    Vector velocity = block.vector("initialVelocity", {});
    Box box;
    for (int k = 0; k < (flat ? 2 : 3); ++k) {
        const double a = scale[k] * start[k] + translation[k];
        const double b = scale[k] * end[k] + translation[k];
        box.min[k] = std::min(a, b);
        box.max[k] = std::max(a, b);
    }
    velocity[2] = flat ? 0 : velocity[2];
    Fill fill;
    fill.shape = box;
    fluids.find(block.text("id", "Fluid"), velocity, block.place()).fill.push_back(fill);
    warn_of_start(block);
    block.finish();
}

void read_model(Object& model, bool flat, const std::string& path, Fluids& fluids) {
    const std::string file = model.text("particleFile", "");
    const bool particles = file.ends_with(".bgeo") || file.ends_with(".bgeo.gz");
    if (flat) {
        model.fail("particleFile", "fluids from files are available in 3D only");
    }
    MeshFile mesh;
    mesh.file = mesh_path(model, "particleFile", path);
    mesh.scale = model.vector("scale", mesh.scale);
    mesh.rotation = rotation(model);
    mesh.position = model.vector("translation", {});
    if (model.flag("invert", false)) {
        model.warn("invert", "ignored: the inside of the mesh is filled");
    }
    Fill fill;
    if (particles) {
        fill.shape = PointFile{mesh.file, mesh.scale, mesh.rotation, mesh.position};
    } else {
        fill.shape = mesh;
    }
    fluids.find(model.text("id", "Fluid"), model.vector("initialVelocity", {}), model.place())
        .fill.push_back(fill);
    warn_of_start(model);
    model.skip({"resolutionSDF"});
    model.finish();
}

/// A vector, turned (Rodrigues).
Vector turned(const Rotation& rotation, const Vector& v) {
    const double length = portable::hypot(rotation.axis[0], rotation.axis[1], rotation.axis[2]);
    const Vector a{rotation.axis[0] / length, rotation.axis[1] / length, rotation.axis[2] / length};
    const double angle = rotation.angle * std::numbers::pi / 180;
    const double c = portable::cos(angle), s = portable::sin(angle);
    const double along = a[0] * v[0] + a[1] * v[1] + a[2] * v[2];
    const Vector cross{a[1] * v[2] - a[2] * v[1], a[2] * v[0] - a[0] * v[2],
                       a[0] * v[1] - a[1] * v[0]};
    Vector result;
    for (int k = 0; k < 3; ++k) {
        result[k] = c * v[k] + s * cross[k] + (1 - c) * along * a[k];
        result[k] = std::abs(result[k]) < 1e-12 ? 0 : result[k];
    }
    return result;
}

/// There a fraction of a particle is cut off.
double particles_across(Object& object, const char* key) {
    const double number = object.number(key, 5), whole = std::floor(number);
    if (!(whole >= 1)) {
        object.fail(key, "must be 1 or more, got " + number_text(number));
    }
    if (whole != number) {
        object.warn(key, "taken as " + number_text(whole) + " particles, as there");
    }
    return whole;
}

void read_emitter(Object& object, bool flat, double spacing, Fluids& fluids) {
    Emitter emitter;
    const bool circle = object.whole("type", 0) == 1;
    const double width = spacing * particles_across(object, "width");
    const double height = spacing * particles_across(object, "height");
    emitter.position = object.vector("translation", {});
    Rotation turn = rotation(object);
    if (flat) {
        turn.axis = {0, 0, 1};
        emitter.position[2] = 0;
    }
    emitter.direction = turned(turn, {1, 0, 0});
    const double velocity = object.number("velocity", 1);
    emitter.speed = std::abs(velocity);
    if (velocity < 0) {
        for (double& x : emitter.direction) {
            x = x == 0 ? 0 : -x;
        }
    }
    if (circle || flat) {
        emitter.radius = (circle ? width : height) / 2;
    } else {
        emitter.size = {width, height, 0};
        emitter.up = turned(turn, {0, 1, 0});
    }
    emitter.from = object.number("emitStartTime", 0);
    emitter.until = std::min(emitter.until, object.number("emitEndTime", emitter.until));
    const std::string id = object.text("id", "Fluid");
    if (velocity == 0) {
        object.warn("velocity", "the emitter is left out: nothing comes from it");
    } else {
        fluids.find(id, object.place()).emitters.push_back(emitter);
    }
    object.skip({"tag", "boundingBoxMin", "boundingBoxMax"});
    object.finish();
}

}  // namespace

void read_fluids(const Json& root, const std::string& path, Scene& scene, Log& log) {
    Fluids fluids(root, {scene.dimension, scene.spacing}, log);
    const bool flat = scene.dimension == 2;
    for (Object& block : objects(root, "FluidBlocks", log)) {
        read_block(block, flat, fluids);
    }
    for (Object& model : objects(root, "FluidModels", log)) {
        read_model(model, flat, path, fluids);
    }
    for (Object& emitter : objects(root, "Emitters", log)) {
        read_emitter(emitter, flat, scene.spacing, fluids);
    }
    fluids.limit_emitters();
    fluids.set_viscosities(
        scene.time_step.mode == "fixed" ? scene.time_step.dt : scene.time_step.max, scene.dimension,
        scene.spacing);
    scene.fluids = fluids.list();
}

}  // namespace millrace::scene_file::splishsplash
