#pragma once

#include <functional>
#include <span>
#include <vector>

#include "analysis/pool_case.hpp"

namespace millrace {

/// Square bodies of Box2D side by side in a tank with water.
struct BodyScene {
    double width = 5, depth = 2;  ///< of the water [m]
    double size = 0.6;            ///< of a body [m]
    std::vector<double> relative_densities = {0.5, 0.75, 1, 1.25, 1.5};
    bool poured = false;  ///< the water falls on bodies that lie on the floor
};

/// The corners of a body.
using Corners = std::vector<Point2>;

/// The area of the part of a polygon below a level [m^2].
double area_below(std::span<const Point2> polygon, double level);

/// Where the water stands when bodies float or lie on the floor by Archimedes [m].
double water_level(const BodyScene& scene, double water_area);

/// Runs it for so long; `after` gets the bodies after every step. Returns the area of the water.
/// Throws InputError where Millrace was built without Box2D, RunError where a step fails.
double run_bodies(const BodyScene& scene, const PoolCase& c, int threads, double seconds,
                  const std::function<void(double time, const std::vector<Corners>&)>& after);

}  // namespace millrace
