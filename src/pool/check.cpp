#include <cmath>

#include "pool/method.hpp"
#include "pool/pool_impl.hpp"

// What is wrong with what callers of a pool pass.
namespace millrace {

namespace {

constexpr float k_far = 1e6f;  ///< places beyond are too coarse as floats [m]
constexpr float k_most_columns = 1e8f;

bool is_near(Point2 p) {
    return std::abs(p.x) <= k_far && std::abs(p.y) <= k_far;  // false for NaN
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string must(const char* name, const char* what, double got) {
    return std::string(name) + ": must be " + what + ", got " + number(got);
}

double cross(Point2 o, Point2 a, Point2 b) {
    return (double(a.x) - o.x) * (double(b.y) - o.y) - (double(a.y) - o.y) * (double(b.x) - o.x);
}

bool cross_each_other(Point2 a, Point2 b, Point2 c, Point2 d) {
    return cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
}

}  // namespace

std::string problem_of(const PoolOptions& o) {
    if (!(o.spacing > 0) || !(o.spacing <= 1e3f))
        return must("spacing", "greater than 0 and at most 1000", o.spacing);
    if (!is_near(o.gravity))
        return must("gravity", "finite", o.gravity.x + o.gravity.y);
    if (!(o.cfl > 0) || !(o.cfl <= 10))
        return must("cfl", "greater than 0 and at most 10", o.cfl);
    if (!(o.longest_substep > 0))
        return must("longest_substep", "greater than 0", o.longest_substep);
    if (o.max_substeps < 1 || o.max_substeps > 1000)
        return must("max_substeps", "from 1 to 1000", o.max_substeps);
    if (o.threads < 0 || o.threads > 1024)
        return must("threads", "from 0 to 1024", o.threads);
    if (o.max_particles > 100'000'000)
        return must("max_particles", "at most 100000000", double(o.max_particles));
    if (!is_near(o.min) || !is_near(o.max) || !(o.min.x < o.max.x) || !(o.min.y < o.max.y))
        return "min, max: must be finite, within 1e6, and min less than max";
    if (!(o.max.x - o.min.x <= k_most_columns * o.spacing))
        return must("min, max", "at most 1e8 spacings apart", (o.max.x - o.min.x) / o.spacing);
    const PoolMethod& m = o.method;
    if (m.self_contribution != 0 && !(m.self_contribution >= 0.05f && m.self_contribution <= 1))
        return must("method.self_contribution", "0 or from 0.05 to 1", m.self_contribution);
    if (m.iterations < 0 || m.iterations > 10000)
        return must("method.iterations", "from 0 to 10000", m.iterations);
    if (!(m.relaxation_time >= 0) || !(m.relaxation_time <= 1e6f))
        return must("method.relaxation_time", "from 0 to 1e6", m.relaxation_time);
    if (!(m.compliance >= 0) || !std::isfinite(m.compliance))
        return must("method.compliance", "at least 0", m.compliance);
    if (m.over_relaxation != 0 && !(m.over_relaxation > 0 && m.over_relaxation < 2))
        return must("method.over_relaxation", "0 or between 0 and 2", m.over_relaxation);
    if (!(m.stiffness >= 0) || !std::isfinite(m.stiffness))
        return must("method.stiffness", "at least 0", m.stiffness);
    if (!(m.near_stiffness >= 0) || !std::isfinite(m.near_stiffness))
        return must("method.near_stiffness", "at least 0", m.near_stiffness);
    if (!(m.rest_ratio > 0) || !(m.rest_ratio <= 10))
        return must("method.rest_ratio", "greater than 0 and at most 10", m.rest_ratio);
    return problem_of_method(m);
}

std::string problem_of(const FluidMaterial& m) {
    if (!(m.density > 0) || !std::isfinite(m.density))
        return must("density", "greater than 0", m.density);
    const std::pair<const char*, float> from_zero[] = {
        {"viscosity", m.viscosity},
        {"tension", m.tension},
        {"linear_viscosity", m.linear_viscosity},
        {"quadratic_viscosity", m.quadratic_viscosity},
        {"spring_stiffness", m.spring_stiffness},
        {"yield_ratio", m.yield_ratio},
        {"plasticity", m.plasticity},
        {"stickiness", m.stickiness}};
    for (const auto& [name, value] : from_zero)
        if (!(value >= 0) || !std::isfinite(value))
            return must(name, "at least 0", value);
    if (!(m.wall_friction >= 0) || !(m.wall_friction <= 1))
        return must("wall_friction", "from 0 to 1", m.wall_friction);
    return "";
}

std::string problem_of(const Shape2& shape, bool is_filled) {
    for (const Point2& p : shape.points)
        if (!is_near(p))
            return "points: must be finite and within 1e6 m";
    if (!(shape.radius >= 0) || !(shape.radius <= k_far))
        return must("radius", "from 0 to 1e6", shape.radius);
    const std::size_t n = shape.points.size();
    switch (shape.kind) {
        case Shape2::Kind::circle:
            if (n != 1)
                return "points: a circle has one, its centre";
            return shape.radius > 0 ? "" : must("radius", "greater than 0", shape.radius);
        case Shape2::Kind::chain:
            if (is_filled)
                return "kind: a chain has no inside";
            if (n < 2)
                return "points: a chain has at least two";
            for (std::size_t k = 1; k < n; ++k)
                if (!(shape.points[k] == shape.points[k - 1]))
                    return "";
            return "points: all points of the chain are the same";
        case Shape2::Kind::polygon:
            break;
    }
    if (n < 3)
        return "points: a polygon has at least three";
    double area = 0;
    for (std::size_t k = 0; k < n; ++k)
        area += cross(shape.points[0], shape.points[k], shape.points[(k + 1) % n]);
    if (!(std::abs(area) > 0))
        return "points: the polygon has no area";
    if (n <= 1000)
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = a + 2; b < n; ++b)
                if (cross_each_other(shape.points[a], shape.points[a + 1], shape.points[b],
                                     shape.points[(b + 1) % n]))
                    return "points: the polygon crosses itself";
    return "";
}

std::string problem_of(const SolidState& s) {
    if (!is_near(s.position) || !is_near(s.velocity))
        return "position, velocity: must be finite and within 1e6";
    if (!std::isfinite(s.angle) || !std::isfinite(s.angular_velocity))
        return "angle, angular_velocity: must be finite";
    if (!is_near(s.acceleration) || !std::isfinite(s.angular_acceleration))
        return "acceleration, angular_acceleration: must be finite";
    if (!(s.inverse_mass >= 0) || !std::isfinite(s.inverse_mass))
        return must("inverse_mass", "at least 0", s.inverse_mass);
    if (!(s.inverse_inertia >= 0) || !std::isfinite(s.inverse_inertia))
        return must("inverse_inertia", "at least 0", s.inverse_inertia);
    return "";
}

std::string problem_of(const SolidOptions& o) {
    if (o.shapes.empty())
        return "shapes: a solid has at least one";
    for (std::size_t k = 0; k < o.shapes.size(); ++k)
        if (const std::string problem = problem_of(o.shapes[k], false); !problem.empty())
            return "shapes[" + std::to_string(k) + "]." + problem;
    if (!is_near(o.center))
        return "center: must be finite";
    const std::string problem = problem_of(o.state);
    return problem.empty() ? "" : "state." + problem;
}

std::string problem_of(const EmitterOptions& o) {
    if (!is_near(o.position))
        return "position: must be finite";
    if (!is_near(o.direction) || !(o.direction.x != 0 || o.direction.y != 0))
        return "direction: must be finite and not zero";
    if (!(o.width > 0) || !(o.width <= k_far))
        return must("width", "greater than 0", o.width);
    if (!(o.speed >= 0) || !(o.speed <= 1e4f))
        return must("speed", "from 0 to 10000", o.speed);
    if (!(o.lifetime >= 0) || !std::isfinite(o.lifetime))
        return must("lifetime", "at least 0", o.lifetime);
    return "";
}

}  // namespace millrace
