#pragma once

#include <functional>
#include <string>
#include <vector>

#include "millrace/simulation.hpp"

namespace millrace {

/// The quantities of probes.csv. Heights, velocities, fronts, energies and the motion of a body are
/// those of the moment; pressures and forces, which jump from step to step as the solver
/// converges, are means over the time since the probe's last value.
class Probes {
  public:
    /// Throws InputError, without a file name, when two probes would write the same column.
    explicit Probes(const Scene& scene);

    /// The first line of the CSV file: time, then the columns in the order of the probes.
    std::string header() const;

    /// Takes part in every step of length `dt`; needed for pressures and bodies, free without them.
    void observe(const Simulation& simulation, double dt);

    /// One line of the CSV file. A probe that is not due, and a value that does not exist (the
    /// height of no water), leave their cells empty.
    std::string row(const Simulation& simulation,
                    const std::function<bool(std::size_t probe)>& is_due);

    /// The means in the making, for a checkpoint: two numbers a probe, four of a body.
    std::vector<double> state() const;
    void restore(const std::vector<double>& state);

  private:
    /// The integral of a pressure [Pa s] or a force [N s] over time and that time [s].
    struct Mean {
        Vector integral{};  ///< of a pressure the first
        double time = 0;

        void add(int component, double value, double dt) { integral[component] += dt * value; }
        double value(int component) const { return integral[component] / time; }
    };
    int mean_size(std::size_t probe) const;  ///< numbers in the integral

    int dimension_;
    std::vector<Probe> probes_;
    std::vector<Mean> means_;
    bool any_body_ = false;
};

}  // namespace millrace
