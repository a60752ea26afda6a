#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Fluid for 2D games: particles that a game owns beside its rigid bodies and steps 60 times a
// second. Nothing here throws or asserts because of what a caller passes: a call that cannot do
// what was asked changes nothing and says why. Lengths are in metres, times in seconds.

namespace millrace {

/// Whether a call did what was asked of it.
class [[nodiscard]] Status {
  public:
    Status() = default;
    static Status failed(std::string message) { return Status(std::move(message)); }
    explicit operator bool() const { return message_.empty(); }
    /// What is wrong, and where; empty: nothing.
    const std::string& message() const { return message_; }

  private:
    explicit Status(std::string message) : message_(std::move(message)) {}
    std::string message_;
};

/// What a call returns, or why it returns nothing.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : content_(std::move(value)) {}
    Result(Status status) : content_(std::move(status)) {}
    explicit operator bool() const { return content_.index() == 0; }
    /// Only where the result holds.
    T& operator*() & { return std::get<0>(content_); }
    const T& operator*() const& { return std::get<0>(content_); }
    T&& operator*() && { return std::get<0>(std::move(content_)); }
    T* operator->() { return &std::get<0>(content_); }
    const T* operator->() const { return &std::get<0>(content_); }
    std::string message() const { return *this ? "" : std::get<1>(content_).message(); }

  private:
    std::variant<T, Status> content_;
};

struct Point2 {
    float x = 0, y = 0;
    bool operator==(const Point2&) const = default;
};

/// A shape in the plane.
struct Shape2 {
    enum class Kind {
        circle,   ///< points[0] is the centre
        polygon,  ///< simple, convex or not, in any sense of rotation
        chain     ///< a thin wall along the points, with both sides in the world
    };
    Kind kind = Kind::circle;
    std::vector<Point2> points;
    float radius = 0;  ///< of a circle; of the others: how far their skin lies outside [m]

    static Shape2 circle(Point2 center, float radius) { return {Kind::circle, {center}, radius}; }
    static Shape2 box(Point2 min, Point2 max) {
        return {Kind::polygon, {min, {max.x, min.y}, max, {min.x, max.y}}, 0};
    }
    static Shape2 polygon(std::vector<Point2> points, float skin = 0) {
        return {Kind::polygon, std::move(points), skin};
    }
    static Shape2 chain(std::vector<Point2> points, float skin = 0) {
        return {Kind::chain, std::move(points), skin};
    }
};

/// What a fluid is made of.
struct FluidMaterial {
    float density = 1000;     ///< at rest [kg/m^2]
    float viscosity = 1e-6f;  ///< kinematic [m^2/s]
    float wall_friction = 0;  ///< 0: slips along walls; 1: sticks to them
    float tension = 0;        ///< of the method mueller: colour-field surface tension [N/m]
    std::uint32_t color = 0xff408ce6;  ///< of new particles, as the game reads it
    // Of the method clavet, which makes goo and gel of them (Clavet et al. 2005).
    float linear_viscosity = 0;     ///< sigma: of slow approach [m/s]
    float quadratic_viscosity = 0;  ///< beta: of fast approach
    float spring_stiffness = 0;     ///< k_spring [N/m per kg]; 0: no springs
    float yield_ratio = 0.1f;       ///< gamma: strain that a spring bears before it flows
    float plasticity = 0.3f;        ///< alpha: how fast it flows then [1/s]
    float stickiness = 0;           ///< k_stick: pull towards walls [m/s^2]; 0: none
};

/// The parameters of the methods; each says to which it belongs.
struct PoolMethod {
    std::string name = "spook";  ///< "mueller", "clavet", "spook", "iisph" or "dfsph"
    /// The part of its own density that a particle at rest contributes (S0 Eq. 3.42), which sets
    /// the smoothing length; 0: the method's own.
    float self_contribution = 0;
    int iterations = 0;         ///< of the solver of spook, iisph and dfsph; 0: the method's own
    bool warm_start = true;     ///< start from the pressures of the last step
    float relaxation_time = 2;  ///< spook: tau, in natural sub-steps; how slowly errors are undone
    float compliance = 0;       ///< spook: epsilon; 0: incompressible
    float over_relaxation = 0;  ///< spook: omega of the sweeps; 0: the method's own
    /// mueller: k = c_s^2 [m^2/s^2]; clavet: k of the normalised kernels [m^6/s^2]; 0: the method's
    /// own
    float stiffness = 0;
    float near_stiffness = 0;  ///< clavet: k_near [m^6/s^2]; 0: the method's own
    /// clavet: rho_0 over that with which fluid without load rests at its density; with more of it
    /// the fluid is denser and its surface tension stronger
    float rest_ratio = 1;
    /// clavet: "original", "hybrid" or "squared" (S0 A.2 to A.4); spook: "spiky", "poly6" or
    /// "poly6h" (S0 A.5); empty: the method's own.
    std::string kernels;
};

struct PoolOptions {
    float spacing = 0.1f;       ///< of particles at rest: a particle covers spacing^2
    Point2 gravity{0, -9.81f};  ///< [m/s^2]
    PoolMethod method;
    int threads = 1;  ///< 0: one for every core; results do not depend on it
    float cfl = 1;    ///< the way of a particle in a sub-step, in spacings
    float longest_substep =
        1.0f / 60;          ///< [s]; calming and undoing of errors go with it, down to 1 ms
    int max_substeps = 16;  ///< in a step; with fewer than it needs the fluid boils
    std::size_t max_particles = 1'000'000;      ///< beyond it, nothing is added
    Point2 min{-1e4f, -1e4f}, max{1e4f, 1e4f};  ///< particles that leave it are removed
};

/// Names of things in a pool; never used twice.
using ParticleId = std::uint32_t;
using SolidId = std::uint32_t;
using EmitterId = std::uint32_t;
using SinkId = std::uint32_t;

struct NewParticle {
    Point2 position{}, velocity{};
    std::uint8_t fluid = 0;
    float lifetime = 0;  ///< [s]; 0: for ever
    std::optional<std::uint32_t> color{};
    std::uint64_t user_data = 0;
};

struct FillOptions {
    std::uint8_t fluid = 0;
    Point2 velocity{};
    float angular_velocity = 0;  ///< about the middle of the shape [rad/s]
    float lifetime = 0;          ///< [s]; 0: for ever
    std::uint64_t user_data = 0;
};

enum class SolidKind { fixed, kinematic, dynamic };

/// Where a solid is and how it moves.
struct SolidState {
    Point2 position{};           ///< of the origin of its frame [m]
    float angle = 0;             ///< [rad]
    Point2 velocity{};           ///< of its centre of mass [m/s]
    float angular_velocity = 0;  ///< [rad/s]
    /// What it will be accelerated by during the next step without the fluid [m/s^2], [rad/s^2]
    Point2 acceleration{};
    float angular_acceleration = 0;
    float inverse_mass = 0;     ///< 0: cannot be pushed [1/kg]
    float inverse_inertia = 0;  ///< 0: cannot be turned [1/(kg m^2)]
};

struct SolidOptions {
    std::vector<Shape2> shapes{};  ///< in the solid's frame; together they are one solid
    Point2 center{};               ///< of mass, in the solid's frame
    SolidKind kind = SolidKind::fixed;
    SolidState state{};
};

/// What the fluid did to a solid during the last step.
struct SolidPush {
    Point2 impulse;              ///< [N s]
    float angular_impulse = 0;   ///< about the centre of mass [N m s]
    std::uint32_t contacts = 0;  ///< particles that touched it at the end
};

/// A nozzle: a line of `width` across `direction`.
struct EmitterOptions {
    std::uint8_t fluid = 0;
    Point2 position{};                ///< of its middle; in the frame of `solid`, if any
    Point2 direction{1, 0};           ///< any length but 0
    float width = 1;                  ///< [m]
    float speed = 1;                  ///< against the nozzle [m/s]
    float lifetime = 0;               ///< of its particles [s]; 0: for ever
    std::uint64_t max_particles = 0;  ///< that it emits in all; 0: no limit
    std::optional<SolidId> solid{};   ///< that it rides on
};

/// What a step did.
struct PoolReport {
    int substeps = 0;
    int iterations = 0;  ///< of the pressure solver, in all sub-steps
    std::size_t emitted = 0, sunk = 0, expired = 0, left = 0, refused = 0;
    float mean_compression = 0, max_compression = 0;  ///< of the density, relative, at the end
    float max_speed = 0;                              ///< [m/s]
    struct {
        double neighbors = 0, density = 0, forces = 0, pressure = 0, move = 0, total = 0;
    } ms;  ///< wall time of the stages [ms]
};

/// Particles of one or more fluids, and the solids that they meet.
class Pool {
  public:
    static Result<Pool> create(const PoolOptions& options);
    Pool(Pool&&) noexcept;
    Pool& operator=(Pool&&) noexcept;
    ~Pool();

    const PoolOptions& options() const;
    /// The number of the new fluid, from 0; at most 16.
    Result<std::uint8_t> add_fluid(const FluidMaterial& material);
    Status set_material(std::uint8_t fluid, const FluidMaterial& material);

    /// Fills a shape, on a lattice of the pool's spacing, with what room there is for: places
    /// within half a spacing of solids, near particles and out of bounds stay empty. Returns how
    /// many were added.
    Result<std::size_t> fill(const Shape2& shape, const FillOptions& options = {});
    Result<ParticleId> add(const NewParticle& particle);
    /// Removes the particles in a shape; returns how many.
    Result<std::size_t> remove(const Shape2& shape);
    Status remove(ParticleId particle);
    void clear();

    Result<EmitterId> add_emitter(const EmitterOptions& options);
    Status set_emitter(EmitterId emitter, const EmitterOptions& options);
    Status remove_emitter(EmitterId emitter);
    /// How many particles it has emitted.
    Result<std::uint64_t> emitted(EmitterId emitter) const;
    /// A shape in which particles vanish.
    Result<SinkId> add_sink(const Shape2& shape);
    Status remove_sink(SinkId sink);

    Result<SolidId> add_solid(const SolidOptions& options);
    Status set_solid(SolidId solid, const SolidState& state);
    /// Its emitters go with it.
    Status remove_solid(SolidId solid);
    /// Where a solid is now. One that is dynamic moves with the fluid's push, and falls with its
    /// acceleration, until set_solid says where it really went.
    Result<SolidState> solid(SolidId solid) const;
    Result<SolidPush> push_on(SolidId solid) const;

    /// Goes on by dt, in as many sub-steps as stability asks for. Steps may have any length in any
    /// order, up to max_substeps of what stability asks for. On an error (dt not positive,
    /// particles without finite places) the pool stays as it was.
    Result<PoolReport> step(float dt);

    std::size_t size() const;
    double time() const;
    // One entry for every particle, in an order that stays until a particle is removed: then the
    // last one takes its place. A span is valid until the next call that is not const.
    std::span<const Point2> positions() const;
    std::span<const Point2> velocities() const;
    std::span<const ParticleId> ids() const;
    std::span<const std::uint8_t> fluids() const;
    std::span<const float> densities() const;  ///< relative to the density at rest
    std::span<const float> pressures() const;  ///< [Pa m], that is N/m
    std::span<const float> ages() const;       ///< [s]
    std::span<std::uint32_t> colors();
    std::span<std::uint64_t> user_data();
    /// Where a particle is in the spans.
    Result<std::size_t> index_of(ParticleId particle) const;
    Status set_velocity(ParticleId particle, Point2 velocity);

    /// The smallest box that holds all particles; without particles, a point.
    struct Bounds {
        Point2 min, max;
    };
    Bounds bounds() const;

    /// Everything, to go on from with the same bits in a pool of the same library.
    std::vector<std::byte> save() const;
    Status restore(std::span<const std::byte> saved);
    /// Of the whole state; the same for any number of threads.
    std::uint64_t hash() const;

  private:
    struct Impl;
    explicit Pool(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
