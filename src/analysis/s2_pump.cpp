// A piston pump with valves, S2 Fig. 7.
#include "analysis/s2_pump.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/formatted.hpp"
#include "analysis/s2_machine.hpp"
#include "scene_texts.hpp"

namespace millrace {

namespace {

constexpr const char* k_piston = "piston";
constexpr const char* k_outlet = "outlet";  // the valve through which water leaves the cylinder

const Body& body_named(const Scene& scene, const std::string& name) {
    for (const Body& body : scene.bodies)
        if (body.name == name)
            return body;
    throw InputError(scene.name + ": bodies: one must be named '" + name + "'");
}

Vector axis_of(const Scene& scene) {
    for (const Joint& joint : scene.joints)
        if (joint.type == "slider" &&
            std::find(joint.bodies.begin(), joint.bodies.end(), k_piston) != joint.bodies.end())
            return joint.axis;
    throw InputError(scene.name + ": joints: the piston must be on a slider");
}

double place_along(const ConstraintWorld<2>& world, const Vector& axis) {
    for (const BodyView& body : world.bodies())
        if (body.name == k_piston)
            return (body.position[0] * axis[0] + body.position[1] * axis[1]) /
                   std::hypot(axis[0], axis[1]);
    return std::nan("");
}

/// Across the pipe above the outlet, as wide as the piston and as far above the valve.
OutletCounter counter_of(const Scene& scene, double width) {
    Vector middle = body_named(scene, k_outlet).position;
    middle[1] += width;
    return {middle, width};
}

/// Particles that left through the outlet: what the sinks took, or else what passed the line.
double outflow(const ConstraintWorld<2>& world, const OutletCounter& counter) {
    const auto& sunk = world.sunk_counts();
    return sunk.empty() ? counter.passed() : std::accumulate(sunk.begin(), sunk.end(), 0.0);
}

}  // namespace

PistonMotion piston_motion(const std::vector<double>& places) {
    if (places.empty())
        return {};
    const auto [least, most] = std::minmax_element(places.begin(), places.end());
    const double middle = (*least + *most) / 2;
    PistonMotion motion;
    motion.stroke = *most - *least;
    motion.turns = -1;
    for (std::size_t k = 1; k < places.size(); ++k)
        if (places[k - 1] < middle && places[k] >= middle) {
            if (motion.turns < 0)
                motion.begin = k;
            motion.end = k;
            ++motion.turns;
        }
    motion.turns = std::max(motion.turns, 0);
    return motion;
}

void OutletCounter::look(std::span<const float> positions, std::span<const std::uint32_t> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float x = positions[2 * i], y = positions[2 * i + 1];
        const auto [place, is_new] = heights_.try_emplace(ids[i], y);
        if (!is_new && std::abs(x - middle_[0]) < width_ / 2)
            passed_ += (y >= middle_[1]) - (place->second >= middle_[1]);
        place->second = y;
    }
}

Claim pump_claim(int turns, double part) {
    return judged("the flow of a turn is the area that the piston sweeps, within 10 %", turns > 0,
                  std::abs(part - 1) <= 0.1, formatted("%.3g %% over %d turns", 100 * part, turns));
}

ExperimentReport run_s2_pump(const ExperimentOptions& options) {
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 10 : 60;
    const Scene scene = parse_scene(k_pump_scene_text, "pump.json");
    const Vector axis = axis_of(scene);
    const double width = body_width(body_named(scene, k_piston), axis);
    OutletCounter counter = counter_of(scene, width);
    std::vector<double> places, outflows;
    const MachineRun run =
        run_machine(scene, seconds, options, [&](const ConstraintWorld<2>& world) {
            const Snapshot now = world.snapshot();
            counter.look(now.positions, now.ids);
            places.push_back(place_along(world, axis));
            outflows.push_back(outflow(world, counter));
        });
    const PistonMotion motion = piston_motion(places);
    const double swept = width * motion.stroke;
    const double pumped = (outflows[motion.end] - outflows[motion.begin]) * scene.spacing *
                          scene.spacing / motion.turns;
    ExperimentReport report;
    report.name = "s2-pump";
    report.title = "The joints and the flow of a piston pump (S2 Fig. 7)";
    report.notes = {"scenes/2d/pump.json",
                    "the swept area is the width of the piston times its stroke; the pumped one "
                    "what sinks took or, without them, what passed a line in the pipe above the "
                    "outlet, at one spacing squared a particle, per whole turn"};
    report_machine(report, run);
    report.tables.push_back(
        {"flow",
         "Flow",
         {"turns", "stroke [m]", "swept a turn [m^2]", "pumped a turn [m^2]", "pumped / swept [%]"},
         {{static_cast<double>(motion.turns), motion.stroke, swept, pumped,
           100 * pumped / swept}}});
    report.claims.push_back(pump_claim(motion.turns, pumped / swept));
    return report;
}

}  // namespace millrace
