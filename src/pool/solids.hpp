#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "geometry/distance_map.hpp"
#include "math/portable.hpp"
#include "pool/substep.hpp"
#include "spook/wall_field.hpp"

namespace millrace {

/// Where the frame of a solid is.
struct Pose {
    Vec2 position{0, 0};
    float angle = 0, cosine = 1, sine = 0;

    static Pose of(const Vec2& position, float angle) {
        return {position, angle, portable::cos(angle), portable::sin(angle)};
    }
    Vec2 turn(const Vec2& v) const {
        return {cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1]};
    }
    Vec2 to_world(const Vec2& x) const { return position + turn(x); }
    Vec2 to_local(const Vec2& x) const {
        const Vec2 d = x - position;
        return {cosine * d[0] + sine * d[1], -sine * d[0] + cosine * d[1]};
    }
};

/// Surfaces with normals at a cosine below face each other.
inline constexpr float k_facing = -0.7f;

/// From here on a gap is as open water, in spacings: three rows of particles.
inline constexpr float k_loose = 3.3f;

/// How much of a gap is room for particles: nothing where half a spacing is left, all of it from
/// k_loose on. `gap` is in spacings.
inline float room_in_gap(float gap) {
    constexpr float k_tight = 0.5f;
    const float part = std::clamp((gap - k_tight) / (k_loose - k_tight), 0.0f, 1.0f);
    return part * part;
}

/// A solid in a pool.
struct Solid {
    SolidId id = 0;
    SolidOptions options;  ///< with the state that was last set
    std::vector<std::unique_ptr<DistanceMap>> parts;
    float radius = 0;  ///< no point of it is farther from the centre of mass [m]
    Pose pose;
    Vec2 velocity{0, 0};  ///< of the centre of mass
    float spin = 0;
    SolidPush push;
    /// Of every part near another surface: the pressure on the pieces of its outline
    /// (FilmPressure).
    std::vector<std::vector<float>> felt;
    float fluid_density = 0;  ///< of what touches it [kg/m^2]

    Vec2 center() const { return pose.to_world({options.center.x, options.center.y}); }
    Vec2 velocity_at(const Vec2& x) const {
        const Vec2 r = x - center();
        return {velocity[0] - spin * r[1], velocity[1] + spin * r[0]};
    }
    float speed_limit() const {  ///< no point of it is faster [m/s]
        return norm(velocity) + std::abs(spin) * radius;
    }
    void set(const SolidState& state);
    void add(const SolidMotion& motion);  ///< what the fluid did
};

/// The solids of a pool and where its particles touch them.
class Solids {
  public:
    /// `reach` is that of the walls' field [m].
    void configure(float spacing, float reach);

    std::vector<Solid>& all() { return solids_; }
    const std::vector<Solid>& all() const { return solids_; }
    Solid* find(SolidId id);
    const Solid* find(SolidId id) const;
    void add(SolidId id, const SolidOptions& options);
    void remove(SolidId id);

    /// The signed distance of a place to the nearest solid, up to the reach [m].
    float distance(const Vec2& x) const;

    /// What the solvers see of the solids in a sub-step of dt.
    void start(float dt);
    std::vector<SolidMotion>& motions() { return motions_; }

    /// The contacts of the sorted points, for a particle at the distance d those of the field.
    void find_contacts(const Workers& workers, const Columns<2>& columns, const WallField& field);
    const std::vector<SolidContact<2>>& contacts() const { return contacts_; }
    std::vector<float>& felt() { return felt_; }  ///< of every contact: see SubStep
    const std::vector<std::uint32_t>& contact_start() const { return contact_start_; }

    /// Moves the solids by dt with the velocities that the solve left.
    void move(float dt);
    /// Holds back particle i that would pass through a surface on its way from `from` to `to`
    /// during the last move; its velocity then no longer leads into the solid. A body that closes a
    /// gap may come over the particles in it. Not in parallel.
    bool hold_back(std::uint32_t i, const Vec2& from, Vec2& to, Vec2& velocity, float inverse_mass);
    /// Whether a way as long as this may lead through a solid that has no contact at its start.
    bool is_far(float way) const { return way > reach_ - closest_; }

    float closest() const { return closest_; }
    float fastest() const;  ///< no point of a solid is faster [m/s]
    std::size_t bytes() const;

  private:
    struct StripContacts {
        std::vector<SolidContact<2>> found;
        struct Missing {
            std::uint32_t particle, solid, part;
        };
        std::vector<Missing> missing;
    };
    void look(const Columns<2>& columns, const Columns<2>::Strip& strip, const WallField& field,
              StripContacts& out) const;
    void touch(const WallField& field, std::uint32_t particle, std::uint32_t solid,
               std::uint32_t part, const Vec2& local, std::vector<SolidContact<2>>& found) const;
    bool hold_back_by(std::size_t solid, const DistanceMap& part, const Vec2& from, Vec2& to,
                      Vec2& velocity, float inverse_mass);

    float spacing_ = 0, reach_ = 0, closest_ = 0;
    std::vector<Solid> solids_;
    std::vector<Pose> last_pose_;
    std::vector<SolidMotion> motions_;
    std::vector<StripContacts> strips_;
    std::vector<SolidContact<2>> contacts_;
    std::vector<float> felt_;
    std::vector<std::uint32_t> contact_start_;
};

}  // namespace millrace
