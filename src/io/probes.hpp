#pragma once

#include <functional>
#include <string>
#include <vector>

#include "millrace/simulation.hpp"

namespace millrace {

/// The quantities of probes.csv. Heights, velocities, fronts and energies are those of the moment;
/// a pressure, which jumps from step to step as the solver converges, is the mean over the time
/// since the probe's last value.
class Probes {
  public:
    /// Throws InputError, without a file name, when two probes would write the same column.
    explicit Probes(const Scene& scene);

    /// The first line of the CSV file: time, then the columns in the order of the probes.
    std::string header() const;

    /// Takes part in every step of length `dt`; needed for pressures, free without them.
    void observe(const Simulation& simulation, double dt);

    /// One line of the CSV file. A probe that is not due, and a value that does not exist (the
    /// height of no water), leave their cells empty.
    std::string row(const Simulation& simulation,
                    const std::function<bool(std::size_t probe)>& is_due);

    /// The means in the making, for a checkpoint: two numbers a probe.
    std::vector<double> state() const;
    void restore(const std::vector<double>& state);

  private:
    /// The integral of a pressure over time [Pa s] and that time [s].
    struct Mean {
        double integral = 0, time = 0;
    };

    Scene scene_;
    std::vector<Mean> means_;
    bool any_pressure_ = false;
};

}  // namespace millrace
