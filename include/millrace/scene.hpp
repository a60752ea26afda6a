#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace millrace {

/// A vector as the user writes it; in 2D the third component is 0.
using Vector = std::array<double, 3>;

/// An axis-aligned box [m].
struct Box {
    Vector min{};
    Vector max{};

    bool operator==(const Box&) const = default;
};

/// A turn about an axis through the origin.
struct Rotation {
    Vector axis{0, 0, 1};  ///< any length but 0
    double angle = 0;      ///< [degrees], right-handed

    bool operator==(const Rotation&) const = default;
};

/// In 2D a circle.
struct Sphere {
    Vector center{};    ///< [m]
    double radius = 0;  ///< [m]

    bool operator==(const Sphere&) const = default;
};

struct Cylinder {
    Vector from{}, to{};  ///< centres of both ends [m]
    double radius = 0;    ///< [m]

    bool operator==(const Cylinder&) const = default;
};

/// Of the plane: simple, convex or not, in any sense of rotation.
struct Polygon {
    std::vector<Vector> points;  ///< its corners, one after the other [m]

    bool operator==(const Polygon&) const = default;
};

/// A thin wall along points of the plane, with a free space on both sides.
struct Chain {
    std::vector<Vector> points;  ///< [m]; closed where the last one is the first

    bool operator==(const Chain&) const = default;
};

/// All of space below a plane is solid.
struct Plane {
    Vector point{};          ///< [m]
    Vector normal{0, 1, 0};  ///< out of the solid, any length but 0

    bool operator==(const Plane&) const = default;
};

/// The triangles of a file; first scaled, then turned, then moved.
struct MeshFile {
    std::string file;  ///< OBJ, PLY, STL, glTF or GLB; in a scene file relative to it
    Vector scale{1, 1, 1};
    Rotation rotation;
    Vector position{};  ///< [m]

    bool operator==(const MeshFile&) const = default;
};

/// The points of a file; first scaled, then turned, then moved.
struct PointFile {
    std::string file;  ///< Houdini's bgeo; in a scene file relative to it
    Vector scale{1, 1, 1};
    Rotation rotation;
    Vector position{};  ///< [m]

    bool operator==(const PointFile&) const = default;
};

/// What a fill, a wall and a body may be. A scene must name one: nothing (std::monostate) is
/// refused. In 3D there are no polygons and chains, in 2D no cylinders, capsules, files.
using FillShape = std::variant<std::monostate, Box, Sphere, MeshFile, PointFile, Polygon>;
using WallShape =
    std::variant<std::monostate, Box, Sphere, Cylinder, Plane, MeshFile, Polygon, Chain>;

/// A volume filled with fluid on a lattice; particles start half a spacing from its faces.
struct Fill {
    FillShape shape;       ///< at each point of a file is a particle, less those that are too close
    double jitter = 0.01;  ///< standard deviation of the displacement, in spacings (S1 3.1)

    bool operator==(const Fill&) const = default;
};

struct Viscosity {
    std::string method = "standard";  ///< "none", "standard" (S1 Eq. 3.2), "implicit" or "xsph"
    double nu = 1e-6;                 ///< kinematic viscosity, of "standard" and "implicit" [m^2/s]
    std::string walls = "slip";       ///< "slip" or "no-slip"
    double strength = 0.1;            ///< of "xsph": part of the difference removed in a step

    bool operator==(const Viscosity&) const = default;
};

struct SurfaceTension {
    std::string method = "none";  ///< "none", "color_field" or "cohesion"
    double sigma = 0.072;         ///< [N/m]; that of water against air

    bool operator==(const SurfaceTension&) const = default;
};

/// What keeps whirls alive that viscosity and the size of the particles would calm.
struct Vorticity {
    std::string method = "none";  ///< "none", "micropolar" or "confinement"
    double nu_t = 0.1;            ///< of "micropolar": what couples flow and spin [m^2/s]
    double inertia = 2;           ///< of "micropolar": of a kilogram that spins [m^2]
    double smoothing = 0.05;      ///< of "micropolar": part of spin differences removed in a step
    double strength = 0.01;       ///< of "confinement" [m/s]

    bool operator==(const Vorticity&) const = default;
};

/// What makes goo or gel of a fluid: of the pressure method "clavet" (Clavet et al. 2005).
struct Goo {
    double linear_viscosity = 0;     ///< sigma: of slow approach [m/s]
    double quadratic_viscosity = 0;  ///< beta: of fast approach
    double spring_stiffness = 0;     ///< k_spring [N/m per kg]; 0: no springs
    double yield_ratio = 0.1;        ///< gamma: strain that a spring bears before it flows
    double plasticity = 0.3;         ///< alpha: how fast it flows then [1/s]
    double stickiness = 0;           ///< k_stick: pull towards walls [m/s^2]; 0: none

    bool operator==(const Goo&) const = default;
};

/// A nozzle from which fluid flows: a disc or a rectangle.
struct Emitter {
    std::string name;                 ///< empty: one is made up when the scene is read
    Vector position{};                ///< centre of the opening [m]; in the frame of `body`, if any
    Vector direction{1, 0, 0};        ///< of the flow, any length but 0
    double speed = 1;                 ///< [m/s], against the nozzle
    double radius = 0;                ///< of a disc (in 2D half the width) [m]; 0: a rectangle
    Vector size{};                    ///< of a rectangle: width, and height along `up` [m]
    Vector up{0, 1, 0};               ///< of a rectangle, not along `direction`
    double from = 0;                  ///< [s]
    double until = 1e9;               ///< [s]
    std::uint64_t max_particles = 0;  ///< 0: no limit
    std::string body;                 ///< name of the body that it rides on; empty: none

    bool operator==(const Emitter&) const = default;
};

struct Fluid {
    std::string name = "water";
    double density = 1000;  ///< rest density [kg/m^3]
    Vector velocity{};      ///< initial velocity [m/s]
    std::vector<Fill> fill;
    std::vector<Emitter> emitters;
    Viscosity viscosity;
    SurfaceTension surface_tension;
    Vorticity vorticity;
    Goo goo;
    Vector color{0.25, 0.55, 0.9};  ///< red, green, blue from 0 to 1

    bool operator==(const Fluid&) const = default;
};

/// A pose at a time, of a motion by keyframes.
struct Keyframe {
    double time = 0;    ///< [s]
    Vector position{};  ///< displacement from the place at the start [m]
    Rotation rotation;  ///< about WallMotion::center

    bool operator==(const Keyframe&) const = default;
};

/// How a scripted wall moves; before `from` it is at rest, after `until` it stays where it is.
struct WallMotion {
    std::string type;      ///< "sine", "linear", "rotate" or "keyframes"
    Vector axis{1, 0, 0};  ///< of "sine": direction; of "rotate": axis, in 2D along z; not 0
    double amplitude = 0;  ///< of "sine" [m]
    double period = 1;     ///< of "sine" [s]
    double phase = 0;      ///< of "sine" [degrees]
    Vector velocity{};     ///< of "linear" [m/s]
    Vector center{};       ///< of "rotate" and "keyframes": a point of the axis [m]
    double rpm = 0;        ///< of "rotate": turns per minute, right-handed
    std::vector<Keyframe> keyframes;
    double from = 0;     ///< [s]
    double until = 1e9;  ///< [s]

    bool operator==(const WallMotion&) const = default;
};

/// A wall, static or scripted: the surface of a shape. First scaled, then turned, then moved, all
/// about the origin.
struct Boundary {
    std::string name;  ///< empty: one is made up when the scene is read
    WallShape shape;
    bool inside = false;            ///< true: a tank, the fluid is within the shape
    std::vector<std::string> open;  ///< of a box: faces left out: "-x", "+x", "-y", "+y", ...
    Vector scale{1, 1, 1};
    Rotation rotation;
    Vector position{};  ///< [m]
    std::optional<WallMotion> motion;
    double friction = 0.5;     ///< against bodies
    double restitution = 0.1;  ///< against bodies: part of the speed after a bounce
    Vector color{0.6, 0.6, 0.6};
    bool glass = false;  ///< one looks through it in pictures; not of boxes and planes

    bool operator==(const Boundary&) const = default;
};

// Shapes of bodies, in the body's own frame, centred at its origin.
struct BodyBox {
    Vector size{};  ///< [m]
    bool operator==(const BodyBox&) const = default;
};
struct BodySphere {
    double radius = 0;  ///< [m]
    bool operator==(const BodySphere&) const = default;
};
/// Along y.
struct BodyCylinder {
    double radius = 0, height = 0;  ///< [m]
    bool operator==(const BodyCylinder&) const = default;
};
/// Along y, with round ends, which the height includes.
struct BodyCapsule {
    double radius = 0, height = 0;  ///< [m]
    bool operator==(const BodyCapsule&) const = default;
};
struct BodyMesh {
    std::string file;
    Vector scale{1, 1, 1};
    bool operator==(const BodyMesh&) const = default;
};

using BodyShape =
    std::variant<std::monostate, BodyBox, BodySphere, BodyCylinder, BodyCapsule, BodyMesh, Polygon>;

/// A rigid body: a shape in the body's frame, placed by `rotation` and then `position`.
struct Body {
    std::string name;  ///< empty: one is made up when the scene is read
    BodyShape shape;
    double density = 500;                  ///< [kg/m^3], in 2D of a metre across the plane
    std::optional<double> mass;            ///< [kg]; instead of the density
    std::optional<Vector> center_of_mass;  ///< in the body's frame [m]; instead of the shape's
    /// About the axes of the body's frame through the centre of mass [kg m^2], in 2D about z;
    /// instead of that of the shape with its mass
    std::optional<Vector> inertia;
    Vector position{};  ///< of the origin of its frame [m]
    Rotation rotation;
    Vector velocity{};          ///< of the centre of mass [m/s]
    Vector angular_velocity{};  ///< [rad/s]; in 2D about z
    double friction = 0.5;
    double restitution = 0.1;  ///< part of the speed after a bounce
    Vector color{0.8, 0.55, 0.3};
    bool glass = false;  ///< one looks through it in pictures

    bool operator==(const Body&) const = default;
};

struct Motor {
    double speed = 0;                  ///< of a hinge [rad/s], of a slider [m/s]
    std::optional<double> max_torque;  ///< of a hinge [N m]
    std::optional<double> max_force;   ///< of a slider [N]

    bool operator==(const Motor&) const = default;
};

/// What holds two bodies, or a body and the world, together. Places and axes are of the start.
struct Joint {
    std::string name;                 ///< empty: one is made up when the scene is read
    std::string type;                 ///< "hinge", "slider", "distance" or "weld"
    std::vector<std::string> bodies;  ///< two names; "world" is the fixed world
    Vector anchor{};                  ///< [m]; of "distance" on the first body
    Vector anchor_b{};                ///< of "distance": on the second body [m]
    Vector axis{0, 0, 1};             ///< of "hinge" (in 2D z) and "slider", any length but 0
    std::vector<double> limits;       ///< least and most: hinge [degrees], slider, distance [m]
    std::optional<Motor> motor;       ///< of "hinge" and "slider"

    bool operator==(const Joint&) const = default;
};

struct Rigid {
    /// "own" (S1 Algorithm 5, no contacts), "bullet" in 3D, "box2d" in 2D, "spook" or "auto"
    std::string engine = "auto";

    bool operator==(const Rigid&) const = default;
};

/// A box in which fluid vanishes and is counted.
struct Sink {
    std::string name;  ///< empty: one is made up when the scene is read
    Box box;

    bool operator==(const Sink&) const = default;
};

struct Pressure {
    /// Of the engine sph "wcsph", "pcisph", "iisph" or "dfsph", of game "mueller", "clavet",
    /// "spook", "iisph" or "dfsph", of constraints "spook"
    std::string method = "dfsph";
    double avg_error = 0.001;  ///< largest average predicted density error, relative
    double max_error = 0.005;  ///< largest predicted density error of any particle, relative
    int min_iterations = 3;
    int max_iterations = 100;
    bool warm_start = true;                  ///< start from the last step's pressures (S1 Eq. 3.63)
    double relaxation = 0.5;                 ///< omega of the Jacobi step (S1 Eq. 3.62)
    std::string linear_solver = "nncg";      ///< "jacobi" or "nncg"
    bool rest_density = false;               ///< rest density in the pressure forces (S1 3.4)
    int divergence_iterations = 100;         ///< of dfsph, at most
    double divergence_error = 0.0003;        ///< of dfsph: average compression in a step, relative
    std::string equation_of_state = "tait";  ///< of wcsph: "linear" or "tait"
    double gamma = 7;                        ///< exponent of "tait"
    double expected_speed = 0;               ///< of wcsph [m/s]; 0: of a fall from top to bottom
    // of the engine game, as PoolMethod in millrace/pool.hpp has them
    double self_contribution = 0;  ///< part of its own density (S0 Eq. 3.42); 0: the method's own
    int iterations = 0;            ///< of spook, iisph, dfsph; 0: the method's own
    double relaxation_time = 2;    ///< of spook: tau, in steps; how slowly errors are undone
    double compliance = 0;         ///< of spook: epsilon; 0: incompressible
    double over_relaxation = 0;    ///< of spook: omega of the sweeps; 0: the method's own
    double stiffness = 0;          ///< of mueller and clavet: k; 0: the method's own
    double near_stiffness = 0;     ///< of clavet: k_near; 0: the method's own
    double rest_ratio = 1;         ///< of clavet: rho_0 over that of fluid at its density
    /// Of clavet "original", "hybrid" or "squared" (S0 A.2-A.4), of spook "spiky", "poly6" or
    /// "poly6h" (S0 A.5); empty: the method's own
    std::string kernels{};
    // of the engine constraints
    /// How walls act: "field" adds to the density of particles near them and pushes, "contact" only
    /// keeps them half a kernel away (S2 Eq. 26)
    std::string boundary = "field";
    /// Part of what pressure does to neighbours that move which is implicit; 0: none, as S2
    double pair_damping = 0.5;

    bool operator==(const Pressure&) const = default;
};

struct TimeStep {
    std::string mode = "cfl";  ///< "cfl", "fixed" or "metropolis" (S1 3.4.2)
    double cfl = 0.4;          ///< largest way of a particle in a step, in spacings (S1 Eq. 3.7)
    double min = 1e-6;         ///< [s]
    double max = 0.005;        ///< [s]
    double dt = 0.001;         ///< step of the mode "fixed" [s]
    // of the mode "metropolis"
    double initial = 0;         ///< first step [s]; 0: the longest that is allowed
    double sigma = 0.02;        ///< of a proposal for each of its steps, relative (S1 Eq. 3.82)
    int episode = 5;            ///< steps for which a proposal is tried
    double acceptance = 0.234;  ///< part of the proposals to accept; 0: only better ones
    double horizon = 1;         ///< time after which what happened fades [s]
    double cost_constant = 0;  ///< of a step without its iterations [s]; with the next, 0: measured
    double cost_iteration = 0;  ///< of an iteration [s]

    bool operator==(const TimeStep&) const = default;
};

/// Surfaces of the fluid as meshes (docs/methods/surface.md).
struct SurfaceOutput {
    std::vector<std::string> formats{"vtp"};
    double cell = 0.5;         ///< edge of a cell of marching cubes, in spacings
    int smoothing = 25;        ///< iterations
    bool anisotropic = false;  ///< kernels stretched along the surface
    double keep = 1;           ///< part of the triangles that decimation leaves

    bool operator==(const SurfaceOutput&) const = default;
};

/// Spray, foam and bubbles (docs/methods/diffuse.md).
struct DiffuseOutput {
    std::vector<std::string> formats{"vtu"};
    double rate = 200;           ///< k: diffuse particles of one fluid particle, at most [1/s]
    double shortest_life = 0.5;  ///< [s]
    double longest_life = 4;     ///< [s]

    bool operator==(const DiffuseOutput&) const = default;
};

struct Output {
    double fps = 30;                            ///< frames per simulated second
    std::vector<std::string> particles{"vtu"};  ///< formats of the particle frames
    std::vector<std::string> fields{"velocity", "density", "pressure", "id"};
    std::optional<SurfaceOutput> surface;  ///< made in the run; without it, none is
    std::optional<DiffuseOutput> diffuse;  ///< likewise

    bool operator==(const Output&) const = default;
};

/// A quantity written to probes.csv.
struct Probe {
    std::string name;
    std::string type;     ///< "height", "pressure", "velocity", "front", "body" or "energy"
    Vector at{};          ///< the point; of "height" {x, 0, z}, in 2D {x, 0, 0}
    int axis = 0;         ///< direction of "front"
    std::string body;     ///< of "body": its name
    double interval = 0;  ///< [s]; 0: at every frame

    bool operator==(const Probe&) const = default;
};

struct Camera {
    Vector position{};
    Vector target{};
    double fov = 40;  ///< vertical opening [degrees]

    bool operator==(const Camera&) const = default;
};

/// A simulation as plain, validated data: what the scene file says, every default filled in.
struct Scene {
    std::string name = "scene";
    int dimension = 3;
    /// Who steps the particles: "sph"; "game", in 2D, in real time beside Box2D; or "constraints",
    /// in one solve with bodies and joints. default_scene has the defaults of each.
    std::string engine = "sph";
    double spacing = 0;  ///< distance of neighbouring particles at rest [m]
    double support = 2;  ///< radius of the smoothing kernel, in spacings
    Vector gravity{0, -9.81, 0};
    std::optional<Box> domain;  ///< particles that leave it are removed and counted
    double end = 5;             ///< simulated time [s]
    std::uint64_t seed = 1;
    std::vector<Fluid> fluids;
    std::vector<Boundary> boundaries;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    Rigid rigid;
    std::vector<Sink> sinks;
    Pressure pressure;
    TimeStep time_step;
    Output output;
    std::vector<Probe> probes;
    std::optional<Camera> camera;

    bool operator==(const Scene&) const = default;
};

/// A scene of an engine with its own pressure method and steps, from which scenes made in C++
/// start; a file that names the engine starts from the same.
Scene default_scene(const std::string& engine);

/// Reads a scene file, or one of SPlisHSPlasH (docs/splishsplash.md); throws InputError. An
/// override is "key.path=value", such as "fluids[0].density=900"; a value that is not JSON is
/// taken as a text. Mesh files are looked for beside the scene file and get absolute paths.
/// `warnings` receives what was left out of a foreign scene, "file: place: text" each.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                 std::vector<std::string>* warnings = nullptr);

/// The same from the text of a native scene; `name` stands for the file in messages. Paths of
/// mesh files are left as they are, and the files are not looked at.
Scene parse_scene(const std::string& json, const std::string& name = "scene",
                  const std::vector<std::string>& overrides = {});

/// Checks a scene that was built in code; throws InputError.
void validate_scene(const Scene& scene, const std::string& name = "scene");

/// The whole scene as JSON, every default written out; parse_scene gives the same scene back.
std::string scene_to_json(const Scene& scene);

}  // namespace millrace
