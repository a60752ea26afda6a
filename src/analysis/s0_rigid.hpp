#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A body in water at its end, in the mean over the last seconds.
struct BodyResult {
    std::string setup;
    bool is_own = false;        ///< with Millrace's parameters
    bool poured = false;        ///< the water came last
    double spacing = 0;         ///< of the particles [m]
    double density = 0;         ///< over that of the water
    double height = 0;          ///< of its middle [m]
    double upright_height = 0;  ///< by Archimedes, standing upright [m]
    double displaced = 0;       ///< the part of its area below the water level
    double gap = 0;             ///< between its lowest corner and the floor [m]

    bool is_on_floor() const { return gap < 0.5 * spacing; }  ///< no particle fits below it
    /// Light ones displace their weight to a tenth of their area, heavy ones lie on the floor.
    bool obeys_archimedes() const;
};

/// Whether the bodies of Millrace's cases float and sink as they should.
std::vector<Claim> rigid_claims(const std::vector<BodyResult>& results);

ExperimentReport run_s0_rigid(const ExperimentOptions& options);

}  // namespace millrace
