#include <algorithm>
#include <cmath>

#include "diffuse/potentials.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {
namespace {

constexpr double k_quantile = 0.999;

// Floors below which tau_max never falls; tau_min is a tenth of it. Without them water that hardly
// moves would foam by its own noise.
constexpr double k_least_crest = 0.4;    // a rough plane has 0.04
constexpr double k_least_trapped = 2;    // in sqrt(g h)
constexpr double k_least_kinetic = 0.5;  // in g h
/// Water that plunges takes air along from about 1 m/s on, whatever the scene [m/s].
constexpr double k_entrainment_speed = 1;

double quantile(std::vector<float> values) {
    if (values.empty())
        return 0;
    const auto at = static_cast<std::size_t>(k_quantile * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
}

}  // namespace

DiffuseThresholds largest_potentials(const FluidFrame& frame, const DiffuseOptions& options) {
    const Device device = Device::cpu(options.threads);
    const SortedFluid fluid(device, frame, options.spacing);
    const std::vector<PotentialValues> values = potential_values(device, fluid, options.spacing, 0);
    const auto largest = [&](float PotentialValues::*value) {
        std::vector<float> all(values.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = values[i].*value;
        return quantile(std::move(all));
    };
    return {largest(&PotentialValues::crest), largest(&PotentialValues::trapped),
            largest(&PotentialValues::kinetic)};
}

DiffuseThresholds mean_thresholds(std::span<const DiffuseThresholds> frames,
                                  const DiffuseOptions& options) {
    DiffuseThresholds mean;
    for (const DiffuseThresholds& frame : frames) {
        mean.crest += frame.crest / static_cast<double>(frames.size());
        mean.trapped += frame.trapped / static_cast<double>(frames.size());
        mean.kinetic += frame.kinetic / static_cast<double>(frames.size());
    }
    const double gh = norm(to_vec3d(options.gravity)) * options.spacing;
    mean.crest = std::max(mean.crest, k_least_crest);
    mean.trapped = std::max(mean.trapped, k_least_trapped * std::sqrt(gh));
    mean.kinetic = std::max(
        {mean.kinetic, k_least_kinetic * gh, 0.5 * k_entrainment_speed * k_entrainment_speed});
    return mean;
}

}  // namespace millrace
