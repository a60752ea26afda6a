#include "world/sampled_solids.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "boundary/scripted_motion.hpp"
#include "boundary/standoff.hpp"
#include "geometry/shape_measures.hpp"
#include "geometry/surface_samples.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "particles/emitter.hpp"

namespace millrace {

namespace {

std::string place(const char* list, std::size_t i, const std::string& rest) {
    return std::string(list) + "[" + std::to_string(i) + "]" + rest;
}

template <int D>
SampleRules sample_rules(const Scene& scene) {
    return SampleRules::of(scene.spacing, sample_depth<D>(scene.support) * scene.spacing,
                           scene.seed);
}

template <int D>
void include(ShapeBounds<D>& all, const Vec<D, double>& point) {
    for (int k = 0; k < D; ++k) {
        all.low[k] = std::min(all.low[k], point[k]);
        all.high[k] = std::max(all.high[k], point[k]);
    }
}

/// A box around all that the scene names, to know how much of a half space matters. Water that
/// falls on it spreads: as far as the scene is large, on every side.
template <int D>
ShapeBounds<D> reach_of(const Scene& scene, const SceneSolids<D>& solids) {
    if (scene.domain)
        return {to_vec<D, double>(scene.domain->min), to_vec<D, double>(scene.domain->max)};
    ShapeBounds<D> all{Vec<D, double>::all(1e300), Vec<D, double>::all(-1e300)};
    const auto add = [&](const PlacedShape<D>& shape) {
        if (const auto box = bounds_of<D>(shape)) {
            include<D>(all, box->low);
            include<D>(all, box->high);
        } else if (const auto* half = std::get_if<PlacedHalfSpace<D>>(&shape)) {
            include<D>(all, half->point);  // how far something can fall
        }
    };
    for (const Solid<D>& wall : solids.walls)
        add(wall.shape);
    for (const auto& fills : solids.fills)
        for (const FilledVolume<D>& fill : fills) {
            if (fill.shape)
                add(*fill.shape);
            for (const Vec<D, double>& x : fill.points)
                include<D>(all, x);
        }
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters) {
            const auto wide =
                Vec<D, double>::all(emitter.radius + emitter.size[0] + emitter.size[1]);
            include<D>(all, to_vec<D, double>(emitter.position) - wide);
            include<D>(all, to_vec<D, double>(emitter.position) + wide);
        }
    for (const Body& body : scene.bodies)
        include<D>(all, to_vec<D, double>(body.position));
    const auto margin = Vec<D, double>::all(all.largest_side() + 10 * scene.spacing);
    return {all.low - margin, all.high + margin};
}

template <int D>
double farthest(const std::vector<Vec<D>>& samples) {
    double radius = 0;
    for (const Vec<D>& x : samples)
        radius = std::max(radius, double(norm(x)));
    return radius;
}

template <int D>
void place_at(const BodyState& state, BoundaryObject<D>& object) {
    for (int k = 0; k < D; ++k)
        object.frame.position[k] = static_cast<float>(state.position[k]);
    object.frame.rotation = Mat<D>::from(matrix_of<D>(state.rotation));
}

bool is_held_by_world(const Scene& scene, const Body& body) {
    for (const Joint& joint : scene.joints)
        if (std::find(joint.bodies.begin(), joint.bodies.end(), body.name) != joint.bodies.end() &&
            std::find(joint.bodies.begin(), joint.bodies.end(), "world") != joint.bodies.end())
            return true;
    return false;
}

/// Bodies that begin inside a wall, by more than half a spacing: both engine and fluid throw them
/// out. What a joint holds there is meant.
template <int D>
void warn_of_overlaps(const Scene& scene, SampledSolids<D>& built) {
    const std::size_t walls = scene.boundaries.size();
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SolidBody<D>& body = built.solids.bodies[b];
        const Vec<D> center = built.objects[walls + b].frame.position;
        for (std::size_t w = 0; w < walls && !is_held_by_world(scene, scene.bodies[b]); ++w) {
            std::vector<Vec<D>> points;
            for (const Vec<D>& x : built.objects[w].samples) {
                const Vec<D> away = x - center;
                const float r = norm(away);
                if (r < built.radii[walls + b])
                    points.push_back(
                        x + away * static_cast<float>(0.5 * scene.spacing / std::max(1e-6f, r)));
            }
            std::vector<std::uint8_t> inside(points.size(), 0);
            body.solid.mark_inside(points, body.state, inside);
            if (std::find(inside.begin(), inside.end(), 1) != inside.end())
                built.warnings.push_back(
                    place("bodies", b,
                          ".position: '" + scene.bodies[b].name + "' begins inside the wall '" +
                              scene.boundaries[w].name + "' and will be thrown out; move it"));
        }
    }
}

/// A body that is far lighter than what it displaces moves as that lets it, whatever its mass; but
/// numbers of this size are lost in rounding, and the least push hurls it away.
template <int D>
void keep_from_vanishing(const Scene& scene, std::size_t b, SolidBody<D>& body,
                         std::vector<std::string>& warnings) {
    constexpr double k_least_part = 1e-5;
    double lightest = std::numeric_limits<double>::infinity();
    for (const Fluid& fluid : scene.fluids)
        lightest = std::min(lightest, fluid.density);
    const double least = k_least_part * lightest * volume_of<D>(body.solid.shape);
    if (!(body.mass < least) || !std::isfinite(least))
        return;
    char text[128];
    std::snprintf(text, sizeof text,
                  ": %.3g kg is next to nothing beside the fluid that it displaces; it is "
                  "computed with %.3g kg",
                  body.mass, least);
    warnings.push_back(place("bodies", b, scene.bodies[b].mass ? ".mass" : ".density") + text);
    body.inertia = body.inertia * (least / body.mass);
    body.mass = least;
}

/// The walls of the emitters' nozzles: of their own, or part of the body that they ride on.
template <int D>
void add_nozzles(const Scene& scene, SampledSolids<D>& built) {
    const double depth = sample_depth<D>(scene.support) * scene.spacing;
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters) {
            BoundaryObject<D> nozzle;
            nozzle.samples = nozzle_samples<D>(emitter, scene.spacing, depth);
            bool rides = false;
            for (std::size_t b = 0; b < scene.bodies.size(); ++b)
                if (!emitter.body.empty() && scene.bodies[b].name == emitter.body) {
                    Vec<D> center;
                    for (int k = 0; k < D; ++k)
                        center[k] = static_cast<float>(built.solids.bodies[b].center[k]);
                    std::vector<Vec<D>>& samples =
                        built.objects[scene.boundaries.size() + b].samples;
                    for (const Vec<D>& x : nozzle.samples)
                        samples.push_back(x - center);
                    rides = true;
                }
            if (!rides)
                built.objects.push_back(std::move(nozzle));
        }
}

}  // namespace

std::vector<BodyState> wall_frames(const Scene& scene) {
    std::vector<BodyState> frames;
    for (const Boundary& wall : scene.boundaries)
        frames.push_back(wall.motion ? motion_at(*wall.motion, 0) : BodyState());
    return frames;
}

template <int D>
void SampledSolids<D>::mark_inside(std::span<const Vec<D>> places,
                                   std::vector<std::uint8_t>& flags) const {
    for (const Solid<D>& wall : solids.walls)
        wall.mark_inside(places, {}, flags);
    for (const SolidBody<D>& body : solids.bodies)
        body.solid.mark_inside(places, body.state, flags);
}

template <int D>
SampledSolids<D> sample_solids(const Scene& scene, SceneSolids<D> solids) {
    SampledSolids<D> built;
    built.warnings = solids.warnings;
    for (std::size_t b = 0; b < solids.bodies.size(); ++b)
        keep_from_vanishing<D>(scene, b, solids.bodies[b], built.warnings);
    const SampleRules rules = sample_rules<D>(scene);
    const ShapeBounds<D> reach = reach_of<D>(scene, solids);
    const std::vector<BodyState> frames = wall_frames(scene);
    for (std::size_t w = 0; w < solids.walls.size(); ++w) {
        BoundaryObject<D> object;
        object.samples = surface_samples<D>(solids.walls[w], reach, rules);
        object.moves = solids.walls[w].moves;
        if (object.moves)
            place_at<D>(frames[w], object);
        if (object.samples.empty())
            throw InputError(place("boundaries", w,
                                   ": nothing of it is left to sample; is it "
                                   "thinner than the spacing?"));
        built.radii.push_back(farthest(object.samples));
        built.objects.push_back(std::move(object));
    }
    for (const SolidBody<D>& body : solids.bodies) {
        BoundaryObject<D> object;
        object.samples = surface_samples<D>(body.solid, reach, rules);
        object.moves = true;
        place_at<D>(body.state, object);
        built.radii.push_back(farthest(object.samples) + rules.depth);
        built.objects.push_back(std::move(object));
    }
    built.rigid = describe_rigid<D>(solids, scene, frames);
    built.solids = std::move(solids);
    warn_of_overlaps<D>(scene, built);
    add_nozzles<D>(scene, built);
    return built;
}

template <int D>
double count_samples(const Scene& scene, const SceneSolids<D>& solids) {
    const SampleRules rules = sample_rules<D>(scene);
    double count = 0;
    for (const Solid<D>& wall : solids.walls)
        count += count_surface_samples<D>(wall, rules);
    for (const SolidBody<D>& body : solids.bodies)
        count += count_surface_samples<D>(body.solid, rules);
    return count;
}

template struct SampledSolids<2>;
template struct SampledSolids<3>;
template SampledSolids<2> sample_solids<2>(const Scene&, SceneSolids<2>);
template SampledSolids<3> sample_solids<3>(const Scene&, SceneSolids<3>);
template double count_samples<2>(const Scene&, const SceneSolids<2>&);
template double count_samples<3>(const Scene&, const SceneSolids<3>&);

}  // namespace millrace
