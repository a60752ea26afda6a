#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// One step of the solver from nothing.
struct ConvergenceCurve {
    std::string name;
    std::vector<double> residuals;  ///< before the first sweep and after each
};

inline constexpr const char* k_convergence_s2 = "poly6, omega 1";
inline constexpr const char* k_convergence_own = "spiky, omega 1.5";

/// After how many sweeps the residual is at most this part of the first; -1: never.
int sweeps_to(const std::vector<double>& residuals, double part);

/// What S2 reads off its Fig. 4.
std::vector<Claim> convergence_claims(const std::vector<ConvergenceCurve>& curves);

ExperimentReport run_s2_convergence(const ExperimentOptions& options);

}  // namespace millrace
