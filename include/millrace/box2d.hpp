#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "millrace/pool.hpp"

class b2Body;
class b2World;

// Fluid among the bodies of a Box2D world (2.4). A frame of a game is then
//
//     millrace::Box2dCoupling coupling(pool, world);
//     ...
//     auto report = coupling.step(1.0f / 60);  // the fluid and the world
//
// Lengths are in metres, masses in kilograms. The fluid's density is a mass per area, as that of
// Box2D's fixtures is: a body floats where its density is the lower one.

namespace millrace {

struct Box2dOptions {
    // Which fixtures the fluid sees: as if the fluid were a fixture with this b2Filter.
    std::uint16_t category = 0x0001;
    std::uint16_t mask = 0xffff;
    std::int16_t group = 0;
    /// Whether the fluid, like Box2D's contacts, keeps 1 cm (b2_polygonRadius) off polygons, edges
    /// and chains. A body then displaces more than its mass was made from: a box of 1 m, 4 % more.
    bool skin = true;
    /// How long a body that left the fluid's neighbourhood stays in the pool [s]
    float keep = 10;
};

/// Lets the bodies of a world push a fluid and be pushed by it. Pool and world stay the caller's
/// and must outlive it; bodies may be made, changed and destroyed at any time between its calls.
/// Sensors and bodies that are not enabled do not exist for the fluid. Chains and edges are walls
/// with two sides.
class Box2dCoupling {
  public:
    Box2dCoupling(Pool& pool, b2World& world, const Box2dOptions& options = {});
    Box2dCoupling(Box2dCoupling&&) noexcept;
    Box2dCoupling& operator=(Box2dCoupling&&) noexcept;
    ~Box2dCoupling();

    /// A frame: reads the bodies, steps the pool, pushes the bodies and steps the world. On an
    /// error the world stays as it was.
    Result<PoolReport> step(float dt, int velocity_iterations = 8, int position_iterations = 3);

    // The same in parts, for those who step the world themselves: read_bodies, then Pool::step,
    // then push_bodies, then b2World::Step.

    /// Tells the pool where the bodies near the fluid are and how they move.
    Status read_bodies(float dt);
    /// Applies what the fluid did to them in the pool's step: one impulse and one angular impulse
    /// for every dynamic body. Wakes sleeping ones that no longer rest in balance.
    Status push_bodies();

    /// Reads the bodies that meet a box, so that Pool::fill leaves room for them.
    Status see(Point2 min, Point2 max);
    /// The solid that stands for a body in the pool, where it stays for as long as the body is
    /// there: an emitter may ride on it. It changes when the body's fixtures do.
    Result<SolidId> solid(b2Body& body);
    /// Takes all bodies out of the pool; the next step reads them anew. Before Pool::save and
    /// Pool::restore, so that no solids are saved for which there are no bodies later.
    Status forget();
    /// How many bodies the pool holds.
    std::size_t size() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
