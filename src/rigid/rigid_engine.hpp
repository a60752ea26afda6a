#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "geometry/solid.hpp"
#include "millrace/scene.hpp"

// The seam between fluid and bodies. The fluid asks where every body is and how it gives way to a
// push, and hands over what it pushed with; engines differ in how bodies meet each other.
namespace millrace {

/// A force [N] and a torque about the centre of mass [N m].
struct Wrench {
    Vec3d force = Vec3d::all(0);
    Vec3d torque = Vec3d::all(0);
};

/// How a body gives way: (a, alpha) = R (force, torque), symmetric. Joints to the world bind it.
struct Response {
    double r[6][6] = {};
};

/// A solid of the plane or of space.
using AnySolid = std::variant<Solid<2>, Solid<3>>;

/// What an engine is told of a body at the start.
struct BodyDescription {
    AnySolid solid;                 ///< about the centre of mass, axes of the body's frame
    Vec3d center = Vec3d::all(0);   ///< the centre of mass in the body's frame [m]
    double mass = 0;                ///< [kg]
    Mat3d inertia = Mat3d::zero();  ///< about the centre of mass, axes of its frame [kg m^2]
    BodyState state;

    const std::string& name() const;
    double friction() const;
    double restitution() const;
};

/// What an engine is told of a wall.
struct WallDescription {
    AnySolid solid;   ///< in the wall's frame, which is the world's at the start
    BodyState state;  ///< its frame: origin, turn, velocities of the origin

    const std::string& name() const;
    double friction() const;
    double restitution() const;
    bool moves() const;
};

class RigidEngine {
  public:
    virtual ~RigidEngine() = default;

    virtual std::span<const BodyState> states() const = 0;
    /// How every body would give way to a push now.
    virtual std::span<const Response> responses() const = 0;
    /// Moves the bodies by dt under gravity and what the fluid pushed; `walls` are the scripted
    /// walls' frames at the end of the step, one for every wall of the description.
    virtual void step(double dt, std::span<const Wrench> pushes,
                      std::span<const BodyState> walls) = 0;
    virtual void restore(std::span<const BodyState> states) = 0;
};

struct RigidDescription {
    Vec3d gravity;
    std::vector<BodyDescription> bodies;
    std::vector<WallDescription> walls;
    std::vector<Joint> joints;
};

/// The solids of a scene for an engine; `wall_frames` are where its walls are at the start.
template <int D>
RigidDescription describe_rigid(const SceneSolids<D>& solids, const Scene& scene,
                                std::vector<BodyState> wall_frames);

/// The largest side of a body along the axes of its frame [m].
double extent_of(const BodyDescription& body);

/// How thick the walls of a tank are for bodies [m]: half its size, unless one starts behind them.
template <int D>
double tank_thickness(const Solid<D>& tank, std::span<const BodyDescription> bodies);

/// Engines that this build has: "own", and "bullet" where it was found.
const std::vector<std::string>& rigid_engines();

/// `engine` as in the scene; "auto" takes bullet where there is one. Throws InputError for one that
/// is missing, and for joints that the engine cannot hold.
std::unique_ptr<RigidEngine> make_rigid_engine(const std::string& engine,
                                               const RigidDescription& description);

}  // namespace millrace
