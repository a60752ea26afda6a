#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "millrace/simulation.hpp"

namespace millrace {

/// What a run has done so far, over all its resumed parts.
struct RunTotals {
    std::int64_t steps = 0;
    double wall_seconds = 0;
    std::int64_t iterations = 0;         ///< of the pressure solver
    double particle_updates = 0;         ///< fluid particles times steps
    std::int64_t unconverged_steps = 0;  ///< the solver stopped at max_iterations
    double first_unconverged = 0;        ///< [s] end of the first of them
    std::int64_t retaken_steps = 0;      ///< begun again, since they would have gone wrong

    void add(const StepReport& report);
};

/// For a checkpoint, exact; reading throws what nlohmann throws.
nlohmann::ordered_json totals_to_json(const RunTotals& totals);
RunTotals totals_from_json(const nlohmann::ordered_json& json);

bool has_emitters(const Scene& scene);

/// The content of summary.json. `status` is "finished", or "failed" with the `error`.
nlohmann::ordered_json run_summary(const RunTotals& totals, const Scene& scene,
                                   const Simulation& simulation, const std::string& error = "");

/// The content of a line of stats.jsonl; `output_ms` went into files.
nlohmann::ordered_json step_stats(const StepReport& report, double output_ms);

}  // namespace millrace
