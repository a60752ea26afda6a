#include "render/run_frames.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/primitives.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "render/pose.hpp"

namespace millrace {
namespace {

constexpr double k_outliers = 0.01;  // left out at each end

// How much more than the fluid or the tanks may be seen, in sizes of these.
constexpr double k_near_walls = 0.25, k_near_bodies = 1;

Bounds bounds_of(const TriangleMesh& mesh, const Pose& pose) {
    Bounds box = Bounds::empty();
    for (const Vec3d& x : mesh.vertices)
        box.include(pose(x));
    return box;
}

bool is_empty(const Bounds& box) {
    return box.min[0] > box.max[0];
}

void include(Bounds& all, const Bounds& more) {
    if (!is_empty(more)) {
        all.include(more.min);
        all.include(more.max);
    }
}

/// The part of `box` that is at most so many sizes of `core` away from it.
Bounds near(const Bounds& box, const Bounds& core, double sizes) {
    const Vec3d margin = Vec3d::all(sizes * norm(core.size()));
    Bounds part;
    for (int k = 0; k < 3; ++k) {
        part.min[k] = std::max(box.min[k], core.min[k] - margin[k]);
        part.max[k] = std::min(box.max[k], core.max[k] + margin[k]);
        if (part.min[k] > part.max[k])
            return Bounds::empty();
    }
    return part;
}

/// Of a box of the scene where it is in a frame.
Bounds bounds_of(const Boundary& wall, const BodyFrame& frame) {
    const TriangleMesh mesh =
        transformed(box_mesh(to_vec3d(wall.box->min), to_vec3d(wall.box->max)),
                    to_vec3d(wall.scale), to_quaternion(wall.rotation), to_vec3d(wall.position));
    return bounds_of(mesh, wall_pose(frame, wall.name));
}

/// Of all particles but the outermost 1 % at each side, which may be spray.
Bounds bounds_of(const ParticleFrame& frame, double radius) {
    Bounds box = Bounds::empty();
    for (std::size_t k = 0; k < 3; ++k) {
        std::vector<float> places;
        for (std::size_t i = k; i < frame.positions.size(); i += 3)
            if (std::isfinite(frame.positions[i]))
                places.push_back(frame.positions[i]);
        if (places.empty())
            return Bounds::empty();
        const auto last = static_cast<double>(places.size() - 1);
        const auto place = [&](double index) {
            const auto at = places.begin() + static_cast<std::ptrdiff_t>(index);
            std::nth_element(places.begin(), at, places.end());
            return *at;
        };
        box.min[k] = place(std::floor(k_outliers * last)) - radius;
        box.max[k] = place(std::ceil((1 - k_outliers) * last)) + radius;
    }
    return box;
}

}  // namespace

std::vector<PvdEntry> find_frames(const std::filesystem::path& run) {
    if (!std::filesystem::is_directory(run))
        throw InputError(run.string() + ": no such folder; give the OUT folder of `millrace run`");
    const std::filesystem::path collection = run / "particles.pvd";
    if (!std::filesystem::exists(collection))
        throw InputError(run.string() +
                         ": no particles.pvd in it; give the OUT folder of `millrace run`");
    std::vector<PvdEntry> frames = read_pvd(collection);
    if (frames.empty())
        throw InputError(collection.string() +
                         ": no frames in it; the run has ended before the first one");
    return frames;
}

std::vector<float> field_values(const ParticleFrame& frame, const std::string& name) {
    const Field* field = frame.find(name);
    if (!field) {
        std::string known;
        for (const Field& f : frame.fields)
            known += (known.empty() ? "" : ", ") + f.name;
        throw InputError("--field " + name + ": the frames have no such field; they have " + known);
    }
    return std::visit(
        [&](const auto& data) {
            std::vector<float> values(frame.count());
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = field->components == 1
                                ? static_cast<float>(data[i])
                                : std::hypot(static_cast<float>(data[3 * i]),
                                             static_cast<float>(data[3 * i + 1]),
                                             static_cast<float>(data[3 * i + 2]));
            return values;
        },
        field->data);
}

Range robust_range(std::vector<float> values) {
    std::erase_if(values, [](float v) { return !std::isfinite(v); });
    if (values.empty())
        return {0, 1};
    const auto percentile = [&](double part) {
        const auto at = values.begin() +
                        static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return static_cast<double>(*at);
    };
    double low = percentile(k_outliers), high = percentile(1 - k_outliers);
    if (low > 0 && low < 0.2 * high)
        low = 0;
    // the same value everywhere, up to rounding errors: a little around it
    const double least = std::max(1e-5 * std::max(std::abs(low), std::abs(high)), 1e-30);
    if (high - low < least) {
        const double half = low == 0 ? 1 : 0.01 * std::abs(low);
        return {low == 0 ? 0 : low - half, high + half};
    }
    return rounded({low, high});
}

BodyFrame objects_at(double time, const std::vector<BodyFrame>& lines) {
    const auto nearest =
        std::min_element(lines.begin(), lines.end(), [&](const BodyFrame& a, const BodyFrame& b) {
            return std::abs(a.time - time) < std::abs(b.time - time);
        });
    return nearest == lines.end() ? BodyFrame{} : *nearest;
}

Box scene_bounds(const Scene& scene, const std::vector<ObjectMesh>& objects,
                 const std::vector<const RunFrame*>& frames) {
    Bounds tanks = Bounds::empty(), walls = tanks, bodies = tanks, fluid = tanks;
    const auto add_objects = [&](const BodyFrame& frame) {
        for (const Boundary& wall : scene.boundaries)
            if (wall.box)
                include(wall.inside ? tanks : walls, bounds_of(wall, frame));
        for (const ObjectMesh& object : objects)
            if (const BodyView* view = find_view(frame.bodies, object.name); object.is_body && view)
                include(bodies, bounds_of(object.surface, pose_of(*view)));
            else if (!object.is_body)
                include(object.is_glass ? tanks : walls,
                        bounds_of(object.surface, wall_pose(frame, object.name)));
    };
    if (frames.empty())
        add_objects({});
    for (const RunFrame* frame : frames) {
        add_objects(frame->objects);
        include(fluid, bounds_of(frame->particles, scene.spacing / 2));
    }
    Bounds all = is_empty(tanks) ? fluid : tanks;
    include(all, is_empty(all) ? bodies : near(bodies, all, k_near_bodies));
    include(all, is_empty(all) ? walls : near(walls, all, k_near_walls));
    if (is_empty(all))  // nothing anywhere
        all = {Vec3d::all(-1), Vec3d::all(1)};
    return {{all.min[0], all.min[1], all.min[2]}, {all.max[0], all.max[1], all.max[2]}};
}

}  // namespace millrace
