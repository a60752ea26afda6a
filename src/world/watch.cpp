#include "world/watch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "math/scene_vectors.hpp"
#include "world/advice.hpp"
#include "world/fluid_fill.hpp"
#include "world/scene_objects.hpp"

namespace millrace {

namespace {

/// Jets and drops of our scenes are up to three times as fast as a fall.
constexpr double k_most_speed = 10;
/// The samples of a wall reach two spacings deep.
constexpr double k_longest_way = 2;
/// Of the energy of all the fluid at the scale's speed, in one step.
constexpr double k_most_gain = 0.05;
constexpr double k_most_compression = 0.2;

/// Heights against gravity of all that a scene holds.
class Heights {
  public:
    explicit Heights(const Vec3d& up) : up_(up) {}

    void add(const Vec3d& center, double radius) {
        const double height = dot(up_, center);
        top = std::max(top, height + radius);
        bottom = std::min(bottom, height - radius);
    }
    void add(const Box& box) {
        for (int corner = 0; corner < 8; ++corner)
            add({corner & 1 ? box.max[0] : box.min[0], corner & 2 ? box.max[1] : box.min[1],
                 corner & 4 ? box.max[2] : box.min[2]},
                0);
    }

    double top = -1e300, bottom = 1e300;

  private:
    Vec3d up_;
};

double largest(const Vector& v) {
    return std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])});
}

void add_boundary(const Boundary& boundary, Heights& heights) {
    if (boundary.plane)
        return;
    if (boundary.circle || boundary.polygon || boundary.chain) {
        const double scale = largest(boundary.scale);
        const Vec3d place = to_vec3d(boundary.position);
        if (boundary.circle)
            heights.add(place + to_vec3d(boundary.circle->center) * scale,
                        scale * boundary.circle->radius);
        // turned shapes lie within the ball around the origin of their frame
        for (const auto* points : {boundary.polygon ? &boundary.polygon->points : nullptr,
                                   boundary.chain ? &boundary.chain->points : nullptr})
            for (std::size_t k = 0; points && k < points->size(); ++k)
                heights.add(place + Vec3d{(*points)[k][0], (*points)[k][1], 0} * scale, 0);
        return;
    }
    heights.add(boundary_bounds(boundary));
}

double radius_of(const Body& body) {
    if (body.box)
        return norm(to_vec3d(body.box->size)) / 2;
    if (body.sphere || body.circle)
        return (body.sphere ? body.sphere : body.circle)->radius;
    if (body.cylinder || body.capsule) {
        const BodyCylinder& round = body.cylinder ? *body.cylinder : *body.capsule;
        return round.radius + round.height / 2;
    }
    double radius = 0;
    if (body.polygon)
        for (const auto& point : body.polygon->points)
            radius = std::max(radius, norm(Vec3d{point[0], point[1], 0}));
    return radius;
}

std::string text_of(const char* format, auto... numbers) {
    char text[256];
    std::snprintf(text, sizeof text, format, numbers...);
    return text;
}

}  // namespace

Watch::Watch(const Scene& scene)
    : fixed_step_(scene.time_step.mode == "fixed"), gravity_(norm(to_vec3d(scene.gravity))) {
    Heights heights(gravity_ > 0 ? to_vec3d(scene.gravity) * (-1 / gravity_) : Vec3d{0, 1, 0});
    const auto start = [&](double speed) { start2_ = std::max(start2_, speed * speed); };
    for (const Fluid& fluid : scene.fluids) {
        start(norm(to_vec3d(fluid.velocity)));
        if (fluid.surface_tension.method != "none")  // a drop of one particle that joins others
            start(std::sqrt(2 * fluid.surface_tension.sigma / (fluid.density * scene.spacing)));
        for (const Fill& fill : fluid.fill)
            heights.add(fill_bounds(fill));
        for (const Emitter& emitter : fluid.emitters) {
            start(emitter.speed);
            heights.add(to_vec3d(emitter.position), 0);
        }
    }
    double widest = 0, lightest = 1e300, heaviest = 0;
    for (const Fluid& fluid : scene.fluids) {
        lightest = std::min(lightest, fluid.density);
        heaviest = std::max(heaviest, fluid.density);
    }
    for (const Body& body : scene.bodies) {
        const double radius = radius_of(body);
        widest = std::max(widest, radius);
        heights.add(to_vec3d(body.position), radius);
        heaviest = std::max(heaviest, body.density);
        start(norm(to_vec3d(body.velocity)) + radius * norm(to_vec3d(body.angular_velocity)));
    }
    for (const Joint& joint : scene.joints)
        if (joint.motor)
            start(joint.motor->speed * (joint.type == "slider" ? 1 : widest));
    for (const Boundary& boundary : scene.boundaries)
        add_boundary(boundary, heights);
    if (lightest > 0 && heaviest > lightest)
        density_ratio_ = heaviest / lightest;
    top_ = heights.top;
    bottom_ = heights.bottom;
    const std::vector<std::string> advice =
        scene.dimension == 2 ? advice_for<2>(scene) : advice_for<3>(scene);
    if (!advice.empty())
        cause_ = advice.front();
}

void Watch::see_bottom(double height) {
    bottom_ = std::min(bottom_, height);
}

void Watch::see_walls(double speed) {
    walls_ = std::max(walls_, speed);
}

void Watch::see_motion(const BodyState& frame) {
    see_walls(norm(frame.velocity) + norm(frame.angular_velocity) * std::max(0.0, top_ - bottom_));
}

double Watch::scale() const {
    const double fall2 = top_ > bottom_ ? 2 * gravity_ * (top_ - bottom_) : 0;
    return std::sqrt(fall2 + start2_ + walls_ * walls_);
}

std::string Watch::complaint(const Prospect& prospect) const {
    if (!prospect.finite)
        return "a velocity that is no number";
    const double scale = this->scale();
    if (prospect.compression > k_most_compression)
        return text_of("fluid that is pressed together by %.0f %%", 100 * prospect.compression);
    if (scale > 0 && prospect.speed > k_most_speed * scale * std::sqrt(density_ratio_))
        return text_of("%.3g m/s, where falls, walls and emitters make %.2g", prospect.speed,
                       scale);
    if (scale > 0 && prospect.pressure_gain > k_most_gain * 0.5 * prospect.mass * scale * scale)
        return text_of("pressures that bring %.3g J from nowhere", prospect.pressure_gain);
    if (prospect.way > k_longest_way)
        return text_of("a way of %.1f spacings in one step", prospect.way);
    return {};
}

std::string Watch::last_words(double time, const Vec3d& place, const std::string& complaint,
                              const std::string& near) const {
    std::string cause = cause_;
    if (cause.empty() && !near.empty())
        cause = near + " may leave the fluid no room, or move too fast for it";
    if (cause.empty())
        cause = fixed_step_ ? "time_step.dt may be too long; try the mode cfl"
                            : "the particles may be too coarse for it; try a smaller spacing, "
                              "time_step.max or cfl";
    return text_of("the simulation lost its footing at t = %g s near (%.3g, %.3g, %.3g): ", time,
                   place[0], place[1], place[2]) +
           complaint + ", also in shorter steps; likely cause: " + cause;
}

}  // namespace millrace
