#include "rigid/spook_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace millrace {
namespace {

constexpr int k_joint_iterations = 30;      ///< of conjugate gradients, in every sweep
constexpr double k_joint_tolerance = 1e-4;  ///< of what is left

/// Two directions at right angles to n and to each other, the first along the slide if there is
/// one.
void find_sides(const Vec3d& n, const Vec3d& slide, bool flat, Vec3d sides[2]) {
    const Vec3d along = slide - n * dot(n, slide);
    const double speed = norm(along);
    if (flat)
        sides[0] = {{-n[1], n[0], 0}};
    else if (speed > 1e-9)
        sides[0] = along / speed;
    else
        sides[0] = normalized(cross(n, std::abs(n[0]) < 0.6 ? Vec3d{{1, 0, 0}} : Vec3d{{0, 1, 0}}));
    sides[1] = cross(n, sides[0]);
}

/// A gap that counts as closed, in reaches: a corner that lifts by less does not fall back, which
/// calms bodies that rock.
constexpr double k_closed = 0.02;
/// Contacts that are so near to where one was in the last step are that one, in reaches.
constexpr double k_same_place = 2;

}  // namespace

SpookBodies::SpookBodies(const RigidDescription& description, int dimension, double reach)
    : dimension_(dimension),
      reach_(reach),
      gravity_(description.gravity),
      joints_(bind_joints(description)),
      joint_masses_(description),
      joint_rows_(joints_.size() * k_joint_rows, -1),
      joint_memory_(joints_.size() * k_joint_rows, 0.0) {
    for (const BodyDescription& body : description.bodies) {
        states_.push_back(body.state);
        masses_.push_back(body.mass);
        inertias_.push_back({body.inertia, inverse(body.inertia)});
        body_surfaces_.push_back({body.friction(), body.restitution()});
    }
    for (const WallDescription& wall : description.walls)
        wall_surfaces_.push_back({wall.friction(), wall.restitution()});
    if (!states_.empty())
        finder_ = dimension == 2 ? make_flat_contact_finder(description, reach)
                                 : make_space_contact_finder(description, reach);
    // one more, for the world of joints
    system_.bodies().resize(states_.size() + description.walls.size() + 1);
}

void SpookBodies::start(double dt, std::span<const Wrench> pushes, std::span<const BodyState> walls,
                        double natural) {
    natural_ = std::max(natural, dt);
    for (std::size_t b = 0; b < states_.size(); ++b) {
        const BodyState& state = states_[b];
        SpookBody& body = system_.bodies()[b];
        body.center = state.position;
        body.inverse_mass = 1 / masses_[b];
        body.inverse_inertia = in_world_axes(inertias_[b].inverse, state.rotation);
        body.velocity = state.velocity + dt * gravity_;
        body.angular_velocity = state.angular_velocity;
        if (!pushes.empty()) {
            body.velocity += pushes[b].force * (dt / masses_[b]);
            body.angular_velocity += body.inverse_inertia * pushes[b].torque * dt;
        }
        if (dimension_ == 2) {  // nothing leaves the plane
            const double about_z = body.inverse_inertia(2, 2);
            body.inverse_inertia = Mat3d::zero();
            body.inverse_inertia(2, 2) = about_z;
        }
    }
    for (std::size_t w = 0; w < walls.size(); ++w) {
        SpookBody& body = system_.bodies()[states_.size() + w];
        body.center = walls[w].position;
        body.velocity = walls[w].velocity;
        body.angular_velocity = walls[w].angular_velocity;
    }
    system_.clear();
    for (double& impulse : joint_memory_)
        impulse *= to_start(dt);
    add_joints(dt);
    add_contacts(dt, walls);
    system_.start();
}

/// What the impulses of the last step are multiplied with for a start. They are those of steady
/// forces, but for blows, which after a short step must not grow.
double SpookBodies::to_start(double dt) const {
    constexpr double k_longest = 2.5;  // over the last step
    const double longer = last_dt_ > 0 ? dt / last_dt_ : 1;
    return longer <= k_longest ? longer : 1;
}

void SpookBodies::add_joints(double dt) {
    std::fill(joint_rows_.begin(), joint_rows_.end(), -1);
    for (std::size_t j = 0; j < joints_.size(); ++j)
        add_joint(joints_[j], j, dt);
}

void SpookBodies::add_joint(const BoundJoint& joint, std::size_t number, double dt) {
    const RowFactors factors(joint_relaxation, dt, natural_);
    const auto a = static_cast<std::uint32_t>(joint.a);
    const auto b = joint.b == k_world ? static_cast<std::uint32_t>(system_.bodies().size() - 1)
                                      : static_cast<std::uint32_t>(joint.b);
    const BodyState& state_a = states_[a];
    const BodyState state_b = second_state(joint, states_);
    const JointRows rows = joint_rows(joint, state_a, state_b);
    int slot = 0;
    const auto add = [&](const JointRow& row, double target, double least, double most,
                         double sigma, bool with_equalities = true) {
        const std::size_t place = number * k_joint_rows + static_cast<std::size_t>(slot++);
        const bool in_plane = row.linear_a[0] != 0 || row.linear_a[1] != 0 ||
                              row.angular_a[2] != 0 || row.angular_b[2] != 0;
        if (dimension_ == 2 && !in_plane)
            return;
        const SpookBlock blocks[2] = {{a, row.linear_a, row.angular_a},
                                      {b, row.linear_b, row.angular_b}};
        ConstraintSystem::Row entry;
        entry.target = target;
        entry.sigma = sigma;
        entry.least = least;
        entry.most = most;
        entry.impulse = std::clamp(joint_memory_[place], least, most);
        entry.with_equalities = with_equalities;
        joint_rows_[place] = static_cast<int>(system_.add(entry, blocks));
    };
    const auto rate = [&](const JointRow& row) {
        return dot(row.linear_a, state_a.velocity) + dot(row.angular_a, state_a.angular_velocity) +
               dot(row.linear_b, state_b.velocity) + dot(row.angular_b, state_b.angular_velocity);
    };
    constexpr double k_infinity = ConstraintSystem::k_unbounded;
    for (int i = 0; i < rows.count; ++i)
        add(rows.held[i], -factors.undo * rows.held[i].error + factors.xi * rate(rows.held[i]),
            -k_infinity, k_infinity, factors.sigma);
    if (joint.motor_speed) {
        // against a limit it asks for another speed than this does, and gives way by its bounds
        const double most = joint.motor_strength * dt, way = 2 * std::abs(*joint.motor_speed) * dt;
        const bool at_limit = joint.limited && (rows.free.error < joint.least + way ||
                                                rows.free.error > joint.most - way);
        add(rows.free, *joint.motor_speed, -most, most, 0, !at_limit);
    }
    if (joint.type == JointType::hinge) {
        const double sigma = hold_hinge(joint, number, rows.free, dt);
        slot = k_joint_rows - 1;
        if (sigma > 0)
            add(rows.free, 0, -k_infinity, k_infinity, sigma);
        slot = rows.count + (joint.motor_speed ? 1 : 0);
    }
    if (joint.limited) {
        const double low = rows.free.error - joint.least, high = rows.free.error - joint.most;
        add(rows.free, low > 0 ? -low / dt : -factors.undo * low, 0, k_infinity, 0);
        add(rows.free, high < 0 ? -high / dt : -factors.undo * high, -k_infinity, 0, 0);
    }
}

/// A light body that a hinge pulls at with a large force swings about it faster than steps can
/// follow: as k = |f| (|r_a| + |r_b|) against its inertia. Where dt^2 k / I is not small the turn
/// is damped as an implicit step would do, by dt k. Returns Sigma of that row; 0: none is needed.
double SpookBodies::hold_hinge(const BoundJoint& joint, std::size_t number, const JointRow& turn,
                               double dt) const {
    constexpr double k_small = 0.25;
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i)
        squares +=
            joint_memory_[number * k_joint_rows + i] * joint_memory_[number * k_joint_rows + i];
    const double k = std::sqrt(squares) / dt *
                     (norm(joint.anchor_a) + (joint.b == k_world ? 0 : norm(joint.anchor_b)));
    double mobility =
        dot(turn.angular_a,
            system_.bodies()[static_cast<std::size_t>(joint.a)].inverse_inertia * turn.angular_a);
    if (joint.b != k_world)
        mobility += dot(
            turn.angular_b,
            system_.bodies()[static_cast<std::size_t>(joint.b)].inverse_inertia * turn.angular_b);
    const double x = dt * dt * k * mobility;
    return x > k_small ? x / (dt * dt * k * (x - k_small)) : 0;
}

Vec3d SpookBodies::place_on_first(const BodyContact& contact) const {
    const BodyState& a = states_[static_cast<std::size_t>(contact.a)];
    return rotate(conjugate(a.rotation), contact.point - a.position);
}

/// By place: which corner of two like boxes touches the other may change from step to step.
const SpookBodies::Memory* SpookBodies::remembered(const BodyContact& contact) const {
    const auto before = [](const Memory& m, const std::pair<int, int>& pair) {
        return std::pair(m.a, m.b) < pair;
    };
    const Vec3d place = place_on_first(contact);
    const Memory* nearest = nullptr;
    double least = k_same_place * k_same_place * reach_ * reach_;
    for (auto m = std::lower_bound(contact_memory_.begin(), contact_memory_.end(),
                                   std::pair(contact.a, contact.b), before);
         m != contact_memory_.end() && m->a == contact.a && m->b == contact.b; ++m)
        if (const double way = squared_norm(m->place - place); way < least) {
            least = way;
            nearest = &*m;
        }
    return nearest;
}

void SpookBodies::add_contacts(double dt, std::span<const BodyState> walls) {
    contacts_.clear();
    contact_rows_.clear();
    contact_sides_.clear();
    if (!finder_)
        return;
    const std::span<const BodyContact> found = finder_->find(states_, walls);
    contacts_.assign(found.begin(), found.end());
    for (const BodyContact& contact : contacts_)
        add_contact(contact, dt);
}

void SpookBodies::add_contact(const BodyContact& contact, double dt) {
    const auto a = static_cast<std::uint32_t>(contact.a);
    const auto b = contact.b >= 0 ? static_cast<std::uint32_t>(contact.b)
                                  : wall(static_cast<std::size_t>(-1 - contact.b));
    const Surface& of_a = body_surfaces_[a];
    const Surface& of_b = contact.b >= 0 ? body_surfaces_[b] : wall_surfaces_[b - states_.size()];
    const SpookBody &body_a = system_.bodies()[a], &body_b = system_.bodies()[b];
    const Vec3d r_a = contact.point - body_a.center, r_b = contact.point - body_b.center;
    const auto blocks = [&](const Vec3d& u, SpookBlock out[2]) {
        out[0] = {a, u, cross(r_a, u)};
        out[1] = {b, -u, -cross(r_b, u)};
    };
    // how the surfaces move now, without what gravity adds in this step
    const Vec3d slip = body_a.velocity_at(contact.point) - body_b.velocity_at(contact.point);
    Vec3d before = slip - gravity_ * dt;
    if (contact.b >= 0)
        before = slip;
    const double closing = -dot(contact.normal, before);

    ConstraintSystem::Row normal;
    normal.target = -std::max(contact.gap - k_closed * reach_, 0.0) / dt;
    const double e = std::max(of_a.restitution, of_b.restitution);
    if (closing > 2 * norm(gravity_) * natural_ && contact.gap < closing * dt)
        normal.target = std::max(normal.target, e * closing);
    normal.least = 0;
    const Memory* last = remembered(contact);
    const double scale = last && last_dt_ > 0 ? to_start(dt) : 0;
    if (last)
        normal.impulse = last->normal * scale;
    SpookBlock along[2], side[2][2];
    blocks(contact.normal, along);
    const std::uint32_t row = system_.add(normal, along);
    contact_rows_.push_back(row);

    Vec3d sides[2];
    find_sides(contact.normal, slip, dimension_ == 2, sides);
    ConstraintSystem::Row friction[2];
    for (int t = 0; t < 2; ++t) {
        blocks(sides[t], side[t]);
        if (last)
            friction[t].impulse = dot(last->along, sides[t]) * scale;
        contact_sides_.push_back(sides[t]);
    }
    system_.add_friction(row, std::sqrt(of_a.friction * of_b.friction), FrictionShape::cone,
                         friction, side[0], side[1]);
}

void SpookBodies::sweep(const Workers& workers, bool forwards) {
    if (!joints_.empty())
        system_.solve_equalities(k_joint_iterations, k_joint_tolerance);
    system_.sweep(workers, forwards);
    system_.sweep(workers, !forwards);
}

void SpookBodies::finish(double dt) {
    if (!joints_.empty())
        system_.solve_equalities(k_joint_iterations, 1e-2 * k_joint_tolerance);
    remember(dt);
    separate(dt);
    for (std::size_t b = 0; b < states_.size(); ++b) {
        BodyState& state = states_[b];
        const SpookBody& body = system_.bodies()[b];
        state.velocity = body.velocity;
        state.position += dt * state.velocity + apart_.bodies()[b].velocity;
        state.rotation = turned(state.rotation, apart_.bodies()[b].angular_velocity);
        if (dimension_ == 2) {
            state.velocity[2] = state.position[2] = 0;
            state.angular_velocity = {{0, 0, body.angular_velocity[2]}};
            state.rotation = turned(state.rotation, dt * state.angular_velocity);
            continue;
        }
        const Vec3d momentum =
            in_world_axes(inertias_[b].tensor, state.rotation) * body.angular_velocity;
        const FreeTurn turn = turn_freely(state.rotation, inertias_[b], momentum, dt);
        state.rotation = turn.rotation;
        state.angular_velocity = turn.angular_velocity;
    }
    // only what velocities could not hold: moving bodies changes their angular momentum
    constexpr double k_too_far = 0.04, k_arm = 10;  // in reaches
    if (joint_error(k_arm * reach_) > k_too_far * reach_)
        project_joints(joints_, joint_masses_, states_);
}

/// Moves bodies apart that will overlap after the step: rows for places, which start from where
/// the velocities lead.
void SpookBodies::separate(double dt) {
    constexpr double k_part = 0.3;  // of the overlap, in a natural step
    constexpr int k_sweeps = 10;
    const double part = k_part * std::min(1.0, dt / natural_);
    apart_.clear();
    apart_.bodies() = system_.bodies();
    for (SpookBody& body : apart_.bodies())
        body.velocity = body.angular_velocity = Vec3d::all(0);
    bool any = false;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        const BodyContact& contact = contacts_[c];
        const double gap = contact.gap + dt * system_.rate(contact_rows_[c]);
        any = any || gap < 0;
        if (gap > reach_)
            continue;
        const auto a = static_cast<std::uint32_t>(contact.a);
        const auto b = contact.b >= 0 ? static_cast<std::uint32_t>(contact.b)
                                      : wall(static_cast<std::size_t>(-1 - contact.b));
        const Vec3d& n = contact.normal;
        const SpookBlock blocks[2] = {
            {a, n, cross(contact.point - system_.bodies()[a].center, n)},
            {b, -n, -cross(contact.point - system_.bodies()[b].center, n)}};
        ConstraintSystem::Row row;
        row.target = gap > 0 ? -gap : std::min(-part * gap, reach_);
        row.least = 0;
        apart_.add(row, blocks);
    }
    if (!any)
        return;
    apart_.start();
    for (int k = 0; k < k_sweeps; ++k)
        apart_.sweep(Workers{1}, k % 2 == 0);
}

void SpookBodies::remember(double dt) {
    for (std::size_t k = 0; k < joint_rows_.size(); ++k)
        joint_memory_[k] = joint_rows_[k] >= 0
                               ? system_.row(static_cast<std::uint32_t>(joint_rows_[k])).impulse
                               : 0;
    contact_memory_.clear();
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
        const std::uint32_t row = contact_rows_[c];
        if (system_.row(row).impulse == 0)
            continue;
        contact_memory_.push_back({contacts_[c].a, contacts_[c].b, place_on_first(contacts_[c]),
                                   system_.row(row).impulse,
                                   contact_sides_[2 * c] * system_.row(row + 1).impulse +
                                       contact_sides_[2 * c + 1] * system_.row(row + 2).impulse});
    }
    std::stable_sort(
        contact_memory_.begin(), contact_memory_.end(),
        [](const Memory& x, const Memory& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
    last_dt_ = dt;
}

double SpookBodies::joint_error(double arm) const {
    double worst = 0;
    for (const BoundJoint& joint : joints_) {
        const JointRows rows = joint_rows(joint, states_[static_cast<std::size_t>(joint.a)],
                                          second_state(joint, states_));
        for (int i = 0; i < rows.count; ++i)
            worst =
                std::max(worst, std::abs(rows.held[i].error) * (rows.held[i].is_angle ? arm : 1.0));
    }
    return worst;
}

std::vector<double> SpookBodies::save() const {
    std::vector<double> numbers{last_dt_};
    const auto add = [&](const Vec3d& v) { numbers.insert(numbers.end(), v.c, v.c + 3); };
    for (const BodyState& s : states_) {
        add(s.position);
        numbers.push_back(s.rotation.s);
        add(s.rotation.v);
        add(s.velocity);
        add(s.angular_velocity);
    }
    numbers.insert(numbers.end(), joint_memory_.begin(), joint_memory_.end());
    for (const Memory& m : contact_memory_) {
        for (const double part : {double(m.a), double(m.b), m.normal})
            numbers.push_back(part);
        add(m.place);
        add(m.along);
    }
    return numbers;
}

bool SpookBodies::restore(std::span<const double> numbers) {
    constexpr std::size_t k_of_state = 13, k_of_memory = 9;
    const std::size_t fixed = 1 + k_of_state * states_.size() + joint_memory_.size();
    if (numbers.size() < fixed || (numbers.size() - fixed) % k_of_memory != 0)
        return false;
    std::size_t at = 0;
    const auto number = [&] { return numbers[at++]; };
    const auto vector = [&] {
        const double x = number(), y = number(), z = number();
        return Vec3d{{x, y, z}};
    };
    last_dt_ = number();
    for (BodyState& s : states_) {
        s.position = vector();
        s.rotation.s = number();
        s.rotation.v = vector();
        s.velocity = vector();
        s.angular_velocity = vector();
    }
    for (double& impulse : joint_memory_)
        impulse = number();
    contact_memory_.clear();
    while (at < numbers.size()) {
        Memory m;
        m.a = static_cast<int>(number());
        m.b = static_cast<int>(number());
        m.normal = number();
        m.place = vector();
        m.along = vector();
        contact_memory_.push_back(m);
    }
    return true;
}

void SpookBodies::restore(std::span<const BodyState> states) {
    states_.assign(states.begin(), states.end());
    std::fill(joint_memory_.begin(), joint_memory_.end(), 0.0);
    contact_memory_.clear();
    last_dt_ = 0;
}

}  // namespace millrace
