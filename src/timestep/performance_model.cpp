#include "timestep/performance_model.hpp"

namespace millrace {

namespace {

constexpr double k_memory = 1000;  // steps

}  // namespace

void StepSums::add(const StepReport& report) {
    steps += 1;
    seconds += report.dt;
    iterations += report.iterations + report.divergence_iterations;
}

PerformanceModel::PerformanceModel(double cost_constant, double cost_iteration)
    : given_constant_(cost_constant), given_iteration_(cost_iteration) {}

void PerformanceModel::observe(const StepReport& report) {
    if (given_constant_ > 0 || given_iteration_ > 0)
        return;  // nothing that a clock says may get into the state
    if (report.step == 1 || report.step == 2)
        return;  // a GPU wakes up in them
    if (steps_ >= k_memory)
        for (double* sum : {&steps_, &iterations_, &constant_seconds_, &pressure_seconds_})
            *sum *= 1 - 1 / k_memory;
    steps_ += 1;
    iterations_ += report.iterations + report.divergence_iterations;
    constant_seconds_ += (report.ms.total - report.ms.pressure) / 1000;
    pressure_seconds_ += report.ms.pressure / 1000;
}

double PerformanceModel::constant_cost() const {
    if (given_constant_ > 0 || given_iteration_ > 0)
        return given_constant_;
    // a method without iterations has its pressures in every step
    const double seconds = constant_seconds_ + (iterations_ > 0 ? 0 : pressure_seconds_);
    return steps_ > 0 ? seconds / steps_ : 0;
}

double PerformanceModel::iteration_cost() const {
    if (given_constant_ > 0 || given_iteration_ > 0)
        return given_iteration_;
    return iterations_ > 0 ? pressure_seconds_ / iterations_ : 0;
}

double PerformanceModel::performance(const StepSums& sums) const {
    const double cost = sums.steps * constant_cost() + sums.iterations * iteration_cost();
    return cost > 0 ? sums.seconds / cost : 0;
}

}  // namespace millrace
