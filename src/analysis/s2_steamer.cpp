// A paddle steamer of jointed bodies in a dam break, S2 Fig. 6.
#include "analysis/s2_steamer.hpp"

#include "analysis/s2_machine.hpp"
#include "scene_texts.hpp"

namespace millrace {

ExperimentReport run_s2_steamer(const ExperimentOptions& options) {
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 5 : 60;
    const Scene scene = parse_scene(k_paddle_steamer_scene_text, "paddle_steamer.json");
    ExperimentReport report;
    report.name = "s2-steamer";
    report.title = "The joints of a paddle steamer in a dam break (S2 Fig. 6)";
    report.notes = {"scenes/2d/paddle_steamer.json"};
    report_machine(report, run_machine(scene, seconds, options, [](const ConstraintWorld<2>&) {}));
    return report;
}

}  // namespace millrace
