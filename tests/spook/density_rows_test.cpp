#include "spook/density_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "spook/viscous_rows.hpp"

namespace millrace {
namespace {

constexpr float k_spacing = 0.1f;

/// Fluid in a box at rest, slightly disturbed, perhaps above a floor and beside a body.
template <int D>
struct Water {
    DensityRows<FluidStep<D>> rows;
    Workers workers{1};
    Columns<D> columns;
    ConstraintSystem bodies;
    std::vector<Vec<D>> positions, velocities;
    std::vector<float> inverse_mass, pressures, mu;
    std::vector<SolidContact<D>> contacts;
    std::vector<std::uint32_t> contact_start;
    std::vector<BodyPush> pushes;
    float dt = 1.0f / 120;

    static DensitySettings settings(SpookKernel kernel, float support) {
        DensitySettings s;
        s.spacing = k_spacing;
        s.support = support * k_spacing;
        s.kernel = kernel;
        return s;
    }

    explicit Water(const DensitySettings& s, int side, unsigned seed = 1) : rows(s) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> off(-0.15f, 0.15f), speed(-1, 1);
        const int count = D == 2 ? side * side : side * side * side;
        for (int i = 0; i < count; ++i) {
            const int place[3] = {i % side, i / side % side, i / side / side};
            Vec<D> x, v;
            for (int k = 0; k < D; ++k) {
                x[k] = (static_cast<float>(place[k]) + 0.5f + off(random)) * 0.97f * k_spacing;
                v[k] = speed(random);
            }
            positions.push_back(x);
            velocities.push_back(v);
            inverse_mass.push_back(1 / (rows.volume() * (500 + 500 * (i % 3))));
        }
        bodies.bodies().resize(2);  // a floor and a body
        bodies.bodies()[1].inverse_mass = 0.3;
        bodies.bodies()[1].inverse_inertia(2, 2) = 4;
        bodies.bodies()[1].center = {{-0.2, 0.3, 0}};
        bodies.bodies()[1].velocity = {{0.4, -0.3, 0}};
        bodies.bodies()[1].angular_velocity = {{0, 0, 1.5}};
        sort();
    }

    /// Brings all into the order of the columns, which it returns.
    std::vector<std::uint32_t> sort() {
        columns.sort(workers, positions, rows.support());
        const std::vector<std::uint32_t> order = columns.release_order();
        const auto permute = [&](auto& values) {
            auto sorted = values;
            for (std::size_t i = 0; i < order.size(); ++i)
                sorted[i] = values[order[i]];
            values = sorted;
        };
        permute(positions);
        permute(velocities);
        permute(inverse_mass);
        pressures.assign(positions.size(), 0);
        mu.assign(positions.size(), 0);
        const std::vector<SolidContact<D>> old = std::move(contacts);
        contacts.clear();
        contact_start.assign(1, 0);
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            for (SolidContact<D> contact : old)
                if (contact.particle == order[i]) {
                    contact.particle = i;
                    contacts.push_back(contact);
                }
            contact_start.push_back(static_cast<std::uint32_t>(contacts.size()));
        }
        return order;
    }

    /// A floor at y = 0 and a body whose face is x = 0.
    void find_contacts() {
        contacts.clear();
        for (std::uint32_t i = 0; i < positions.size(); ++i) {
            contact_start[i] = static_cast<std::uint32_t>(contacts.size());
            for (int axis = 0; axis < 2; ++axis) {
                const float d = positions[i][1 - axis];
                if (d >= rows.reach())
                    continue;
                Vec<D> normal = Vec<D>::all(0);
                normal[1 - axis] = 1;
                const auto value = rows.walls().at(d);
                contacts.push_back(
                    {i, static_cast<std::uint32_t>(axis), normal, d, value.density, value.slope});
            }
        }
        contact_start.back() = static_cast<std::uint32_t>(contacts.size());
    }

    FluidStep<D> step() {
        pushes.resize(bodies.bodies().size());
        return {{dt, dt}, workers, columns, inverse_mass, contacts, contact_start, bodies, pushes};
    }

    struct Momentum {
        Vec3d linear = Vec3d::all(0), angular = Vec3d::all(0);
        double size = 0;  ///< what errors are relative to
    };
    Momentum momentum() const {
        Momentum m;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            Vec3d x = Vec3d::all(0), p = Vec3d::all(0);
            for (int k = 0; k < D; ++k) {
                x[k] = positions[i][k];
                p[k] = velocities[i][k] / inverse_mass[i];
            }
            m.linear += p;
            m.angular += cross(x, p);
            m.size += norm(p);
        }
        return m;
    }
};

struct Flat {
    static constexpr int D = 2;
};
struct Space {
    static constexpr int D = 3;
};
template <class Dimension>
class DensityRowsIn : public ::testing::Test {};
using Dimensions = ::testing::Types<Flat, Space>;
TYPED_TEST_SUITE(DensityRowsIn, Dimensions);

/// S2 Eq. 21-24: G v is the derivative of the density, of fluid, walls and bodies.
TYPED_TEST(DensityRowsIn, RatesAreDerivativesOfDensities) {
    constexpr int D = TypeParam::D;
    for (const SpookKernel kernel : {SpookKernel::spiky, SpookKernel::poly6}) {
        Water<D> water(Water<D>::settings(kernel, 2), 6);
        water.find_contacts();
        water.rows.start(water.step(), water.velocities, {});
        std::vector<float> rates;
        for (std::uint32_t i = 0; i < water.positions.size(); ++i)
            rates.push_back(water.rows.rate(water.step(), water.columns.strip_of(i), i));
        const auto densities_after = [&](float t) {
            Water<D> moved = water;
            for (std::size_t i = 0; i < moved.positions.size(); ++i)
                moved.positions[i] += moved.velocities[i] * t;
            // the body's face moves with it: d changes by n . v of the body at the particle
            for (SolidContact<D>& c : moved.contacts) {
                Vec3d x = Vec3d::all(0);
                for (int k = 0; k < D; ++k)
                    x[k] = water.positions[c.particle][k];
                const Vec3d v = water.bodies.bodies()[c.solid].velocity_at(x);
                for (int k = 0; k < D; ++k)
                    c.distance += c.normal[k] *
                                  (moved.velocities[c.particle][k] - static_cast<float>(v[k])) * t;
                c.density = moved.rows.walls().at(c.distance).density;
            }
            const std::vector<std::uint32_t> order = moved.sort();
            moved.rows.start(moved.step(), moved.velocities, {});
            std::vector<float> densities(order.size());
            for (std::size_t i = 0; i < order.size(); ++i)
                densities[order[i]] = moved.rows.densities()[i];
            return densities;
        };
        const float e = 2e-4f;
        const auto after = densities_after(e), before = densities_after(-e);
        float largest = 0;
        for (const float rate : rates)
            largest = std::max(largest, std::abs(rate));
        for (std::size_t i = 0; i < rates.size(); ++i)
            EXPECT_NEAR(rates[i], (after[i] - before[i]) / (2 * e), 0.005f * largest) << i;
    }
}

TYPED_TEST(DensityRowsIn, SweepsKeepMomentum) {
    constexpr int D = TypeParam::D;
    Water<D> water(Water<D>::settings(SpookKernel::spiky, 2), 8);
    const auto before = water.momentum();
    water.rows.start(water.step(), water.velocities, {});
    ViscousRows<D> viscous({0.5f});
    water.mu.assign(water.positions.size(), 3);
    water.pressures.assign(water.positions.size(), 500);
    viscous.start(water.step(), water.rows, water.mu, water.pressures);
    for (int k = 0; k < 15; ++k) {
        viscous.sweep(water.step(), water.rows, k % 2);
        water.rows.sweep(water.step(), k % 2);
    }
    const auto unchanged = water.velocities;
    water.rows.finish(water.step(), water.velocities, water.pressures);
    const auto after = water.momentum();
    EXPECT_FALSE(water.velocities[0] == unchanged[0]);
    EXPECT_LT(norm(after.linear - before.linear), 1e-6 * before.size);
    EXPECT_LT(norm(after.angular - before.angular), 1e-6 * before.size);
}

/// What the fluid gives to a body it loses itself.
TYPED_TEST(DensityRowsIn, BodiesGetWhatFluidLoses) {
    constexpr int D = TypeParam::D;
    Water<D> water(Water<D>::settings(SpookKernel::spiky, 2), 8);
    water.bodies.bodies()[0].inverse_mass = 0.1;  // the floor moves too
    water.bodies.bodies()[0].inverse_inertia(2, 2) = 0.7;
    water.find_contacts();
    const auto before = water.momentum();
    const std::vector<SpookBody> bodies = water.bodies.bodies();
    water.rows.start(water.step(), water.velocities, {});
    for (int k = 0; k < 15; ++k)
        water.rows.sweep(water.step(), k % 2);
    water.rows.finish(water.step(), water.velocities, water.pressures);
    const auto after = water.momentum();
    Vec3d gained = Vec3d::all(0);
    for (std::size_t b = 0; b < 2; ++b)
        gained += (water.bodies.bodies()[b].velocity - bodies[b].velocity) / bodies[b].inverse_mass;
    EXPECT_GT(norm(gained), 1e-3 * before.size);
    EXPECT_LT(norm(after.linear + gained - before.linear), 1e-6 * before.size);
    // the turn about z: of the fluid, and of the bodies about their centres and the origin
    double turned = 0;
    for (std::size_t b = 0; b < 2; ++b) {
        const SpookBody& body = water.bodies.bodies()[b];
        turned += (body.angular_velocity[2] - bodies[b].angular_velocity[2]) /
                      body.inverse_inertia(2, 2) +
                  cross(body.center, (body.velocity - bodies[b].velocity) / body.inverse_mass)[2];
    }
    EXPECT_NEAR(after.angular[2] + turned, before.angular[2], 1e-6 * before.size);
}

TYPED_TEST(DensityRowsIn, SweepsConvergeToTheConstraints) {
    constexpr int D = TypeParam::D;
    Water<D> water(Water<D>::settings(SpookKernel::spiky, 2), 7);
    water.find_contacts();
    water.rows.start(water.step(), water.velocities, {});
    const double first = water.rows.residual(water.step());
    double last = first;
    for (int k = 0; k < 400; ++k)
        water.rows.sweep(water.step(), k % 2);
    last = water.rows.residual(water.step());
    EXPECT_LT(last, 1e-3 * first);
}

TYPED_TEST(DensityRowsIn, TheSameBitsForAnyNumberOfThreads) {
    constexpr int D = TypeParam::D;
    std::vector<Vec<D>> of_one;
    for (const int threads : {1, 2, 7}) {
        Water<D> water(Water<D>::settings(SpookKernel::spiky, 2), D == 2 ? 40 : 14);
        water.workers.threads = threads;
        water.sort();  // shares the strips out
        water.find_contacts();
        water.rows.start(water.step(), water.velocities, {});
        ViscousRows<D> viscous({0.5f});
        water.mu.assign(water.positions.size(), 3);
        viscous.start(water.step(), water.rows, water.mu, water.pressures);
        for (int k = 0; k < 6; ++k) {
            viscous.sweep(water.step(), water.rows, k % 2);
            water.rows.sweep(water.step(), k % 2);
        }
        water.rows.finish(water.step(), water.velocities, water.pressures);
        if (threads == 1)
            of_one = water.velocities;
        for (std::size_t i = 0; i < of_one.size(); ++i)
            ASSERT_TRUE(water.velocities[i] == of_one[i]) << threads << ' ' << i;
    }
}

/// After any number of sweeps there is less of it than at first: the energy is E_0 + f(lambda) -
/// 1/2 lambda Sigma lambda, and sweeps lower f from 0.
TYPED_TEST(DensityRowsIn, ViscosityOnlyTakesEnergy) {
    constexpr int D = TypeParam::D;
    for (const float mu : {1e-3f, 1.0f, 1e3f, 1e8f}) {
        Water<D> water(Water<D>::settings(SpookKernel::spiky, 2), 6);
        water.mu.assign(water.positions.size(), mu);
        water.rows.start(water.step(), water.velocities, {});
        ViscousRows<D> viscous({0});
        viscous.start(water.step(), water.rows, water.mu, water.pressures);
        const auto energy = [&] {
            double sum = 0;
            for (std::size_t i = 0; i < water.positions.size(); ++i)
                sum += 0.5 * squared_norm(water.velocities[i]) / water.inverse_mass[i];
            return sum;
        };
        const double first = energy();
        for (int k = 0; k < 10; ++k) {
            viscous.sweep(water.step(), water.rows, k % 2);
            water.rows.finish(water.step(), water.velocities, water.pressures);
            EXPECT_LT(energy(), first) << mu;
        }
    }
}

/// Shear u_x(y) = sin(k y) decays as exp(-nu k^2 t) (S2 section X).
TYPED_TEST(DensityRowsIn, ShearDecaysWithItsViscosity) {
    constexpr int D = TypeParam::D;
    constexpr int side = D == 2 ? 48 : 24;
    const double k = 2 * std::numbers::pi / (side * k_spacing), nu = 0.02;
    const DensitySettings settings = Water<D>::settings(SpookKernel::spiky, 2.5f);
    Water<D> water(settings, side);
    water.dt = 0.01f;
    for (std::size_t i = 0; i < water.positions.size(); ++i) {
        water.inverse_mass[i] = 1 / (1000 * water.rows.volume());
        water.velocities[i] = Vec<D>::all(0);
        water.velocities[i][0] = static_cast<float>(std::sin(k * water.positions[i][1] / 0.97));
    }
    water.mu.assign(water.positions.size(), static_cast<float>(1000 * nu));
    const auto amplitude = [&] {  // in the middle, away from free sides
        double sum = 0, weight = 0;
        for (std::size_t i = 0; i < water.positions.size(); ++i) {
            bool inside = true;
            for (int a = 0; a < D; ++a)
                inside = inside && water.positions[i][a] > 0.25f * side * k_spacing &&
                         water.positions[i][a] < 0.75f * side * k_spacing;
            const double s = std::sin(k * water.positions[i][1] / 0.97);
            if (inside) {
                sum += s * water.velocities[i][0];
                weight += s * s;
            }
        }
        return sum / weight;
    };
    const double before = amplitude();
    water.rows.start(water.step(), water.velocities, {});
    ViscousRows<D> viscous({0});
    viscous.start(water.step(), water.rows, water.mu, water.pressures);
    for (int s = 0; s < 40; ++s)
        viscous.sweep(water.step(), water.rows, s % 2);
    water.rows.finish(water.step(), water.velocities, water.pressures);
    const double rate = -std::log(amplitude() / before) / water.dt;
    EXPECT_NEAR(rate / (nu * k * k), 0.97 * 0.97, 0.12);
}

}  // namespace
}  // namespace millrace
