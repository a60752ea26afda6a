#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
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

/// A volume filled with fluid on a lattice; particles start half a spacing from its faces.
struct Fill {
    Box box;               ///< the filled volume [m]
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

struct Fluid {
    std::string name = "water";
    double density = 1000;  ///< rest density [kg/m^3]
    Vector velocity{};      ///< initial velocity [m/s]
    std::vector<Fill> fill;
    Viscosity viscosity;
    SurfaceTension surface_tension;
    Vector color{0.25, 0.55, 0.9};  ///< red, green, blue from 0 to 1

    bool operator==(const Fluid&) const = default;
};

/// A static wall: the surface of a box.
struct Boundary {
    std::string name;  ///< empty: one is made up when the scene is read
    Box box;
    bool inside = false;            ///< true: a tank, the fluid is within the box
    std::vector<std::string> open;  ///< faces left out: "-x", "+x", "-y", "+y", "-z", "+z"

    bool operator==(const Boundary&) const = default;
};

struct Pressure {
    std::string method = "dfsph";  ///< "wcsph", "pcisph", "iisph" or "dfsph"
    double avg_error = 0.001;      ///< largest average predicted density error, relative
    double max_error = 0.005;      ///< largest predicted density error of any particle, relative
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

struct Output {
    double fps = 30;                            ///< frames per simulated second
    std::vector<std::string> particles{"vtu"};  ///< formats of the particle frames
    std::vector<std::string> fields{"velocity", "density", "pressure", "id"};

    bool operator==(const Output&) const = default;
};

/// A quantity written to probes.csv.
struct Probe {
    std::string name;
    std::string type;     ///< "height", "pressure", "velocity", "front" or "energy"
    Vector at{};          ///< the point; of "height" {x, 0, z}, in 2D {x, 0, 0}
    int axis = 0;         ///< direction of "front"
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
    double spacing = 0;  ///< distance of neighbouring particles at rest [m]
    double support = 2;  ///< radius of the smoothing kernel, in spacings
    Vector gravity{0, -9.81, 0};
    std::optional<Box> domain;  ///< particles that leave it are removed and counted
    double end = 5;             ///< simulated time [s]
    std::uint64_t seed = 1;
    std::vector<Fluid> fluids;
    std::vector<Boundary> boundaries;
    Pressure pressure;
    TimeStep time_step;
    Output output;
    std::vector<Probe> probes;
    std::optional<Camera> camera;

    bool operator==(const Scene&) const = default;
};

/// Reads a scene file; throws InputError. An override is "key.path=value", such as
/// "fluids[0].density=900"; a value that is not JSON is taken as a text.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same from text; `name` stands for the file in messages.
Scene parse_scene(const std::string& json, const std::string& name = "scene",
                  const std::vector<std::string>& overrides = {});

/// Checks a scene that was built in code; throws InputError.
void validate_scene(const Scene& scene, const std::string& name = "scene");

/// The whole scene as JSON, every default written out; parse_scene gives the same scene back.
std::string scene_to_json(const Scene& scene);

}  // namespace millrace
