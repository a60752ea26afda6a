#include "scene/check_flat.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scene/text.hpp"

namespace millrace::scene_file {

namespace {

constexpr const char* k_along_z = "must be along z in 2D, such as [0, 0, 1]";

/// Twice the area of the triangle abc; positive where c is to the left of ab.
double turn(const Vector& a, const Vector& b, const Vector& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Whether c, on the line through a and b, is between them.
bool is_between(const Vector& a, const Vector& b, const Vector& c) {
    return std::min(a[0], b[0]) <= c[0] && c[0] <= std::max(a[0], b[0]) &&
           std::min(a[1], b[1]) <= c[1] && c[1] <= std::max(a[1], b[1]);
}

/// Whether the edges ab and cd have a point in common.
bool meet(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
    const double abc = turn(a, b, c), abd = turn(a, b, d);
    const double cda = turn(c, d, a), cdb = turn(c, d, b);
    if (((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) &&
        ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0))) {
        return true;
    }
    return (abc == 0 && is_between(a, b, c)) || (abd == 0 && is_between(a, b, d)) ||
           (cda == 0 && is_between(c, d, a)) || (cdb == 0 && is_between(c, d, b));
}

/// Whether the edge from b to c goes back along the one from a to b.
bool folds_back(const Vector& a, const Vector& b, const Vector& c) {
    const double along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    return turn(a, b, c) == 0 && along < 0;
}

void check_points_differ(const std::vector<Vector>& points, const std::string& file,
                         const std::string& place) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (points[i] == points[i - 1]) {
            fail(file, place + "." + entry("points", i), "must differ from the point before");
        }
    }
}

bool is_along_z(const Vector& axis) {
    return axis[0] == 0 && axis[1] == 0;
}

void check_rotation(const Rotation& rotation, const std::string& file, const std::string& place) {
    if (!is_along_z(rotation.axis)) {
        fail(file, place + ".rotation.axis", k_along_z);
    }
}

void check_motion(const WallMotion& motion, const std::string& file, const std::string& place) {
    if (motion.type == "rotate" && !is_along_z(motion.axis)) {
        fail(file, place + ".axis", k_along_z);
    }
    for (std::size_t i = 0; i < motion.keyframes.size(); ++i) {
        check_rotation(motion.keyframes[i].rotation, file, place + "." + entry("keyframes", i));
    }
}

void check_boundary(const Boundary& boundary, const std::string& file, const std::string& place) {
    if (const Polygon* polygon = std::get_if<Polygon>(&boundary.shape)) {
        check_polygon(*polygon, file, place + ".polygon");
    }
    if (const Chain* chain = std::get_if<Chain>(&boundary.shape)) {
        check_points_differ(chain->points, file, place + ".chain");
        if (boundary.inside) {
            fail(file, place + ".inside", "means nothing of a chain: it has two sides");
        }
    }
    check_rotation(boundary.rotation, file, place);
    if (boundary.motion) {
        check_motion(*boundary.motion, file, place + ".motion");
    }
}

void check_joint(const Joint& joint, const std::string& file, const std::string& place) {
    if (joint.type == "hinge" && !is_along_z(joint.axis)) {
        fail(file, place + ".axis", k_along_z);
    }
    if (joint.type == "slider" && is_along_z(joint.axis)) {
        fail(file, place + ".axis", "missing; required where type is 'slider' in 2D");
    }
}

}  // namespace

void check_polygon(const Polygon& polygon, const std::string& file, const std::string& place) {
    const std::vector<Vector>& p = polygon.points;
    const std::size_t n = p.size();
    check_points_differ(p, file, place);
    if (p.front() == p.back()) {
        fail(file, place + "." + entry("points", n - 1),
             "must differ from the first point; a polygon closes by itself");
    }
    const auto refuse = [&](std::size_t i, std::size_t j) {
        fail(file, place + ".points",
             "the edge from point " + std::to_string(i) + " meets the one from point " +
                 std::to_string(j));
    };
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t next = (i + 1) % n;
        if (folds_back(p[i], p[next], p[(i + 2) % n])) {
            refuse(i, next);
        }
        // the edges after the next, but not the one that ends where this one begins
        for (std::size_t j = i + 2; j < n - (i == 0 ? 1 : 0); ++j) {
            if (meet(p[i], p[next], p[j], p[(j + 1) % n])) {
                refuse(i, j);
            }
        }
    }
}

void check_flat_scene(const Scene& scene, const std::string& file) {
    for (std::size_t i = 0; i < scene.boundaries.size(); ++i) {
        check_boundary(scene.boundaries[i], file, entry("boundaries", i));
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Body& body = scene.bodies[i];
        if (const Polygon* polygon = std::get_if<Polygon>(&body.shape)) {
            check_polygon(*polygon, file, entry("bodies", i) + ".polygon");
        }
        check_rotation(body.rotation, file, entry("bodies", i));
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        check_joint(scene.joints[i], file, entry("joints", i));
    }
}

}  // namespace millrace::scene_file
