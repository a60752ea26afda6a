#include "world/scene_objects.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <numbers>

#include "boundary/box_samples.hpp"
#include "boundary/scripted_motion.hpp"
#include "boundary/standoff.hpp"
#include "geometry/inside_test.hpp"
#include "geometry/mesh_health.hpp"
#include "math/scene_vectors.hpp"
#include "millrace/error.hpp"
#include "particles/emitter.hpp"
#include "world/object_samples.hpp"
#include "world/rigid_description.hpp"

namespace millrace {

namespace {

std::string place(const char* list, std::size_t i, const std::string& rest) {
    return std::string(list) + "[" + std::to_string(i) + "]" + rest;
}

template <int D>
bool in_box(const Box& box, const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
        if (x[k] < box.min[k] || x[k] > box.max[k])
            return false;
    return true;
}

/// A test in a frame: x' = R^T (x - p), unscaled.
template <int D, class Inside>
SolidTest<D> test_in_frame(const Quaterniond& rotation, const Vec3d& position, const Vec3d& scale,
                           bool inverted, Inside inside) {
    return [=](std::span<const Vec<D>> points, std::vector<std::uint8_t>& solid) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            Vec3d x = Vec3d::all(0);
            for (int k = 0; k < D; ++k)
                x[k] = points[i][k];
            x = rotate(conjugate(rotation), x - position);
            for (int k = 0; k < D; ++k)
                x[k] /= scale[k];
            if (inside(x) != inverted)
                solid[i] = 1;
        }
    };
}

bool in_cylinder(const Vec3d& x, const Vec3d& from, const Vec3d& to, double radius) {
    const Vec3d axis = to - from;
    const double along = dot(x - from, axis) / squared_norm(axis);
    return along >= 0 && along <= 1 && squared_norm(x - from - axis * along) <= radius * radius;
}

SolidTest<3> test_in_mesh(const TriangleMesh& mesh, const Quaterniond& rotation,
                          const Vec3d& position, bool inverted) {
    const auto test = std::make_shared<InsideTest>(mesh);
    return [=](std::span<const Vec3> points, std::vector<std::uint8_t>& solid) {
        std::vector<Vec3> local(points.begin(), points.end());
        for (Vec3& x : local)
            x = Vec3::from(rotate(conjugate(rotation), Vec3d::from(x) - position));
        const std::vector<std::uint8_t> inside = test->contains(local);
        for (std::size_t i = 0; i < local.size(); ++i)
            if ((inside[i] != 0) != inverted)
                solid[i] = 1;
    };
}

/// What a boundary is solid in. The outside of a tank is left to its samples: fluid behind its
/// walls is the user's wish.
template <int D>
void add_solid(const Boundary& boundary, const TriangleMesh& surface,
               std::vector<SolidTest<D>>& solids) {
    const Quaterniond rotation = to_quaternion(boundary.rotation);
    const Vec3d position = to_vec3d(boundary.position), scale = to_vec3d(boundary.scale);
    const bool inside = boundary.inside;
    if (boundary.box) {
        if (!inside)
            solids.push_back(test_in_frame<D>(rotation, position, scale, false,
                                              [box = *boundary.box](const Vec3d& x) {
                                                  return in_box<D>(box, [&] {
                                                      Vec<D> at;
                                                      for (int k = 0; k < D; ++k)
                                                          at[k] = static_cast<float>(x[k]);
                                                      return at;
                                                  }());
                                              }));
        return;
    }
    if constexpr (D == 3) {
        if (boundary.sphere)
            solids.push_back(test_in_frame<D>(
                rotation, position, scale, inside, [s = *boundary.sphere](const Vec3d& x) {
                    return squared_norm(x - to_vec3d(s.center)) <= s.radius * s.radius;
                }));
        else if (boundary.cylinder)
            solids.push_back(test_in_frame<D>(
                rotation, position, scale, inside, [c = *boundary.cylinder](const Vec3d& x) {
                    return in_cylinder(x, to_vec3d(c.from), to_vec3d(c.to), c.radius);
                }));
        else if (boundary.plane)
            solids.push_back(test_in_frame<D>(
                rotation, position, scale, false, [p = *boundary.plane](const Vec3d& x) {
                    return dot(x - to_vec3d(p.point), to_vec3d(p.normal)) < 0;
                }));
        else if (inspect(surface).closed)
            solids.push_back(test_in_mesh(surface, Quaterniond::identity(), Vec3d::all(0), inside));
    }
}

SolidTest<3> solid_of(const Body& body, const TriangleMesh& surface) {
    const Quaterniond rotation = to_quaternion(body.rotation);
    const Vec3d position = to_vec3d(body.position), one = Vec3d::all(1);
    if (body.box)
        return test_in_frame<3>(rotation, position, one, false, [b = *body.box](const Vec3d& x) {
            return std::abs(x[0]) <= b.size[0] / 2 && std::abs(x[1]) <= b.size[1] / 2 &&
                   std::abs(x[2]) <= b.size[2] / 2;
        });
    if (body.sphere)
        return test_in_frame<3>(rotation, position, one, false, [s = *body.sphere](const Vec3d& x) {
            return squared_norm(x) <= s.radius * s.radius;
        });
    if (body.cylinder)
        return test_in_frame<3>(
            rotation, position, one, false, [c = *body.cylinder](const Vec3d& x) {
                return in_cylinder(x, {0, -c.height / 2, 0}, {0, c.height / 2, 0}, c.radius);
            });
    if (body.capsule)
        return test_in_frame<3>(rotation, position, one, false,
                                [c = *body.capsule](const Vec3d& x) {
                                    const double straight = std::max(0.0, c.height / 2 - c.radius);
                                    const Vec3d axis{0, std::clamp(x[1], -straight, straight), 0};
                                    return squared_norm(x - axis) <= c.radius * c.radius;
                                });
    return test_in_mesh(surface, rotation, position, false);
}

/// A box around all that the scene names, to know how much of a plane matters.
Box scene_bounds(const Scene& scene, const std::vector<TriangleMesh>& surfaces) {
    if (scene.domain)
        return *scene.domain;
    Bounds all = Bounds::empty();
    for (const TriangleMesh& surface : surfaces)
        for (const Vec3d& x : surface.vertices)
            all.include(x);
    const auto include = [&](const Vector& center, double radius) {
        all.include(to_vec3d(center) - Vec3d::all(radius));
        all.include(to_vec3d(center) + Vec3d::all(radius));
    };
    for (const Fluid& fluid : scene.fluids) {
        for (const Fill& fill : fluid.fill) {
            if (fill.box) {
                all.include(to_vec3d(fill.box->min));
                all.include(to_vec3d(fill.box->max));
            } else if (fill.sphere) {
                include(fill.sphere->center, fill.sphere->radius);
            } else if (fill.mesh) {
                include(fill.mesh->position, 0);
            } else if (fill.points) {
                include(fill.points->position, 0);
            }
        }
        for (const Emitter& emitter : fluid.emitters)
            include(emitter.position, emitter.radius + emitter.size[0] + emitter.size[1]);
    }
    for (const Body& body : scene.bodies)
        include(body.position, 0);
    for (const Boundary& boundary : scene.boundaries)
        if (boundary.plane)  // how far something can fall
            include(boundary.plane->point, 0);
    // water that falls on a plane spreads: as far as the scene is large, on every side
    const Vec3d size = all.size();
    const double largest = std::max({size[0], size[1], size[2]});
    const Vec3d margin = Vec3d::all(largest + 10 * scene.spacing);
    Box box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = all.min[k] - margin[k];
        box.max[k] = all.max[k] + margin[k];
    }
    return box;
}

template <int D>
double farthest(const std::vector<Vec<D>>& samples) {
    double radius = 0;
    for (const Vec<D>& x : samples)
        radius = std::max(radius, double(norm(x)));
    return radius;
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
void warn_of_overlaps(const Scene& scene, SceneObjects<3>& built) {
    const std::size_t walls = scene.boundaries.size(), bodies = scene.bodies.size();
    for (std::size_t b = 0; b < bodies; ++b) {
        const Vec3 center = built.objects[walls + b].frame.position;
        const SolidTest<3>& solid = built.solids[built.solids.size() - bodies + b];
        for (std::size_t w = 0; w < walls && !is_held_by_world(scene, scene.bodies[b]); ++w) {
            std::vector<Vec3> points;
            for (const Vec3& x : built.objects[w].samples) {
                const Vec3 away = x - center;
                const float r = norm(away);
                if (r < built.radii[walls + b])
                    points.push_back(
                        x + away * static_cast<float>(0.5 * scene.spacing / std::max(1e-6f, r)));
            }
            std::vector<std::uint8_t> inside(points.size(), 0);
            solid(points, inside);
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
void keep_from_vanishing(const Scene& scene, std::size_t b, BodyDescription& description,
                         std::vector<std::string>& warnings) {
    constexpr double k_least_part = 1e-5;
    double lightest = std::numeric_limits<double>::infinity();
    for (const Fluid& fluid : scene.fluids)
        lightest = std::min(lightest, fluid.density);
    const double least = k_least_part * lightest * std::abs(signed_volume(description.surface));
    if (!(description.mass < least) || !std::isfinite(least))
        return;
    char text[128];
    std::snprintf(text, sizeof text,
                  ": %.3g kg is next to nothing beside the fluid that it displaces; it is "
                  "computed with %.3g kg",
                  description.mass, least);
    warnings.push_back(place("bodies", b, scene.bodies[b].mass ? ".mass" : ".density") + text);
    description.inertia = description.inertia * (least / description.mass);
    description.mass = least;
}

SceneObjects<3> build_solid_objects(const Scene& scene) {
    SceneObjects<3> built;
    const SampleRules rules = SampleRules::of(scene);
    const double edge = scene.spacing;
    std::vector<TriangleMesh> surfaces;
    for (std::size_t w = 0; w < scene.boundaries.size(); ++w)
        surfaces.push_back(surface_of(scene.boundaries[w], edge));
    const Box reach = scene_bounds(scene, surfaces);
    built.rigid.gravity = to_vec3d(scene.gravity);
    built.rigid.joints = scene.joints;
    for (std::size_t w = 0; w < scene.boundaries.size(); ++w) {
        const Boundary& boundary = scene.boundaries[w];
        BoundaryObject<3> object;
        object.samples = wall_samples(boundary, surfaces[w], reach, rules);
        object.moves = boundary.motion.has_value();
        if (object.samples.empty())
            throw InputError(place("boundaries", w,
                                   ": nothing of it is left to sample; is it "
                                   "thinner than the spacing?"));
        built.radii.push_back(farthest(object.samples));
        built.objects.push_back(std::move(object));
        add_solid(boundary, surfaces[w], built.solids);
        WallDescription wall;
        wall.boundary = boundary;
        wall.surface = surfaces[w];
        wall.moves = boundary.motion.has_value();
        built.rigid.walls.push_back(std::move(wall));
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const Body& body = scene.bodies[b];
        TriangleMesh surface = surface_of(body, edge);
        if (body.mesh)
            surface =
                closed_surface(surface, scene.spacing, place("bodies", b, ".mesh"), built.warnings);
        BodyDescription description = describe_body(body, surface);
        keep_from_vanishing(scene, b, description, built.warnings);
        BoundaryObject<3> object;
        object.samples = body_samples(body, surface, rules);
        for (Vec3& x : object.samples)
            x = x - Vec3::from(description.center);
        object.frame.position = Vec3::from(description.state.position);
        object.frame.rotation = Mat3::from(to_matrix(description.state.rotation));
        object.moves = true;
        built.radii.push_back(farthest(object.samples) + rules.depth);
        built.objects.push_back(std::move(object));
        built.solids.push_back(solid_of(body, surface));
        built.rigid.bodies.push_back(std::move(description));
    }
    warn_of_overlaps(scene, built);
    return built;
}

SceneObjects<2> build_flat_objects(const Scene& scene) {
    SceneObjects<2> built;
    const double depth = sample_depth<2>(scene.support) * scene.spacing;
    for (const Boundary& boundary : scene.boundaries) {
        BoundaryObject<2> object;
        object.samples = box_samples<2>(boundary, scene.spacing, depth);
        const Vec2 shift = to_vec<2>(boundary.position);
        for (Vec2& x : object.samples)
            x += shift;
        object.moves = boundary.motion.has_value();
        built.radii.push_back(farthest(object.samples));
        built.objects.push_back(std::move(object));
        add_solid<2>(boundary, {}, built.solids);
    }
    return built;
}

/// The walls of the emitters' nozzles: of their own, or part of the body that they ride on.
template <int D>
void add_nozzles(const Scene& scene, SceneObjects<D>& built) {
    const double depth = sample_depth<D>(scene.support) * scene.spacing;
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters) {
            BoundaryObject<D> nozzle;
            nozzle.samples = nozzle_samples<D>(emitter, scene.spacing, depth);
            bool rides = false;
            if constexpr (D == 3)
                for (std::size_t b = 0; b < scene.bodies.size(); ++b)
                    if (!emitter.body.empty() && scene.bodies[b].name == emitter.body) {
                        std::vector<Vec3>& samples =
                            built.objects[scene.boundaries.size() + b].samples;
                        for (const Vec3& x : nozzle.samples)
                            samples.push_back(x - Vec3::from(built.rigid.bodies[b].center));
                        rides = true;
                    }
            if (!rides)
                built.objects.push_back(std::move(nozzle));
        }
}

/// By formula where there is one: a mesh of a vast shape would fill the memory.
double surface_area(const Body& body) {
    constexpr double k_tau = 2 * std::numbers::pi;
    if (body.sphere)
        return 2 * k_tau * body.sphere->radius * body.sphere->radius;
    if (body.cylinder)
        return k_tau * body.cylinder->radius * (body.cylinder->radius + body.cylinder->height);
    if (body.capsule)
        return k_tau * body.capsule->radius *
               std::max(body.capsule->height, 2 * body.capsule->radius);
    return area(surface_of(body, 1));
}

}  // namespace

template <int D>
SceneObjects<D> build_objects(const Scene& scene) {
    SceneObjects<D> built;
    if constexpr (D == 2)
        built = build_flat_objects(scene);
    else
        built = build_solid_objects(scene);
    add_nozzles(scene, built);
    for (std::size_t w = 0; w < scene.boundaries.size(); ++w)
        if (scene.boundaries[w].motion) {
            // the start of a motion by keyframes need not be the place in the scene
            const BodyState start = motion_at(*scene.boundaries[w].motion, 0);
            for (int k = 0; k < D; ++k)
                built.objects[w].frame.position[k] = static_cast<float>(start.position[k]);
            const Mat3d rotation = to_matrix(start.rotation);
            for (int k = 0; k < D; ++k)
                for (int l = 0; l < D; ++l)
                    built.objects[w].frame.rotation(k, l) = static_cast<float>(rotation(k, l));
        }
    return built;
}

template <int D>
double count_samples(const Scene& scene) {
    const double h = scene.spacing;
    const double depth = sample_depth<D>(scene.support) * h;
    double count = 0;
    const auto add_box = [&](const Vector& size) {
        for (int k = 0; k < 3; ++k)
            count += 2 * size[k] * size[(k + 1) % 3] / (h * h);
    };
    for (const Boundary& b : scene.boundaries) {
        if (b.box) {
            count += count_box_samples<D>(b, h, depth);
        } else if (b.sphere) {
            add_box({2 * b.sphere->radius, 2 * b.sphere->radius, 2 * b.sphere->radius});
        } else if (b.cylinder) {
            const double length = norm(to_vec3d(b.cylinder->to) - to_vec3d(b.cylinder->from));
            add_box({2 * b.cylinder->radius, length, 2 * b.cylinder->radius});
        } else if (b.mesh) {
            count += 1.2 * area(surface_of(b, h)) / (h * h);
        }
    }
    for (const Body& b : scene.bodies) {
        if (b.box)
            add_box(b.box->size);
        else
            count += 1.2 * surface_area(b) / (h * h);
    }
    return count;
}

template SceneObjects<2> build_objects<2>(const Scene&);
template SceneObjects<3> build_objects<3>(const Scene&);
template double count_samples<2>(const Scene&);
template double count_samples<3>(const Scene&);

}  // namespace millrace
