#include "io/gauges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "math/kernels/cubic_spline.hpp"
#include "math/vec.hpp"

namespace millrace {

namespace {

constexpr double k_half_full = 0.5;
constexpr double k_height_accuracy = 0.01, k_scan_step = 0.25;  // [spacings]

template <int D>
Vec<D> vector_of(std::span<const float> flat, std::size_t i) {
    Vec<D> v;
    for (int k = 0; k < D; ++k)
        v[k] = flat[i * D + k];
    return v;
}

template <int D>
Vec<D> point(const Vector& at) {
    Vec<D> x;
    for (int k = 0; k < D; ++k)
        x[k] = static_cast<float>(at[k]);
    return x;
}

template <int D>
double cell_volume(const GaugeView& view) {
    return std::pow(view.spacing, D);
}

/// Calls visit(i, W_i) for the particles near a point.
template <int D, class Visit>
void for_each_near(const GaugeView& view, const Vector& at, Visit&& visit) {
    const CubicSpline<D> kernel(static_cast<float>(view.support));
    const Vec<D> x = point<D>(at);
    const float reach2 = kernel.support() * kernel.support();
    for (std::size_t i = 0; i < view.volumes.size(); ++i) {
        const float r2 = squared_norm(vector_of<D>(view.positions, i) - x);
        if (r2 < reach2)
            visit(i, double{kernel.w(r2)});
    }
}

/// Where `is_water` changes from true at `below` to false at `above`.
template <class IsWater>
double bisect(const IsWater& is_water, double below, double above, double accuracy) {
    while (above - below > accuracy) {
        const double middle = 0.5 * (below + above);
        (is_water(middle) ? below : above) = middle;
    }
    return 0.5 * (below + above);
}

template <int D>
std::optional<double> surface_height_of(const GaugeView& view, const Vector& at) {
    const CubicSpline<D> kernel(static_cast<float>(view.support));
    const Vec<D> foot = point<D>(at);
    const float reach2 = kernel.support() * kernel.support();
    struct Near {
        double y;
        float distance2;  ///< from the line
    };
    std::vector<Near> column;
    for (std::size_t i = 0; i < view.volumes.size(); ++i) {
        Vec<D> away = vector_of<D>(view.positions, i) - foot;
        away[1] = 0;
        if (squared_norm(away) < reach2)
            column.push_back({view.positions[i * D + 1], squared_norm(away)});
    }
    std::sort(column.begin(), column.end(), [](const Near& a, const Near& b) { return a.y > b.y; });

    const double volume = cell_volume<D>(view);
    const auto is_water = [&](double y) {
        double filled = 0;
        auto near = std::lower_bound(column.begin(), column.end(), y + view.support,
                                     [](const Near& a, double top) { return a.y > top; });
        for (; near != column.end() && near->y > y - view.support; ++near) {
            const auto dy = static_cast<float>(near->y - y);
            filled += volume * double{kernel.w(near->distance2 + dy * dy)};
        }
        return filled >= k_half_full;
    };
    // Downwards along the line, leaving out the air between particles.
    const double step = k_scan_step * view.spacing;
    const int steps = static_cast<int>(view.support / step) + 1;
    double y = std::numeric_limits<double>::infinity();
    for (const Near& near : column) {
        const double top = std::min(y, near.y + view.support);
        for (int k = 0; k <= steps && (y = top - k * step) >= near.y; ++k)
            if (is_water(y))
                return bisect(is_water, y, y + step, k_height_accuracy * view.spacing);
    }
    return {};
}

template <int D>
std::optional<double> front_position_of(const GaugeView& view, int axis) {
    const CubicSpline<D> kernel(static_cast<float>(view.support));
    const double volume = cell_volume<D>(view);
    std::vector<std::uint32_t> order(view.volumes.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto coordinate = [&](std::uint32_t i) { return view.positions[i * D + axis]; };
    std::sort(order.begin(), order.end(),
              [&](auto i, auto j) { return coordinate(i) > coordinate(j); });

    std::size_t first = 0;  // the neighbours of a particle are near it in this order
    for (const std::uint32_t i : order) {
        while (coordinate(order[first]) > coordinate(i) + kernel.support())
            ++first;
        double filled = 0;
        for (std::size_t k = first; k < order.size(); ++k) {
            const std::uint32_t j = order[k];
            if (coordinate(j) < coordinate(i) - kernel.support())
                break;
            filled += volume * double{kernel.w(squared_norm(vector_of<D>(view.positions, i) -
                                                            vector_of<D>(view.positions, j)))};
        }
        if (filled >= k_half_full)
            return coordinate(i) + 0.5 * view.spacing;
    }
    return {};
}

template <int D>
double pressure_of(const GaugeView& view, const Vector& at) {
    double weight = 0, sum = 0;
    for_each_near<D>(view, at, [&](std::size_t i, double w) {
        weight += view.volumes[i] * w;
        sum += view.volumes[i] * w * view.pressures[i];
    });
    return weight > 0 ? sum / weight : 0;
}

template <int D>
std::optional<Vector> velocity_of(const GaugeView& view, const Vector& at) {
    double weight = 0;
    Vector sum{};
    for_each_near<D>(view, at, [&](std::size_t i, double w) {
        weight += view.volumes[i] * w;
        for (int k = 0; k < D; ++k)
            sum[k] += view.volumes[i] * w * view.velocities[i * D + k];
    });
    if (!(weight > 0))
        return {};
    for (double& component : sum)
        component /= weight;
    return sum;
}

}  // namespace

GaugeView gauge_view(const Scene& scene, const Simulation& simulation) {
    return {scene.dimension,        scene.spacing,           scene.support * scene.spacing,
            simulation.positions(), simulation.velocities(), simulation.volumes(),
            simulation.pressures()};
}

std::optional<double> surface_height(const GaugeView& view, const Vector& at) {
    return view.dimension == 2 ? surface_height_of<2>(view, at) : surface_height_of<3>(view, at);
}

double pressure_at(const GaugeView& view, const Vector& at) {
    return view.dimension == 2 ? pressure_of<2>(view, at) : pressure_of<3>(view, at);
}

std::optional<Vector> velocity_at(const GaugeView& view, const Vector& at) {
    return view.dimension == 2 ? velocity_of<2>(view, at) : velocity_of<3>(view, at);
}

std::optional<double> front_position(const GaugeView& view, int axis) {
    return view.dimension == 2 ? front_position_of<2>(view, axis)
                               : front_position_of<3>(view, axis);
}

Energy fluid_energy(const Scene& scene, const Simulation& simulation) {
    const int d = scene.dimension;
    const auto x = simulation.positions(), v = simulation.velocities();
    const auto volumes = simulation.volumes();
    const auto fluids = simulation.fluids();
    Energy energy;
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        const double mass = scene.fluids[fluids[i]].density * volumes[i];
        for (int k = 0; k < d; ++k) {
            const double speed = v[i * d + k];
            energy.kinetic += 0.5 * mass * speed * speed;
            energy.potential -= mass * scene.gravity[k] * x[i * d + k];
        }
    }
    return energy;
}

}  // namespace millrace
