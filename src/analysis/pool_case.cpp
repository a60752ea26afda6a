#include "analysis/pool_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/formatted.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

std::string step_text(double dt) {
    return formatted("1/%.0f s", 1 / dt);
}

void require(bool fine, const std::string& message) {
    if (!fine)
        throw RunError(message);
}

}  // namespace

PoolCase mueller_case(double self_contribution, double dt) {
    PoolCase c{formatted("mueller, SCP %g, ", self_contribution) + step_text(dt), {}, dt, true};
    c.method.name = "mueller";
    c.method.self_contribution = static_cast<float>(self_contribution);
    return c;
}

PoolCase clavet_case(const std::string& kernels, double dt) {
    PoolCase c{"clavet, " + kernels + ", " + step_text(dt), {}, dt, true};
    c.method.name = "clavet";
    c.method.kernels = kernels;
    return c;
}

PoolCase clavet_table_case() {
    PoolCase c = clavet_case("hybrid", 1.0 / 120);
    c.name = "clavet, S0 Table 6.2, 1/120 s";
    c.method.self_contribution = 0.955f;  // h = 0.2 m
    c.method.rest_ratio = 0.00103f;       // rho_0 = 5
    c.method.stiffness = 0.0004f;
    c.method.near_stiffness = 0.05f;
    return c;
}

PoolCase bodin_case(const std::string& kernels, double self_contribution, double dt,
                    int iterations) {
    PoolCase c{"spook, " + kernels + formatted(", SCP %g, ", self_contribution) + step_text(dt),
               {},
               dt,
               true};
    c.method.name = "spook";
    c.method.kernels = kernels;
    c.method.self_contribution = static_cast<float>(self_contribution);
    c.method.iterations = iterations;
    c.method.warm_start = false;
    c.method.over_relaxation = 1;
    return c;
}

PoolCase own_case(const std::string& method) {
    PoolCase c{"Millrace's " + method + ", 1/60 s", {}};
    c.method.name = method;
    return c;
}

Pool make_pool(const PoolCase& c, int threads) {
    PoolOptions options;
    options.spacing = static_cast<float>(c.spacing > 0 ? c.spacing : std::sqrt(k_s0_volume));
    options.gravity = {0, static_cast<float>(-k_s0_gravity)};
    options.method = c.method;
    options.threads = threads;
    if (c.as_in_s0)
        options.max_substeps = 1;
    Result<Pool> pool = Pool::create(options);
    require(bool(pool), c.name + ": " + pool.message());
    FluidMaterial water;
    water.density = static_cast<float>(c.density);
    const Result<std::uint8_t> fluid = pool->add_fluid(water);
    require(bool(fluid), c.name + ": " + fluid.message());
    return std::move(*pool);
}

Pool make_tank(const PoolCase& c, int threads, double width, double height) {
    Pool pool = make_pool(c, threads);
    const float w = static_cast<float>(width), h = static_cast<float>(height);
    SolidOptions tank;
    tank.shapes = {Shape2::chain({{0, h}, {0, 0}, {w, 0}, {w, h}})};
    const Result<SolidId> solid = pool.add_solid(tank);
    require(bool(solid), c.name + ": " + solid.message());
    return pool;
}

void fill_rows(Pool& pool, double width, std::size_t count, double pitch) {
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::round(width / pitch)));
    const double across = width / static_cast<double>(columns), up = pitch * pitch / across;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t row = k / columns, n = std::min(columns, count - row * columns);
        NewParticle particle;
        particle.position.x = static_cast<float>(width * (static_cast<double>(k % columns) + 0.5) /
                                                 static_cast<double>(n));
        particle.position.y = static_cast<float>(up * (static_cast<double>(row) + 0.5));
        const Result<ParticleId> added = pool.add(particle);
        require(bool(added), added.message());
    }
}

void run_pool(Pool& pool, double seconds, double dt,
              const std::function<void(const PoolReport&)>& after) {
    const int steps = static_cast<int>(std::ceil(seconds / dt - 1e-6));
    for (int k = 0; k < steps; ++k) {
        const Result<PoolReport> report = pool.step(static_cast<float>(dt));
        require(bool(report), report.message());
        after(*report);
    }
}

double ideal_height(std::size_t count, double volume, double width) {
    return static_cast<double>(count) * volume / width;
}

double surface_height(std::span<const Point2> positions, double width, double spacing) {
    const auto row = std::min(positions.size(), static_cast<std::size_t>(width / spacing));
    if (row == 0)
        return 0;
    std::vector<double> y;
    for (const Point2& p : positions)
        y.push_back(p.y);
    std::nth_element(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(row - 1), y.end(),
                     std::greater<>());
    double sum = 0;
    for (std::size_t k = 0; k < row; ++k)
        sum += y[k];
    return sum / static_cast<double>(row) + spacing / 2;
}

double layer_density(std::span<const Point2> positions, double width, double volume, double from,
                     double to) {
    std::vector<double> y;
    for (const Point2& p : positions)
        if (p.y >= from && p.y <= to)
            y.push_back(p.y);
    std::sort(y.begin(), y.end());
    // least squares: the rank of a particle, which is the mass below it, over its height
    const double n = static_cast<double>(y.size()), mean_rank = (n - 1) / 2;
    double mean_y = 0, yy = 0, yr = 0;
    for (const double height : y)
        mean_y += height / n;
    for (std::size_t k = 0; k < y.size(); ++k) {
        yy += (y[k] - mean_y) * (y[k] - mean_y);
        yr += (y[k] - mean_y) * (static_cast<double>(k) - mean_rank);
    }
    const double thinnest = volume / 8;  // variance of heights: that of two rows is twice this
    return n > 1 && yy > n * thinnest ? yr / yy * volume / width
                                      : std::numeric_limits<double>::quiet_NaN();
}

DepthProfile depth_profile(std::span<const Point2> positions, double width, double spacing,
                           int layers) {
    DepthProfile profile;
    const double surface = surface_height(positions, width, spacing);
    const double thickness = surface / layers;
    for (int k = 0; k < layers; ++k) {
        profile.depth.push_back((k + 0.5) * thickness);
        const double top = surface - k * thickness;
        profile.density.push_back(
            layer_density(positions, width, spacing * spacing, top - thickness, top));
    }
    return profile;
}

double mean_speed(const Pool& pool) {
    double sum = 0;
    for (const Point2& v : pool.velocities())
        sum += std::hypot(v.x, v.y);
    return pool.size() > 0 ? sum / static_cast<double>(pool.size()) : 0;
}

double kinetic_energy(const Pool& pool, double particle_mass) {
    double sum = 0;
    for (const Point2& v : pool.velocities())
        sum += 0.5 * particle_mass * (double(v.x) * v.x + double(v.y) * v.y);
    return sum;
}

}  // namespace millrace
