#include "pool/solids.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/parts.hpp"
#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr float k_cell = 1.0f / 3;  ///< of the distance maps, in spacings
constexpr float k_closest = 0.1f;   ///< that a particle is held back to, in spacings

struct WorldBox {
    Vec2 min, max;
};

WorldBox world_box(const Pose& pose, const DistanceMap& map) {
    const Vec2 middle = pose.to_world((map.min() + map.max()) * 0.5f);
    const Vec2 half = (map.max() - map.min()) * 0.5f;
    const float c = std::abs(pose.cosine), s = std::abs(pose.sine);
    const Vec2 size{c * half[0] + s * half[1], s * half[0] + c * half[1]};
    return {middle - size, middle + size};
}

/// Where several surfaces are near a particle, each adds to its density what the nearer ones do not
/// hide: the part 1 - n_a . n_b. All of it in a right corner, nothing where two parts of a floor
/// meet. In a gap between a body and another surface both add less: see FilmPressure.
void weigh(SolidContact<2>* begin, SolidContact<2>* end, const std::vector<SolidMotion>& motions,
           float spacing) {
    const auto is_nearer = [](const SolidContact<2>& a, const SolidContact<2>& b) {
        return a.distance < b.distance || (a.distance == b.distance && a.solid < b.solid);
    };
    for (SolidContact<2>* next = begin; next != end;
         ++next)  // few, and equal ones keep their order
        std::rotate(std::upper_bound(begin, next, *next, is_nearer), next, next + 1);
    for (SolidContact<2>* b = begin + 1; b < end; ++b)
        for (SolidContact<2>* a = begin; a < b; ++a) {
            const float cosine = dot(a->normal, b->normal);
            const float share = 1 - std::max(0.0f, cosine);
            b->density *= share;
            b->slope *= share;
            if (cosine > k_facing ||
                (!motions[a->solid].is_pushed() && !motions[b->solid].is_pushed()))
                continue;
            const float room = room_in_gap((a->distance + b->distance) / spacing);
            for (SolidContact<2>* c : {a, b}) {
                c->density *= room;
                c->slope *= room;
                if (motions[c->solid].is_pushed())
                    c->room = std::min(c->room, room);
            }
        }
}

}  // namespace

void Solid::set(const SolidState& state) {
    options.state = state;
    pose = Pose::of({state.position.x, state.position.y}, state.angle);
    velocity = {state.velocity.x, state.velocity.y};
    spin = state.angular_velocity;
}

void Solid::add(const SolidMotion& motion) {
    push.impulse.x += motion.impulse[0];
    push.impulse.y += motion.impulse[1];
    push.angular_impulse += motion.angular_impulse;
}

void Solids::configure(float spacing, float reach) {
    spacing_ = spacing;
    reach_ = reach;
    closest_ = k_closest * spacing;
}

Solid* Solids::find(SolidId id) {
    const auto found = std::lower_bound(solids_.begin(), solids_.end(), id,
                                        [](const Solid& s, SolidId i) { return s.id < i; });
    return found != solids_.end() && found->id == id ? &*found : nullptr;
}

const Solid* Solids::find(SolidId id) const {
    return const_cast<Solids*>(this)->find(id);
}

void Solids::add(SolidId id, const SolidOptions& options) {
    Solid solid;
    solid.id = id;
    solid.options = options;
    for (const Shape2& shape : options.shapes)
        for (Shape2& part : parts_of(shape)) {
            for (const Point2& p : part.points)
                solid.radius = std::max(
                    solid.radius,
                    portable::hypot(p.x - options.center.x, p.y - options.center.y) + part.radius);
            solid.parts.push_back(std::make_unique<DistanceMap>(
                std::vector<Shape2>{std::move(part)}, k_cell * spacing_, reach_));
        }
    solid.set(options.state);
    solids_.push_back(std::move(solid));
}

void Solids::remove(SolidId id) {
    std::erase_if(solids_, [&](const Solid& solid) { return solid.id == id; });
}

float Solids::distance(const Vec2& x) const {
    float least = reach_;
    for (const Solid& solid : solids_) {
        const Vec2 local = solid.pose.to_local(x);
        for (const auto& part : solid.parts)
            if (local[0] >= part->min()[0] && local[0] <= part->max()[0] &&
                local[1] >= part->min()[1] && local[1] <= part->max()[1])
                least = std::min(least, part->exact().at(local).distance);
    }
    return least;
}

void Solids::start(float dt) {
    motions_.clear();
    for (const Solid& solid : solids_) {
        const SolidState& state = solid.options.state;
        const bool dynamic = solid.options.kind == SolidKind::dynamic;
        const float t = dynamic ? dt : 0;
        motions_.push_back({solid.center(),
                            solid.velocity + Vec2{state.acceleration.x, state.acceleration.y} * t,
                            solid.spin + state.angular_acceleration * t,
                            dynamic ? state.inverse_mass : 0,
                            dynamic ? state.inverse_inertia : 0,
                            {0, 0},
                            0});
    }
}

void Solids::touch(const WallField& field, std::uint32_t particle, std::uint32_t solid,
                   std::uint32_t part, const Vec2& local,
                   std::vector<SolidContact<2>>& found) const {
    const DistanceMap::Sample sample = solids_[solid].parts[part]->at(local);
    if (!(sample.distance < field.reach()))
        return;
    const WallField::Value value = field.at(sample.distance);
    found.push_back({particle, solid, solids_[solid].pose.turn(sample.normal), sample.distance,
                     value.density, value.slope});
}

/// Finds the contacts of a strip; notes those for which the map has no tile yet.
void Solids::look(const Columns<2>& columns, const Columns<2>::Strip& strip, const WallField& field,
                  StripContacts& out) const {
    out.found.clear();
    out.missing.clear();
    for (std::uint32_t s = 0; s < solids_.size(); ++s)
        for (std::uint32_t p = 0; p < solids_[s].parts.size(); ++p) {
            const Pose& pose = solids_[s].pose;
            const DistanceMap& part = *solids_[s].parts[p];
            const WorldBox box = world_box(pose, part);
            for (std::uint32_t c = strip.columns_begin; c < strip.columns_end; ++c) {
                if (!columns.may_meet(c, box.min, box.max))
                    continue;
                const Columns<2>::Run run = columns.between(c, box.min[1], box.max[1]);
                for (std::uint32_t i = run.begin; i < run.end; ++i) {
                    const Vec2 local = pose.to_local(columns.position(i));
                    if (part.is_prepared(local))
                        touch(field, i, s, p, local, out.found);
                    else
                        out.missing.push_back({i, s, p});
                }
            }
        }
}

void Solids::find_contacts(const Workers& workers, const Columns<2>& columns,
                           const WallField& field) {
    const std::vector<Columns<2>::Strip>& strips = columns.strips();
    strips_.resize(strips.size());
    columns.for_each_strip(workers,
                           [&](std::size_t s) { look(columns, strips[s], field, strips_[s]); });
    for (const StripContacts& strip : strips_)
        for (const StripContacts::Missing& missing : strip.missing) {
            const Solid& solid = solids_[missing.solid];
            const Vec2 local = solid.pose.to_local(columns.position(missing.particle));
            solid.parts[missing.part]->prepare(&local, 1);
        }
    columns.for_each_strip(workers, [&](std::size_t s) {
        StripContacts& strip = strips_[s];
        for (const StripContacts::Missing& missing : strip.missing)
            touch(field, missing.particle, missing.solid, missing.part,
                  solids_[missing.solid].pose.to_local(columns.position(missing.particle)),
                  strip.found);
        std::stable_sort(strip.found.begin(), strip.found.end(),
                         [](const SolidContact<2>& a, const SolidContact<2>& b) {
                             return a.particle < b.particle;
                         });
        for (std::size_t k = 0; k < strip.found.size();) {
            std::size_t end = k + 1;
            while (end < strip.found.size() && strip.found[end].particle == strip.found[k].particle)
                ++end;
            weigh(strip.found.data() + k, strip.found.data() + end, motions_, spacing_);
            k = end;
        }
    });
    contacts_.clear();
    contact_start_.assign(columns.count() + 1, 0);
    for (const StripContacts& strip : strips_)
        for (const SolidContact<2>& contact : strip.found) {
            contacts_.push_back(contact);
            ++contact_start_[contact.particle + 1];
        }
    for (std::size_t i = 1; i < contact_start_.size(); ++i)
        contact_start_[i] += contact_start_[i - 1];
    felt_.assign(contacts_.size(), 0.0f);
}

void Solids::move(float dt) {
    last_pose_.clear();
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        Solid& solid = solids_[s];
        last_pose_.push_back(solid.pose);
        if (solid.options.kind == SolidKind::fixed)
            continue;
        const SolidMotion& motion = motions_[s];
        solid.velocity = motion.velocity;
        solid.spin = motion.spin;
        const Vec2 center = solid.center() + solid.velocity * dt;
        const Vec2 to_center{solid.options.center.x, solid.options.center.y};
        solid.pose = Pose::of({0, 0}, solid.pose.angle + solid.spin * dt);
        solid.pose.position = center - solid.pose.turn(to_center);
        solid.add(motion);
    }
}

bool Solids::hold_back(std::uint32_t i, const Vec2& from, Vec2& to, Vec2& velocity,
                       float inverse_mass) {
    const auto is_in_gap_of = [&](std::size_t s) {
        for (std::uint32_t c = contact_start_[i]; c < contact_start_[i + 1]; ++c)
            if (contacts_[c].solid == s && contacts_[c].room < 1)
                return true;
        return false;
    };
    bool held = false;
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        if (is_in_gap_of(s))
            continue;
        for (const auto& part : solids_[s].parts)
            held = hold_back_by(s, *part, from, to, velocity, inverse_mass) || held;
    }
    return held;
}

bool Solids::hold_back_by(std::size_t s, const DistanceMap& part, const Vec2& from, Vec2& to,
                          Vec2& velocity, float inverse_mass) {
    Solid& solid = solids_[s];
    const Vec2 a = last_pose_[s].to_local(from), b = solid.pose.to_local(to);
    for (int k = 0; k < 2; ++k)
        if (std::max(a[k], b[k]) < part.min()[k] || std::min(a[k], b[k]) > part.max()[k])
            return false;
    const float hit = part.first_hit(a, b);
    if (hit >= 1 || hit <= 0)  // one that started inside is for the solver to push out
        return false;
    const float way = norm(b - a);
    const Vec2 stop = a + (b - a) * std::max(0.0f, hit - closest_ / std::max(way, 1e-12f));
    const Vec2 normal = solid.pose.turn(part.at(stop).normal);
    to = solid.pose.to_world(stop);
    const float approach = dot(normal, velocity - solid.velocity_at(to));
    if (approach >= 0)
        return true;
    SolidMotion motion{solid.center(),
                       solid.velocity,
                       solid.spin,
                       motions_[s].inverse_mass,
                       motions_[s].inverse_inertia,
                       {0, 0},
                       0};
    const Vec2 impulse = normal * (-approach / (inverse_mass + motion.mobility(to, normal)));
    velocity = velocity + impulse * inverse_mass;
    if (motion.is_pushed()) {
        motion.push(to, -impulse);
        solid.velocity = motion.velocity;
        solid.spin = motion.spin;
        solid.add(motion);
    }
    return true;
}

float Solids::fastest() const {
    float fastest = 0;
    for (const Solid& solid : solids_)
        fastest = std::max(fastest, solid.speed_limit());
    return fastest;
}

std::size_t Solids::bytes() const {
    std::size_t sum =
        contacts_.capacity() * sizeof(SolidContact<2>) + contact_start_.capacity() * 4;
    for (const Solid& solid : solids_)
        for (const auto& part : solid.parts)
            sum += part->bytes();
    return sum;
}

}  // namespace millrace
