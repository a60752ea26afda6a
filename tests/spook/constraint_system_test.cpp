#include "spook/constraint_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace millrace {
namespace {

using Row = ConstraintSystem::Row;
using Matrix = std::vector<std::vector<double>>;

Vec3d random_vector(std::mt19937& random) {
    std::uniform_real_distribution<double> any(-1, 1);
    return {{any(random), any(random), any(random)}};
}

/// One in seven is immovable and one in four of the others a particle; the rest are rigid.
SpookBody random_body(std::mt19937& random, std::uint32_t number) {
    SpookBody body;
    body.velocity = random_vector(random);
    if (number % 7 == 0)
        return body;
    body.inverse_mass = std::uniform_real_distribution<double>(0.2, 5)(random);
    if (number % 4 != 0) {
        body.angular_velocity = random_vector(random);
        for (int k = 0; k < 3; ++k)
            body.inverse_inertia(k, k) = std::uniform_real_distribution<double>(0.5, 4)(random);
        body.inverse_inertia(0, 1) = body.inverse_inertia(1, 0) = 0.2;
    }
    return body;
}

struct Problem {
    ConstraintSystem system;
    std::vector<std::vector<SpookBlock>> blocks;  ///< of every row

    void add(const Row& row, const std::vector<SpookBlock>& row_blocks) {
        system.add(row, row_blocks);
        blocks.push_back(row_blocks);
    }
    /// S = G M^-1 G^T + Sigma (S2 Eq. 17).
    Matrix matrix() const {
        Matrix s(blocks.size(), std::vector<double>(blocks.size(), 0));
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            s[k][k] = system.row(static_cast<std::uint32_t>(k)).sigma;
            for (std::size_t l = 0; l < blocks.size(); ++l)
                for (const SpookBlock& a : blocks[k])
                    for (const SpookBlock& b : blocks[l])
                        if (a.body == b.body)
                            s[k][l] += coupling(system.bodies()[a.body], a, b);
        }
        return s;
    }
    static double coupling(const SpookBody& body, const SpookBlock& a, const SpookBlock& b) {
        return body.inverse_mass * dot(a.linear, b.linear) +
               dot(a.angular, body.inverse_inertia * b.angular);
    }
    /// c - G v, before start().
    std::vector<double> right_side() const {
        std::vector<double> b;
        for (std::uint32_t k = 0; k < system.size(); ++k)
            b.push_back(system.row(k).target - system.rate(k));
        return b;
    }
};

/// Rows between neighbours and some between others; of three kinds where `mixed`.
Problem random_problem(unsigned seed, std::uint32_t count, bool mixed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    Problem problem;
    for (std::uint32_t i = 0; i < count; ++i)
        problem.system.bodies().push_back(random_body(random, i));
    for (std::uint32_t k = 0; k < 2 * count; ++k) {
        const std::uint32_t a = k % count, b = k < count ? (a + 1) % count : (a + 5) % count;
        Row row{.target = any(random), .sigma = 0.05};
        if (mixed && k % 3 == 1)
            row.least = 0;
        if (mixed && k % 3 == 2) {
            row.least = -0.1;
            row.most = 0.2;
        }
        problem.add(row, {{a, random_vector(random), random_vector(random)},
                          {b, random_vector(random), random_vector(random)}});
    }
    return problem;
}

/// Gauss' elimination with pivots.
std::vector<double> solve(Matrix a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c; r < n; ++r)
            if (std::abs(a[r][c]) > std::abs(a[pivot][c]))
                pivot = r;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (std::size_t r = c + 1; r < n; ++r) {
            const double factor = a[r][c] / a[c][c];
            for (std::size_t k = c; k < n; ++k)
                a[r][k] -= factor * a[c][k];
            b[r] -= factor * b[c];
        }
    }
    for (std::size_t r = n; r-- > 0;) {
        for (std::size_t k = r + 1; k < n; ++k)
            b[r] -= a[r][k] * b[k];
        b[r] /= a[r][r];
    }
    return b;
}

int sweep_until(ConstraintSystem& system, double residual, int most) {
    int sweeps = 0;
    for (; sweeps < most && system.residual() > residual; ++sweeps)
        system.sweep({}, true);
    return sweeps;
}

TEST(ConstraintSystem, SolvesEqualitiesAsADirectSolverDoes) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Problem problem = random_problem(seed, 15, false);
        const std::vector<double> direct = solve(problem.matrix(), problem.right_side());
        problem.system.start();
        sweep_until(problem.system, 1e-13, 100000);
        for (std::uint32_t k = 0; k < problem.system.size(); ++k)
            EXPECT_NEAR(problem.system.row(k).impulse, direct[k], 1e-9);
    }
}

/// 1/2 lambda S lambda - b lambda is what Gauss-Seidel makes less with every row.
TEST(ConstraintSystem, EverySweepComesNearerToTheSolutionOfEqualities) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Problem problem = random_problem(seed, 15, false);
        const Matrix s = problem.matrix();
        const std::vector<double> b = problem.right_side(), direct = solve(s, b);
        problem.system.start();
        const auto error = [&] {
            double sum = 0;
            for (std::uint32_t k = 0; k < b.size(); ++k)
                for (std::uint32_t l = 0; l < b.size(); ++l)
                    sum += (problem.system.row(k).impulse - direct[k]) * s[k][l] *
                           (problem.system.row(l).impulse - direct[l]);
            return std::sqrt(std::max(0.0, sum));
        };
        double before = error();
        for (int k = 0; before > 1e-6; ++k) {
            ASSERT_LT(k, 100000);
            problem.system.sweep({}, k % 2 == 0);
            EXPECT_LT(error(), before);
            before = error();
        }
    }
}

/// Independently of how the system measures itself: w = S lambda - b is 0 within the bounds, not
/// negative at the lower one and not positive at the upper one.
TEST(ConstraintSystem, SatisfiesTheComplementarityConditions) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Problem problem = random_problem(seed, 20, true);
        const Matrix s = problem.matrix();
        const std::vector<double> b = problem.right_side();
        problem.system.start();
        sweep_until(problem.system, 1e-12, 100000);
        int at_bound = 0;
        for (std::uint32_t k = 0; k < b.size(); ++k) {
            double w = -b[k];
            for (std::uint32_t l = 0; l < b.size(); ++l)
                w += s[k][l] * problem.system.row(l).impulse;
            const Row& row = problem.system.row(k);
            EXPECT_GE(row.impulse, row.least);
            EXPECT_LE(row.impulse, row.most);
            EXPECT_TRUE(row.impulse == row.least || w < 1e-9) << w;
            EXPECT_TRUE(row.impulse == row.most || w > -1e-9) << w;
            at_bound += row.impulse == row.least || row.impulse == row.most;
        }
        EXPECT_GT(at_bound, 3);
    }
}

TEST(ConstraintSystem, StartsFromGivenImpulses) {
    Problem problem = random_problem(3, 15, false);
    const std::vector<double> direct = solve(problem.matrix(), problem.right_side());
    ConstraintSystem warm;
    warm.bodies() = problem.system.bodies();
    for (std::uint32_t k = 0; k < direct.size(); ++k) {
        Row row = problem.system.row(k);
        row.impulse = direct[k];
        warm.add(row, problem.blocks[k]);
    }
    warm.start();
    EXPECT_LT(warm.residual(), 1e-12);
}

/// All rows are between two free bodies, which meet at one place.
TEST(ConstraintSystem, KeepsTheMomentaOfFreeBodies) {
    std::mt19937 random(11);
    ConstraintSystem system;
    for (std::uint32_t i = 0; i < 30; ++i) {
        SpookBody body = random_body(random, i);
        body.inverse_mass = 0.3 + 0.1 * i;
        body.center = random_vector(random) * 3.0;
        body.inverse_inertia = Mat3d::identity() * (0.5 + 0.1 * i);
        system.bodies().push_back(body);
    }
    for (std::uint32_t i = 0; i + 2 < 30; ++i) {
        const SpookBody &a = system.bodies()[i], &b = system.bodies()[i + 2];
        const Vec3d place = random_vector(random), n = normalized(random_vector(random));
        const SpookBlock blocks[2] = {{i, n, cross(place - a.center, n)},
                                      {i + 2, -n, -cross(place - b.center, n)}};
        system.add({.target = 0.3, .least = i % 2 ? 0 : -ConstraintSystem::k_unbounded}, blocks);
    }
    const auto momenta = [&] {
        Vec3d linear = Vec3d::all(0), angular = Vec3d::all(0);
        for (const SpookBody& body : system.bodies()) {
            linear += body.velocity / body.inverse_mass;
            angular += cross(body.center, body.velocity) / body.inverse_mass;
            angular += body.angular_velocity / body.inverse_inertia(0, 0);
        }
        return std::pair(linear, angular);
    };
    const auto first = momenta();
    system.start();
    for (int k = 0; k < 50; ++k)
        system.sweep({}, k % 2 == 0);
    EXPECT_LT(norm(momenta().first - first.first), 1e-12);
    EXPECT_LT(norm(momenta().second - first.second), 1e-11);
}

// ---- conjugate gradients ----

/// Masses on a line, each tied to the next, the first to a wall; something pulls at a heavy end.
ConstraintSystem heavy_chain(std::uint32_t links, double heavy) {
    ConstraintSystem system;
    system.bodies().resize(links + 1);
    for (std::uint32_t i = 1; i <= links; ++i)
        system.bodies()[i].inverse_mass = i == links ? 1 / heavy : 1;
    system.bodies()[links].velocity = {{1, 0, 0}};
    for (std::uint32_t i = 0; i < links; ++i) {
        const SpookBlock blocks[2] = {{i, {{-1, 0, 0}}}, {i + 1, {{1, 0, 0}}}};
        system.add({}, blocks);
    }
    system.start();
    return system;
}

/// All velocities end, and every link passes on the momentum of the end.
TEST(ConjugateGradients, NeedFarFewerIterationsForALongChainWithAHeavyEnd) {
    const std::uint32_t links = 40;
    ConstraintSystem swept = heavy_chain(links, 1000), solved = swept;
    std::vector<double> residuals;
    const int iterations = solved.solve_equalities(1000, 1e-10, &residuals);
    const int sweeps = sweep_until(swept, solved.residual() + 1e-12, 400 * iterations);
    EXPECT_LE(iterations, 2 * static_cast<int>(links));
    EXPECT_GT(sweeps, 100 * iterations);
    EXPECT_EQ(residuals.size(), static_cast<std::size_t>(iterations));
    EXPECT_EQ(residuals.back(), solved.residual());
    for (std::uint32_t k = 0; k < links; ++k)
        EXPECT_NEAR(solved.row(k).impulse, -1000, 1e-5);
    for (const SpookBody& body : solved.bodies())
        EXPECT_NEAR(norm(body.velocity), 0, 1e-8);
}

TEST(ConjugateGradients, AgreeWithSweepsAndLeaveBoundedRowsAlone) {
    Problem problem = random_problem(4, 20, false);
    const std::vector<double> direct = solve(problem.matrix(), problem.right_side());
    problem.system.start();
    problem.system.solve_equalities(1000, 1e-13);
    for (std::uint32_t k = 0; k < direct.size(); ++k)
        EXPECT_NEAR(problem.system.row(k).impulse, direct[k], 1e-9);

    Problem mixed = random_problem(4, 20, true);
    mixed.system.start();
    mixed.system.solve_equalities(1000, 1e-13);
    for (std::uint32_t k = 0; k < mixed.system.size(); ++k) {
        const Row& row = mixed.system.row(k);
        if (k % 3 == 0)
            EXPECT_NEAR(mixed.system.rate(k) + row.sigma * row.impulse, row.target, 1e-9);
        else
            EXPECT_EQ(row.impulse, 0);
    }
}

// ---- colours and threads ----

/// Particles in a ring of pairs, so that a colour has many rows; all of them also touch a body that
/// nothing moves, with friction at every third.
Problem ring(std::uint32_t count) {
    std::mt19937 random(9);
    Problem problem;
    for (std::uint32_t i = 0; i <= count; ++i) {
        problem.system.bodies().push_back(random_body(random, 7 * i + 1));
        problem.system.bodies().back().inverse_mass = i < count ? 0.5 + i % 3 : 0;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto blocks = [&] {
            return std::vector<SpookBlock>{{i, random_vector(random), random_vector(random)},
                                           {(i + 1) % count, random_vector(random)},
                                           {count, random_vector(random)}};
        };
        problem.add({.target = 0.5, .sigma = 0.01, .least = 0}, blocks());
        if (i % 3 != 0)
            continue;
        const Row rows[2] = {{.sigma = 0.01}, {.sigma = 0.01}};
        problem.blocks.push_back(blocks());
        problem.blocks.push_back(blocks());
        const std::size_t n = problem.blocks.size();
        problem.system.add_friction(static_cast<std::uint32_t>(n - 3), 0.5,
                                    i % 2 ? FrictionShape::box : FrictionShape::cone, rows,
                                    problem.blocks[n - 2], problem.blocks[n - 1]);
    }
    return problem;
}

/// But for the rows of one contact, which are swept after each other.
TEST(Colours, NeverShareABodyThatCanMove) {
    Problem problem = ring(300);
    problem.system.start();
    EXPECT_LE(problem.system.colors(), 4);
    std::vector<std::vector<int>> owner(static_cast<std::size_t>(problem.system.colors()),
                                        std::vector<int>(problem.system.bodies().size(), -1));
    int contact = -1;
    for (std::uint32_t k = 0; k < problem.system.size(); ++k) {
        contact += problem.system.row(k).least == 0;  // friction has bounds of its own
        for (const SpookBlock& block : problem.blocks[k]) {
            if (problem.system.bodies()[block.body].inverse_mass == 0)
                continue;
            int& taken = owner[static_cast<std::size_t>(problem.system.color(k))][block.body];
            EXPECT_TRUE(taken == -1 || taken == contact) << "row " << k;
            taken = contact;
        }
    }
}

TEST(Colours, ManyRowsOnOneBodyAreSolvedAllTheSame) {
    ConstraintSystem system;
    system.bodies().resize(101);
    for (SpookBody& body : system.bodies())
        body.inverse_mass = 1;
    system.bodies()[0].velocity = {{1, 0, 0}};
    for (std::uint32_t i = 1; i <= 100; ++i) {
        const SpookBlock blocks[2] = {{0, {{1, 0, 0}}}, {i, {{-1, 0, 0}}}};
        system.add({}, blocks);
    }
    system.start();
    EXPECT_EQ(system.colors(), 64);
    sweep_until(system, 1e-13, 100000);
    for (const SpookBody& body : system.bodies())
        EXPECT_NEAR(body.velocity[0], 1.0 / 101, 1e-10);
}

TEST(Threads, DoNotChangeABit) {
    std::vector<SpookBody> reference;
    for (const int threads : {1, 2, 7}) {
        Problem problem = ring(600);  // so many that every colour is swept in parallel
        problem.system.start();
        EXPECT_LE(problem.system.colors(), 4);
        for (int k = 0; k < 20; ++k)
            problem.system.sweep(Workers{threads}, k % 2 == 0);
        const std::vector<SpookBody>& bodies = problem.system.bodies();
        if (reference.empty())
            reference = bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            EXPECT_EQ(std::memcmp(&bodies[i].velocity, &reference[i].velocity, sizeof(Vec3d)), 0);
            EXPECT_EQ(std::memcmp(&bodies[i].angular_velocity, &reference[i].angular_velocity,
                                  sizeof(Vec3d)),
                      0);
        }
    }
}

// ---- friction ----

constexpr double k_mu = 0.4, k_mass = 2, k_weight = k_mass * 9.81 * 0.01;  // in a step of 0.01 s

/// A block on the ground with momentum that its weight and a push have given it [kg m/s].
ConstraintSystem block(FrictionShape shape, const Vec3d& momentum) {
    ConstraintSystem system;
    system.bodies().push_back({.velocity = momentum / k_mass, .inverse_mass = 1 / k_mass});
    const SpookBlock up[1] = {{0, {{0, 1, 0}}}}, x[1] = {{0, {{1, 0, 0}}}},
                     z[1] = {{0, {{0, 0, 1}}}};
    const Row rows[2];
    system.add_friction(system.add({.least = 0}, up), k_mu, shape, rows, x, z);
    system.start();
    sweep_until(system, 1e-14, 1000);
    return system;
}

class Friction : public ::testing::TestWithParam<FrictionShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Friction,
                         ::testing::Values(FrictionShape::box, FrictionShape::cone),
                         [](const auto& info) {
                             return info.param == FrictionShape::box ? "Box" : "Cone";
                         });

TEST_P(Friction, HoldsABlockThatIsPushedWithLess) {
    const ConstraintSystem system = block(GetParam(), {{0.99 * k_mu * k_weight, -k_weight, 0}});
    EXPECT_NEAR(norm(system.bodies()[0].velocity), 0, 1e-12);
    EXPECT_NEAR(system.row(0).impulse, k_weight, 1e-12);
    EXPECT_NEAR(system.row(1).impulse, -0.99 * k_mu * k_weight, 1e-12);
}

TEST_P(Friction, LetsABlockSlideThatIsPushedWithMore) {
    const ConstraintSystem system = block(GetParam(), {{1.5 * k_mu * k_weight, -k_weight, 0}});
    EXPECT_NEAR(system.bodies()[0].velocity[0], 0.5 * k_mu * k_weight / k_mass, 1e-12);
    EXPECT_NEAR(system.row(1).impulse, -k_mu * k_weight, 1e-12);
    EXPECT_LT(system.residual(), 1e-13);
}

/// Askew the box gives up to sqrt(2) times as much, the cone never more than mu N.
TEST_P(Friction, IsBoundedByItsShapeAskew) {
    const double push = 2 * k_mu * k_weight;
    const ConstraintSystem system = block(GetParam(), {{push, -k_weight, 0.75 * push}});
    const double x = system.row(1).impulse, z = system.row(2).impulse;
    const double most = k_mu * k_weight;
    if (GetParam() == FrictionShape::box) {
        EXPECT_NEAR(x, -most, 1e-12);
        EXPECT_NEAR(z, -most, 1e-12);
    } else {
        EXPECT_NEAR(x, -0.8 * most, 1e-12);
        EXPECT_NEAR(z, -0.6 * most, 1e-12);
    }
    EXPECT_LT(system.residual(), 1e-13);
}

TEST_P(Friction, DoesNothingWithoutContact) {
    const ConstraintSystem system = block(GetParam(), {{1, 1, 0}});
    EXPECT_EQ(system.bodies()[0].velocity, (Vec3d{{1, 1, 0}}) / k_mass);
}

/// A rod is pushed at one end, where it is much easier to move across than along: the friction
/// there is still opposed to the slip.
TEST(FrictionCone, IsOpposedToTheSlipOfABodyThatTurns) {
    ConstraintSystem system;
    SpookBody rod;
    rod.inverse_mass = 1;
    rod.inverse_inertia(1, 1) = 12;
    rod.velocity = {{3, -1, 2}};
    system.bodies().push_back(rod);
    const Vec3d arm{{0.5, 0, 0}}, ex{{1, 0, 0}}, ey{{0, 1, 0}}, ez{{0, 0, 1}};
    const SpookBlock up[1] = {{0, ey}}, x[1] = {{0, ex, cross(arm, ex)}},
                     z[1] = {{0, ez, cross(arm, ez)}};
    const Row rows[2];
    system.add_friction(system.add({.least = 0}, up), 0.5, FrictionShape::cone, rows, x, z);
    system.start();
    sweep_until(system, 1e-14, 1000);
    const double slip[2] = {system.rate(1), system.rate(2)};
    const double friction[2] = {system.row(1).impulse, system.row(2).impulse};
    EXPECT_NEAR(std::hypot(friction[0], friction[1]), 0.5, 1e-12);
    EXPECT_GT(std::hypot(slip[0], slip[1]), 0.1);
    EXPECT_NEAR(friction[0] * slip[1] - friction[1] * slip[0], 0, 1e-12);
    EXPECT_LT(friction[0] * slip[0] + friction[1] * slip[1], 0);
}

}  // namespace
}  // namespace millrace
