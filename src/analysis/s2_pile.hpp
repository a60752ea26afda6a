#pragma once

#include "analysis/experiment.hpp"

namespace millrace {

/// A body of the pile at the end of the run.
struct PileBody {
    bool dense = false;
    Vector center{};    ///< [m]
    double lowest = 0;  ///< its lowest point [m]
};

/// The lowest point [m] of a box of this size, or of a sphere with this radius where it is not 0.
double lowest_point(const BodyView& body, double box_size, double sphere_radius);

/// Whether every body lies on the floor, at y = 0, or on a body below that does: its lowest point
/// is within `gap` of the floor, or its centre within `reach` of such a body's [m].
std::vector<bool> lie_at_bottom(const std::vector<PileBody>& bodies, double gap, double reach);

/// Whether all dense bodies sank and all light ones float: their centre less than half of `size`
/// below the level, or above it [m].
std::vector<Claim> pile_claims(const std::vector<PileBody>& bodies, double level, double size,
                               double spacing);

ExperimentReport run_s2_pile(const ExperimentOptions& options);

}  // namespace millrace
