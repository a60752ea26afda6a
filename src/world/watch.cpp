#include "world/watch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "geometry/shape_measures.hpp"
#include "math/scene_vectors.hpp"
#include "world/advice.hpp"

namespace millrace {

namespace {

/// Jets and drops of our scenes are up to three times as fast as a fall.
constexpr double k_most_speed = 10;
/// The samples of a wall reach two spacings deep.
constexpr double k_longest_way = 2;
/// Of the energy of all the fluid at the scale's speed, in one step.
constexpr double k_most_gain = 0.05;
constexpr double k_most_compression = 0.2;

std::string text_of(const char* format, auto... numbers) {
    char text[256];
    std::snprintf(text, sizeof text, format, numbers...);
    return text;
}

}  // namespace

Watch::Watch(const Scene& scene, const SceneHeights& heights, double widest_body)
    : fixed_step_(scene.time_step.mode == "fixed"), gravity_(norm(to_vec3d(scene.gravity))) {
    const auto start = [&](double speed) { start2_ = std::max(start2_, speed * speed); };
    double lightest = 1e300, heaviest = 0;
    for (const Fluid& fluid : scene.fluids) {
        start(norm(to_vec3d(fluid.velocity)));
        if (fluid.surface_tension.method != "none")  // a drop of one particle that joins others
            start(std::sqrt(2 * fluid.surface_tension.sigma / (fluid.density * scene.spacing)));
        for (const Emitter& emitter : fluid.emitters)
            start(emitter.speed);
        lightest = std::min(lightest, fluid.density);
        heaviest = std::max(heaviest, fluid.density);
    }
    for (const Body& body : scene.bodies) {
        heaviest = std::max(heaviest, body.density);
        start(norm(to_vec3d(body.velocity)) + widest_body * norm(to_vec3d(body.angular_velocity)));
    }
    for (const Joint& joint : scene.joints)
        if (joint.motor)
            start(joint.motor->speed * (joint.type == "slider" ? 1 : widest_body));
    if (lightest > 0 && heaviest > lightest)
        density_ratio_ = heaviest / lightest;
    HeightRange all = heights.fluid;
    all.include(heights.walls);
    all.include(heights.bodies);
    top_ = all.top;
    bottom_ = all.bottom;
    const std::vector<std::string> advice =
        scene.dimension == 2 ? advice_for<2>(scene) : advice_for<3>(scene);
    if (!advice.empty())
        cause_ = advice.front();
}

template <int D>
Watch make_watch(const Scene& scene, const SceneSolids<D>& solids) {
    double widest = 0;
    for (const SolidBody<D>& body : solids.bodies)
        widest = std::max(widest, radius_of<D>(body.solid.shape));
    return Watch(scene, scene_heights<D>(scene, solids), widest);
}
template Watch make_watch<2>(const Scene&, const SceneSolids<2>&);
template Watch make_watch<3>(const Scene&, const SceneSolids<3>&);

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
