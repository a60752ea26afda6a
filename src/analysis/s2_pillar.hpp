#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A pillar with one setting; means over the last part of the run. NaN: it blew up.
struct S2PillarResult {
    std::string name;
    double particles = 0;
    double density = 0;          ///< mass over base area times level [kg/m^3]
    double surface_density = 0;  ///< the same by the mean height of the surface [kg/m^3]
    double compression = 0;      ///< mean of (rho / rho0 - 1)+
    double max_compression = 0;  ///< of the densest particle
    double inside_error = 0;     ///< mean of |rho / rho0 - 1| well inside
    double rms_speed = 0;        ///< [m/s]
    double step_ms = 0;          ///< wall time of a step [ms]
};

inline constexpr const char* k_pillar_s2 = "as S2: contact walls, cold, no pair damping";
inline constexpr const char* k_pillar_contact = "contact walls, cold";
inline constexpr const char* k_pillar_undamped = "boundary field, cold, no pair damping";
inline constexpr const char* k_pillar_field = "boundary field, cold";
inline constexpr const char* k_pillar_fast = "boundary field, cold, tau 2 steps";
inline constexpr const char* k_pillar_warm = "boundary field, warm";
inline constexpr const char* k_pillar_long = "boundary field, cold, 50 iterations";
inline constexpr const char* k_pillar_wide = "boundary field, warm, support 2 spacings";
inline constexpr const char* k_pillar_sph = "standard SPH";

/// What S2 IX.A measured, and what its boundary field and warm start are to improve.
std::vector<Claim> s2_pillar_claims(const std::vector<S2PillarResult>& results);

ExperimentReport run_s2_pillar(const ExperimentOptions& options);

}  // namespace millrace
