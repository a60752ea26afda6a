#pragma once

#include <span>
#include <vector>

#include "millrace/pool.hpp"
#include "millrace/scene.hpp"

// The rigid bodies of a 2D scene, beside the fluid of a pool: where they are, how they move, and
// what the fluid pushed them with. Lengths are in metres, masses in kilograms.
namespace millrace {

struct FlatBody {
    std::string name;
    Shape2 shape;        ///< in its own frame
    Point2 center{};     ///< of mass, in its own frame
    double mass = 0;     ///< [kg]
    double inertia = 0;  ///< about the centre of mass [kg m^2]
    SolidState state;    ///< of its frame at the start; the velocity is that of the centre of mass
    double friction = 0, restitution = 0;
};

struct FlatWall {
    std::vector<Shape2> shapes;  ///< in its own frame, of which the state tells
    SolidState state;
    bool moves = false;
    double friction = 0, restitution = 0;
};

struct FlatDescription {
    Point2 gravity;
    double spacing = 0;  ///< of the fluid: how large things are
    std::vector<FlatBody> bodies;
    std::vector<FlatWall> walls;
    std::vector<Joint> joints;
};

class FlatBodies {
  public:
    virtual ~FlatBodies() = default;

    virtual Point2 center(std::size_t body) const = 0;  ///< of mass, in the body's frame
    virtual SolidState state(std::size_t body) const = 0;
    /// The same with what will accelerate it in the next step besides the fluid; once a step.
    virtual SolidState predict(std::size_t body) = 0;
    /// Moves the bodies on by dt, with what the fluid did to each, while the walls move as told.
    virtual void step(float dt, std::span<const SolidPush> pushes,
                      std::span<const SolidState> walls) = 0;
    /// Puts a body, newly made, where it is said to be.
    virtual void place(std::size_t body, const SolidState& state) = 0;
    /// Plain numbers, to go on from; what contacts and joints remember is not among them.
    virtual std::vector<double> save() const = 0;
    /// Of newly made bodies. False: these are the numbers of other ones.
    virtual bool restore(std::span<const double> numbers) = 0;
};

}  // namespace millrace
