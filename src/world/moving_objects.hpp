#pragma once

#include <memory>
#include <optional>

#include "boundary/body_coupling.hpp"
#include "rigid/rigid_engine.hpp"

namespace millrace {

/// The objects of a scene that move: scripted walls and rigid bodies. Objects are numbered as in
/// SceneObjects: the scene's boundaries, then its bodies.
template <int D>
class MovingObjects {
  public:
    /// `radii`: of every object, the distance of its farthest sample from its reference point [m].
    /// `engine`: of the bodies; null where there are none.
    MovingObjects(const Scene& scene, const RigidDescription& description,
                  const std::vector<double>& radii, std::unique_ptr<RigidEngine> engine);

    bool any() const { return any_; }
    /// Where every object is at a time; bodies are where they are now.
    std::span<const Frame<D>> frames(double time);
    /// The fastest point of any of them, of the scripted walls, of the bodies [m/s].
    double max_speed(double time) const;
    double max_wall_speed(double time) const;
    double max_body_speed() const;

    /// How the objects would move at the end of a step without the fluid, and give way to it.
    void predict(double time, double dt, std::vector<Twist<D>>& twists,
                 std::vector<ObjectResponse<D>>& responses) const;
    /// Moves the bodies on by dt, with what the fluid did to the objects [N s]. `share` is dt over
    /// the flow's own time, at most 1.
    void step(double time, double dt, double share, std::span<const Push<D, double>> impulses);

    std::span<const BodyState> bodies() const;
    /// What the fluid pushed the bodies with in the last step.
    std::span<const Wrench> pushes() const { return pushes_; }
    /// States and what else sets the next step, as plain numbers.
    std::vector<double> save() const;
    void restore(const std::vector<double>& numbers);

  private:
    struct Acceleration {
        Vec3d linear = Vec3d::all(0), angular = Vec3d::all(0);
    };
    Acceleration give_way(std::size_t body, const Wrench& wrench) const;

    std::vector<std::optional<WallMotion>> motions_;  ///< of the boundaries
    std::vector<double> radii_;
    Vec3d gravity_;
    std::vector<double> masses_;
    bool any_ = false;
    std::unique_ptr<RigidEngine> engine_;  ///< null without bodies
    std::vector<Frame<D>> frames_;
    std::vector<Wrench> pushes_;
    /// Of every body: what neither gravity nor the fluid did to it in the last steps, contacts and
    /// joints, within limits: a body that rests on the floor is expected to go on resting. The
    /// impulses of short steps count by their share.
    std::vector<Acceleration> held_;
};

}  // namespace millrace
