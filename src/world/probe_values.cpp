#include "world/probe_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "math/kernels/cubic_spline.hpp"
#include "world/constraint_world.hpp"
#include "world/pool_world.hpp"
#include "world/probed_fluid.hpp"
#include "world/world.hpp"

namespace millrace {

namespace {

constexpr double k_half_full = 0.5;
constexpr double k_height_accuracy = 0.01, k_scan_step = 0.25;  // [spacings]

template <int D>
Vec<D> point(const Vector& at) {
    Vec<D> x;
    for (int k = 0; k < D; ++k)
        x[k] = static_cast<float>(at[k]);
    return x;
}

template <int D>
CubicSpline<D> kernel_of(const ProbeSettings& settings) {
    return CubicSpline<D>(static_cast<float>(settings.support));
}

template <int D>
double cell_volume(const ProbeSettings& settings) {
    return D == 2 ? settings.spacing * settings.spacing
                  : settings.spacing * settings.spacing * settings.spacing;
}

/// Around a point x: sum_j V_j W, sum_j V_j p_j W and sum_j V_j v_j W, with W = W(x - x_j).
template <int D>
struct PointSums {
    double weight = 0, pressure = 0, velocity[D] = {};
};

template <int D>
struct SumAround {
    ProbedView<D> f;
    CubicSpline<D> kernel;
    Vec<D> at;
    MILLRACE_HD PointSums<D> operator()(std::uint32_t i) const {
        PointSums<D> sums;
        const float r2 = squared_norm(f.position.get(i) - at);
        if (!(r2 < kernel.support() * kernel.support()))
            return sums;
        const Vec<D> v = f.velocity.get(i);
        sums.weight = f.volume[i] * double(kernel.w(r2));
        sums.pressure = sums.weight * f.pressure[i];
        for (int k = 0; k < D; ++k)
            sums.velocity[k] = sums.weight * v[k];
        return sums;
    }
};

struct Add {
    template <int D>
    MILLRACE_HD PointSums<D> operator()(const PointSums<D>& a, const PointSums<D>& b) const {
        PointSums<D> sums;
        sums.weight = a.weight + b.weight;
        sums.pressure = a.pressure + b.pressure;
        for (int k = 0; k < D; ++k)
            sums.velocity[k] = a.velocity[k] + b.velocity[k];
        return sums;
    }
    MILLRACE_HD Vec2d operator()(const Vec2d& a, const Vec2d& b) const { return a + b; }
};

struct Largest {
    MILLRACE_HD float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <int D>
PointSums<D> sums_around(const ProbedFluid<D>& fluid, const ProbeSettings& settings,
                         const Vector& at) {
    return reduce(fluid.device, fluid.count, PointSums<D>(),
                  SumAround<D>{fluid.view, kernel_of<D>(settings), point<D>(at)}, Add());
}

/// Kinetic and potential energy of a particle; the potential is zero at the origin.
template <int D>
struct EnergyOf {
    ProbedView<D> f;
    Vec<D, double> gravity;
    MILLRACE_HD Vec2d operator()(std::uint32_t i) const {
        const double mass = double(f.rest_density[i]) * f.volume[i];
        const Vec<D> x = f.position.get(i), v = f.velocity.get(i);
        Vec2d energy{{0, 0}};
        for (int k = 0; k < D; ++k) {
            energy[0] += 0.5 * mass * v[k] * v[k];
            energy[1] -= mass * gravity[k] * x[k];
        }
        return energy;
    }
};

/// Particles within the support of a vertical line.
template <int D>
struct InColumn {
    Vec<D> foot;
    float reach2;
    MILLRACE_HD float distance2(const Vec<D>& x) const {
        Vec<D> away = x - foot;
        away[1] = 0;
        return squared_norm(away);
    }
    MILLRACE_HD bool operator()(const Vec<D>& x) const { return distance2(x) < reach2; }
};

template <int D>
struct InSlab {
    int axis;
    float low, high;
    MILLRACE_HD bool operator()(const Vec<D>& x) const { return x[axis] >= low && x[axis] <= high; }
};

/// The coordinate of a particle below a limit.
template <int D>
struct CoordinateBelow {
    VectorView<D> position;
    int axis;
    float limit;
    MILLRACE_HD float operator()(std::uint32_t i) const {
        const float x = position.get(i)[axis];
        return x < limit ? x : -INFINITY;
    }
};

/// Where `is_water` changes from true at `below` to false at `above`.
template <class IsWater>
double bisect(const IsWater& is_water, double below, double above, double accuracy) {
    while (above - below > accuracy) {
        const double middle = 0.5 * (below + above);
        (is_water(middle) ? below : above) = middle;
    }
    return 0.5 * (below + above);
}

/// y of the water's surface above the point (x, z): the highest point of the vertical line where
/// the fluid fills half of the kernel, sum_j h^D W_ij = 1/2. A single particle in the air (0.32 in
/// 3D, 0.45 in 2D) is not a surface.
template <int D>
std::optional<double> surface_height(const ProbedFluid<D>& fluid, const ProbeSettings& settings,
                                     const Vector& at) {
    const CubicSpline<D> kernel = kernel_of<D>(settings);
    const InColumn<D> line{point<D>(at), kernel.support() * kernel.support()};
    struct Near {
        double y;
        float distance2;  ///< from the line
    };
    std::vector<Near> column;
    for (const Vec<D>& x : chosen_positions(fluid, line))
        column.push_back({x[1], line.distance2(x)});
    std::sort(column.begin(), column.end(), [](const Near& a, const Near& b) { return a.y > b.y; });

    const double volume = cell_volume<D>(settings), support = settings.support;
    const auto is_water = [&](double y) {
        double filled = 0;
        auto near = std::lower_bound(column.begin(), column.end(), y + support,
                                     [](const Near& a, double top) { return a.y > top; });
        for (; near != column.end() && near->y > y - support; ++near) {
            const auto dy = static_cast<float>(near->y - y);
            filled += volume * double{kernel.w(near->distance2 + dy * dy)};
        }
        return filled >= k_half_full;
    };
    // Downwards along the line, leaving out the air between particles.
    const double step = k_scan_step * settings.spacing;
    const int steps = static_cast<int>(support / step) + 1;
    double y = std::numeric_limits<double>::infinity();
    for (const Near& near : column) {
        const double top = std::min(y, near.y + support);
        for (int k = 0; k <= steps && (y = top - k * step) >= near.y; ++k)
            if (is_water(y))
                return bisect(is_water, y, y + step, k_height_accuracy * settings.spacing);
    }
    return {};
}

/// The farthest place of the fluid along +axis: the largest coordinate of a particle plus h/2.
/// Particles on which the fluid fills less than half of the kernel are spray and do not count. The
/// particles are looked at in slabs as thick as the support, from the farthest on.
template <int D>
std::optional<double> front_position(const ProbedFluid<D>& fluid, const ProbeSettings& settings,
                                     int axis) {
    const CubicSpline<D> kernel = kernel_of<D>(settings);
    const double volume = cell_volume<D>(settings);
    const float support = kernel.support();
    for (float limit = INFINITY;;) {
        const float top = reduce(fluid.device, fluid.count, -INFINITY,
                                 CoordinateBelow<D>{fluid.view.position, axis, limit}, Largest());
        if (!(top > -INFINITY))
            return {};
        const float low = std::min(top - support, std::nextafter(top, -INFINITY));
        std::vector<Vec<D>> near =
            chosen_positions(fluid, InSlab<D>{axis, low - support, top + support});
        std::sort(near.begin(), near.end(),
                  [&](const Vec<D>& a, const Vec<D>& b) { return a[axis] > b[axis]; });
        std::size_t first = 0;  // the neighbours of a particle are near it in this order
        for (const Vec<D>& x : near) {
            if (x[axis] >= limit)
                continue;
            if (x[axis] < low)
                break;
            while (near[first][axis] > x[axis] + support)
                ++first;
            double filled = 0;
            for (std::size_t j = first; j < near.size() && near[j][axis] >= x[axis] - support; ++j)
                filled += volume * double{kernel.w(squared_norm(x - near[j]))};
            if (filled >= k_half_full)
                return x[axis] + 0.5 * settings.spacing;
        }
        limit = low;
    }
}

std::vector<double> list(const std::optional<double>& value) {
    return value ? std::vector<double>{*value} : std::vector<double>();
}

template <int D>
std::vector<double> values_in(const ProbedFluid<D>& fluid, const ProbeSettings& settings,
                              const Probe& probe) {
    if (probe.type == "height")
        return list(surface_height(fluid, settings, probe.at));
    if (probe.type == "front")
        return list(front_position(fluid, settings, probe.axis));
    if (probe.type == "pressure") {
        const PointSums<D> sums = sums_around(fluid, settings, probe.at);
        return {sums.weight > 0 ? sums.pressure / sums.weight : 0};
    }
    if (probe.type == "velocity") {
        const PointSums<D> sums = sums_around(fluid, settings, probe.at);
        if (!(sums.weight > 0))
            return {};
        std::vector<double> velocity(sums.velocity, sums.velocity + D);
        for (double& component : velocity)
            component /= sums.weight;
        return velocity;
    }
    if (probe.type == "energy") {
        Vec<D, double> gravity;
        for (int k = 0; k < D; ++k)
            gravity[k] = settings.gravity[k];
        const Vec2d energy = reduce(fluid.device, fluid.count, Vec2d{{0, 0}},
                                    EnergyOf<D>{fluid.view, gravity}, Add());
        return {energy[0], energy[1]};
    }
    throw InputError("probe '" + probe.name + "': the fluid has no '" + probe.type + "'");
}

}  // namespace

ProbeSettings probe_settings(const Scene& scene) {
    ProbeSettings settings{scene.spacing, scene.support * scene.spacing, scene.gravity, {}};
    for (const Fluid& fluid : scene.fluids)
        settings.rest_densities.push_back(static_cast<float>(fluid.density));
    return settings;
}

template <int D>
std::vector<double> probe_values(const World<D>& world, const ProbeSettings& settings,
                                 const Probe& probe) {
    const FluidView<D> f = world.view();
    const ProbedFluid<D> fluid{
        world.device(), f.count, {f.position, f.velocity, f.volume, f.pressure, f.rest_density}};
    return values_in(fluid, settings, probe);
}

std::vector<double> probe_values(const PoolWorld& world, const ProbeSettings& settings,
                                 const Probe& probe) {
    const ProbedHost<2> host(world.host_particles(), settings.rest_densities, world.threads());
    return values_in(host.fluid(), settings, probe);
}

template <int D>
std::vector<double> probe_values(const ConstraintWorld<D>& world, const ProbeSettings& settings,
                                 const Probe& probe) {
    const ProbedHost<D> host(world.host_particles(), settings.rest_densities, world.threads());
    return values_in(host.fluid(), settings, probe);
}

template std::vector<double> probe_values(const World<2>&, const ProbeSettings&, const Probe&);
template std::vector<double> probe_values(const World<3>&, const ProbeSettings&, const Probe&);
template std::vector<double> probe_values(const ConstraintWorld<2>&, const ProbeSettings&,
                                          const Probe&);
template std::vector<double> probe_values(const ConstraintWorld<3>&, const ProbeSettings&,
                                          const Probe&);

}  // namespace millrace
