// What the step to come would lead to, judged before anything moves; and how a run ends.
#include <cmath>

#include "exec/parallel.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

/// What the velocities at the end of a step mean for it.
struct Outcome {
    double kinetic;
    float speed2, step_speed2;  ///< as in Sums
    std::uint32_t broken;       ///< particles without a finite velocity
    std::uint32_t out, in;      ///< how many go through closed walls
};
constexpr Outcome k_no_outcome{0, 0, 0, 0, 0, 0};

template <int D>
struct Foresee {
    FluidView<D> f;
    VectorView<D> next;
    const Tank<D>* tanks;
    int tank_count;
    float dt;
    MILLRACE_HD Outcome operator()(std::uint32_t i) const {
        const Vec<D> v = next.get(i);
        const float v2 = squared_norm(v);
        if (!(v2 <= 3e38f))
            return {0, 0, 0, 1, 0, 0};
        Outcome outcome{0.5 * double(f.rest_density[i]) * f.volume[i] * v2,
                        v2,
                        f.density[i] < k_spray_density ? v2 / (k_spray_way * k_spray_way) : v2,
                        0,
                        0,
                        0};
        const Vec<D> x = f.position.get(i);
        for (int t = 0; t < tank_count; ++t) {
            const int crossing = tanks[t].crossing(x, x + v * dt);
            outcome.out += crossing > 0;
            outcome.in += crossing < 0;
        }
        return outcome;
    }
};

struct JoinOutcomes {
    MILLRACE_HD Outcome operator()(const Outcome& a, const Outcome& b) const {
        return {a.kinetic + b.kinetic,
                fmaxf(a.speed2, b.speed2),
                fmaxf(a.step_speed2, b.step_speed2),
                a.broken + b.broken,
                a.out + b.out,
                a.in + b.in};
    }
};

Vec3d in_space(const Vec<2>& x) {
    return {x[0], x[1], 0};
}
Vec3d in_space(const Vec<3>& x) {
    return Vec3d::from(x);
}

}  // namespace

/// Why a step that ends with these velocities should not be taken; empty: it may.
template <int D>
std::string World<D>::judge(double dt, double kinetic_before) {
    const Outcome outcome = reduce(device_, fluid_.count, k_no_outcome,
                                   Foresee<D>{view(), acceleration_.view(), closed_walls_.tanks(),
                                              closed_walls_.count(), static_cast<float>(dt)},
                                   JoinOutcomes{});
    crossings_[0] = outcome.out;
    crossings_[1] = outcome.in;
    watch_.see_walls(objects_.max_wall_speed(time_ + dt));
    Prospect prospect;
    prospect.finite = outcome.broken == 0 && std::isfinite(outcome.kinetic);
    prospect.speed = std::sqrt(outcome.speed2);
    prospect.way = std::sqrt(outcome.step_speed2) * dt / scene_.spacing;
    prospect.pressure_gain = outcome.kinetic - kinetic_before + work_on_objects();
    prospect.mass = mass_;
    prospect.compression = compression_;
    return watch_.complaint(prospect);
}

/// What the pressures of the step do to moving walls and bodies [J].
template <int D>
double World<D>::work_on_objects() const {
    if (!objects_.any())
        return 0;
    const std::vector<Push<D, double>> impulses = coupling_.impulses();
    const std::vector<Twist<D>> ends = coupling_.predicted();
    double work = 0;
    for (std::size_t o = 0; o < impulses.size(); ++o) {
        for (int k = 0; k < D; ++k)
            work +=
                0.5 * impulses[o].force[k] * (double(twists_[o].velocity[k]) + ends[o].velocity[k]);
        for (int k = 0; k < k_spin_size<D>; ++k)
            work += 0.5 * impulses[o].torque[k] *
                    (double(twists_[o].angular_velocity[k]) + ends[o].angular_velocity[k]);
    }
    return work;
}

/// Ends the run, at the place of the fastest particle.
template <int D>
void World<D>::give_up(double time, const std::string& complaint) const {
    const std::vector<Vec<D>> positions = fluid_.position.to_host(),
                              velocities = acceleration_.to_host();
    Vec<D> place = Vec<D>::all(0);
    double fastest = -1;
    for (std::size_t i = 0; i < fluid_.count; ++i) {
        const double v2 = squared_norm(velocities[i]);
        if (!(v2 <= fastest)) {  // a speed that is no number is the fastest
            place = positions[i];
            fastest = std::isfinite(v2) ? v2 : 1e300;
        }
    }
    throw RunError(watch_.last_words(time, in_space(place), complaint, moving_near(place)));
}

/// The name of a moving wall or a body within a few spacings of a place; empty: there is none.
template <int D>
std::string World<D>::moving_near(const Vec<D>& place) const {
    if (!objects_.any())
        return {};
    const std::vector<Vec<D>> samples = walls_.host_positions();
    const std::vector<std::uint32_t> objects = walls_.host_objects();
    std::size_t object = k_static_sample;
    float nearest = 9 * spacing_ * spacing_;
    for (std::size_t k = 0; k < samples.size(); ++k)
        if (const float r2 = squared_norm(samples[k] - place);
            objects[k] != k_static_sample && r2 < nearest) {
            nearest = r2;
            object = objects[k];
        }
    if (object < scene_.boundaries.size())
        return "the wall '" + scene_.boundaries[object].name + "'";
    if (object < scene_.boundaries.size() + scene_.bodies.size())
        return "the body '" + scene_.bodies[object - scene_.boundaries.size()].name + "'";
    return {};
}

template std::string World<2>::judge(double, double);
template std::string World<3>::judge(double, double);
template void World<2>::give_up(double, const std::string&) const;
template void World<3>::give_up(double, const std::string&) const;

}  // namespace millrace
