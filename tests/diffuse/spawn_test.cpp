#include "diffuse/spawn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/fluid_block.hpp"

namespace millrace {
namespace {

constexpr float k_h = 0.1f;
constexpr double k_dt = 1.0 / 30;
const Device k_device = Device::cpu(2);

/// Standard deviation of the mean of n uniform numbers.
double sigma_of_mean(double n) {
    return std::sqrt(1 / (12 * n));
}

FluidBlock colliding_blocks() {
    FluidBlock block;
    block.add_lattice(Vec3::all(0), {{12, 8, 8}}, k_h, [](const Vec3& x) {
        return Vec3{{x[0] < 0.6f ? 1.5f : -1.0f, x[1], 0.3f}};
    });
    return block;
}

/// The same a step earlier.
FluidBlock before(FluidBlock block) {
    for (std::size_t i = 0; i < block.count(); ++i)
        block.set(i, block.position(i) - block.velocity(i) * float(k_dt), block.velocity(i));
    return block;
}

DiffuseParticles spawned(const FluidBlock& from, const FluidBlock& to, double time,
                         const DiffuseOptions& options,
                         const DiffuseThresholds& thresholds = {1, 1, 1}) {
    const SortedFluid fluid(k_device, to.frame(time), k_h);
    DiffuseParticles particles;
    spawn(particles, fluid, from.frame(time - k_dt), to.frame(time), thresholds, options, {},
          k_device);
    return particles;
}

DiffuseOptions options_of(double rate) {
    DiffuseOptions options;
    options.spacing = k_h;
    options.rate = rate;
    return options;
}

TEST(DiffuseSpawning, RandomNumbersAreUniformAndDependOnAllTheyAreMadeOf) {
    constexpr int k_n = 100'000;
    double sum = 0, of_squares = 0, of_neighbors = 0;
    float last = 0.5f;
    for (std::uint32_t i = 0; i < k_n; ++i) {
        RandomNumbers random(1, i / 4, 0.1);
        for (std::uint32_t k = 0; k < i % 4; ++k)
            random.next();
        const float x = random.next();
        ASSERT_TRUE(x >= 0 && x < 1);
        sum += x;
        of_squares += x * x;
        of_neighbors += (x - 0.5) * (last - 0.5);
        last = x;
    }
    EXPECT_NEAR(sum / k_n, 0.5, 4 * sigma_of_mean(k_n));
    EXPECT_NEAR(of_squares / k_n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / k_n));
    EXPECT_NEAR(of_neighbors / k_n, 0, 4 / 12.0 / std::sqrt(k_n));
    const std::set<float> different{
        RandomNumbers(1, 2, 0.5).next(), RandomNumbers(2, 2, 0.5).next(),
        RandomNumbers(1, 3, 0.5).next(), RandomNumbers(1, 2, 0.6).next()};
    EXPECT_EQ(different.size(), 4u);
    EXPECT_EQ(RandomNumbers(1, 2, 0.5).next(), RandomNumbers(1, 2, 0.5).next());
}

TEST(DiffuseSpawning, RoundingIsRightInTheMean) {
    EXPECT_EQ(stochastically_rounded(2.25, 0.2), 3u);
    EXPECT_EQ(stochastically_rounded(2.25, 0.3), 2u);
    EXPECT_EQ(stochastically_rounded(2, 0), 2u);
    EXPECT_EQ(stochastically_rounded(0, 0), 0u);
    for (const double n_d : {0.01, 0.49, 0.51, 3.7}) {
        constexpr int k_n = 100'000;
        double sum = 0;
        for (std::uint32_t i = 0; i < k_n; ++i)
            sum += stochastically_rounded(n_d, RandomNumbers(7, i, 0).next());
        const double part = n_d - std::floor(n_d);
        EXPECT_NEAR(sum / k_n, n_d, 4 * std::sqrt(part * (1 - part) / k_n));
    }
}

/// The number of a step is a sum of independent roundings: its variance is that of sum f (1 - f).
TEST(DiffuseSpawning, AsManyAsThePotentialsSay) {
    const FluidBlock to = colliding_blocks(), from = before(to);
    const DiffuseOptions options = options_of(100);
    const DiffuseThresholds thresholds{0.5, 2, 3};
    const SortedFluid fluid(k_device, to.frame(1), k_h);
    double expected = 0, variance = 0;
    for (const PotentialValues& value : potential_values(k_device, fluid, k_h, 0)) {
        const auto phi = [](double x, double tau) {
            return x < 0.1 * tau ? 0 : x > tau ? 1 : (x - 0.1 * tau) / (0.9 * tau);
        };
        const double n_d = 100 * phi(value.kinetic, 3) *
                           (phi(value.trapped, 2) + phi(value.crest, 0.5)) / 2 * k_dt;
        expected += n_d;
        variance += (n_d - std::floor(n_d)) * (1 - n_d + std::floor(n_d));
    }
    ASSERT_GT(expected, 10);
    constexpr int k_steps = 200;
    double sum = 0;
    for (int step = 1; step <= k_steps; ++step)
        sum += double(spawned(from, to, step * k_dt, options, thresholds).count());
    EXPECT_NEAR(sum / k_steps, expected, 4 * std::sqrt(variance / k_steps));
}

TEST(DiffuseSpawning, PointsFillTheCylinder) {
    const Vec3 from{{1, 2, 3}}, to{{1.2f, 2.1f, 2.7f}};
    const SweptCylinder cylinder(from, to, k_h, k_dt);
    const Vec3 way = to - from;
    const double r_v = k_h * std::cbrt(3 / (4 * 3.14159265358979));
    EXPECT_NEAR(cylinder.radius, r_v, 1e-6);
    constexpr int k_n = 50'000;
    RandomNumbers random(1, 1, 1);
    double height = 0, disc = 0, sides[2] = {0, 0}, squares[2] = {0, 0};
    for (int i = 0; i < k_n; ++i) {
        Vec3 x, v;
        cylinder.sample(random, x, v);
        const double along = dot(x - from, way) / squared_norm(way);
        const Vec3 off_axis = x - from - way * float(along);
        ASSERT_GT(along, -1e-5);
        ASSERT_LT(along, 1 + 1e-5);
        ASSERT_LT(norm(off_axis), r_v * (1 + 1e-4));
        ASSERT_LT(norm(v - off_axis - way / float(k_dt)), 1e-4);  // Eq. 5.24
        height += along;
        disc += squared_norm(off_axis) / (r_v * r_v);  // the part of the disc's area within it
        for (int k = 0; k < 2; ++k) {
            const double side = dot(off_axis, cylinder.across[k]) / r_v;
            sides[k] += side;
            squares[k] += side * side;
        }
    }
    EXPECT_NEAR(height / k_n, 0.5, 4 * sigma_of_mean(k_n));
    EXPECT_NEAR(disc / k_n, 0.5, 4 * sigma_of_mean(k_n));
    for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(sides[k] / k_n, 0, 4 * std::sqrt(0.25 / k_n));
        EXPECT_NEAR(squares[k] / k_n, 0.25, 4 * 0.25 / std::sqrt(k_n));  // of x^4: 1/8
    }
}

TEST(DiffuseSpawning, AParticleAtRestHasADisc) {
    const SweptCylinder cylinder(Vec3::all(1), Vec3::all(1), k_h, k_dt);
    RandomNumbers random(1, 1, 1);
    Vec3 x, v;
    cylinder.sample(random, x, v);
    EXPECT_LT(norm(x - Vec3::all(1)), k_h);
    EXPECT_GT(norm(x - Vec3::all(1)), 0);
}

/// Pairs far from each other; frames in different orders, some particles in one only.
TEST(DiffuseSpawning, ParticlesAreMatchedByTheirIds) {
    for (const std::uint32_t stride : {1u, 30'000'000u}) {  // ids close together, far apart
        FluidBlock from, to;
        constexpr std::uint32_t k_pairs = 40;
        for (std::uint32_t p = 0; p < 2 * k_pairs; ++p) {
            const Vec3 v{{p % 2 ? -2.0f : 2.0f, 0.5f, 0}};
            const Vec3 x{{float(p / 2) + (p % 2 ? 0.05f : 0), 0, 0}};
            to.add(x, v);
            to.ids[p] = p * stride;
        }
        for (std::uint32_t p = 2 * k_pairs - 1; p > 0; --p) {  // number 0 is new
            const std::size_t i = from.count();
            from.add(to.position(p) - to.velocity(p) * float(k_dt), to.velocity(p));
            from.ids[i] = p * stride;
        }
        from.add(Vec3::all(100), Vec3::all(0));  // it is gone
        from.ids.back() = 2 * k_pairs * stride;
        const DiffuseParticles particles = spawned(from, to, 1, options_of(20'000));
        ASSERT_GT(particles.count(), 1000u);
        std::size_t of_new = 0;
        for (const Vec3& x : particles.positions) {
            const float pair = std::round(x[0]);
            EXPECT_LT(std::abs(x[0] - pair), 0.2f);
            EXPECT_LT(std::abs(x[1]), 0.1f);
            of_new += pair == 0;
        }
        EXPECT_GT(of_new, 10u);
    }
}

TEST(DiffuseSpawning, LifetimesLieBetweenTheBounds) {
    DiffuseOptions options = options_of(5000);
    options.shortest_life = 1;
    options.longest_life = 3;
    const FluidBlock to = colliding_blocks();
    const DiffuseParticles particles = spawned(before(to), to, 1, options);
    ASSERT_GT(particles.count(), 1000u);
    const auto [least, most] =
        std::minmax_element(particles.lifetimes.begin(), particles.lifetimes.end());
    EXPECT_GE(*least, 1);
    EXPECT_LT(*least, 1.1);
    EXPECT_LE(*most, 3);
    EXPECT_GT(*most, 2.5);
    EXPECT_EQ(std::set<std::uint32_t>(particles.ids.begin(), particles.ids.end()).size(),
              particles.count());
}

/// Where there is no room for all, every place gives up the same part.
TEST(DiffuseSpawning, TheCapIsKeptAndThinsEvenly) {
    const FluidBlock to = colliding_blocks(), from = before(to);
    DiffuseOptions options = options_of(20'000);
    const auto mean_z = [](const DiffuseParticles& particles) {
        double sum = 0;
        for (const Vec3& x : particles.positions)
            sum += x[2] / double(particles.count());
        return sum;
    };
    const DiffuseParticles all = spawned(from, to, 1, options);
    options.most = 2000;
    const DiffuseParticles some = spawned(from, to, 1, options);
    EXPECT_GT(all.count(), 10'000u);
    EXPECT_LE(some.count(), 2000u);
    EXPECT_GT(some.count(), 1900u);
    // the standard deviation of a place is about 0.8 m / sqrt(12)
    EXPECT_NEAR(mean_z(some), mean_z(all), 4 * 0.8 * sigma_of_mean(2000));
}

}  // namespace
}  // namespace millrace
