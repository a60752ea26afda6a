#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "pool/method.hpp"

namespace millrace {

/// Particles, flat walls and discs that a method of a pool steps, without the pool: what a test of
/// the method needs, and everything open to look at.
struct PoolBench {
    /// A flat wall, or a disc that may be pushed.
    struct Solid {
        Vec2 place;    ///< on the wall; of the centre
        Vec2 normal;   ///< of a wall, out of it
        float radius;  ///< 0: a wall
        Vec2 velocity{0, 0};
        float spin = 0, inverse_mass = 0, inverse_inertia = 0;
        Vec2 impulse{0, 0};  ///< by the fluid, in all
        Vec2 felt{0, 0};     ///< the same as its contacts say

        static Solid wall(Vec2 place, Vec2 normal) { return {place, normal, 0}; }
        static Solid disc(Vec2 center, float radius, float mass) {
            Solid solid{center, {0, 0}, radius};
            solid.inverse_mass = 1 / mass;
            solid.inverse_inertia = 2 / (mass * radius * radius);
            return solid;
        }
    };

    std::unique_ptr<PoolSolver> solver;
    float spacing;
    Vec2 gravity{0, -9.81f};
    Workers workers;
    std::vector<FluidMaterial> materials{1};
    std::vector<Vec2> x, v;
    std::vector<std::uint8_t> fluid;
    std::vector<ParticleId> id;
    std::vector<float> pressure, density;
    std::vector<Solid> solids;
    Columns<2> columns;

    PoolBench(const PoolMethod& method, float spacing)
        : solver(make_pool_solver(method, spacing)), spacing(spacing) {}

    void add(Vec2 place, Vec2 velocity = {0, 0}, std::uint8_t of = 0) {
        x.push_back(place);
        v.push_back(velocity);
        fluid.push_back(of);
        id.push_back(static_cast<ParticleId>(id.size()));
        pressure.push_back(0);
        density.push_back(1);
    }
    /// Rows of a hexagonal lattice at the density of rest, the lowest half a row above `min`.
    void fill(Vec2 min, int columns, int rows, std::uint8_t of = 0) {
        const float row = std::sqrt(0.5f * std::sqrt(3.0f)) * spacing, a = spacing * spacing / row;
        for (int k = 0; k < rows; ++k)
            for (int m = 0; m < columns; ++m)
                add({min[0] + a * (static_cast<float>(m) + (k % 2 ? 0.75f : 0.25f)),
                     min[1] + row * (static_cast<float>(k) + 0.5f)},
                    {0, 0}, of);
    }
    float mass(std::size_t i) const { return materials[fluid[i]].density * spacing * spacing; }
    Vec2d momentum() const {
        Vec2d sum{0, 0};
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += Vec2d::from(v[i]) * double(mass(i));
        for (const Solid& s : solids)
            if (s.inverse_mass > 0)
                sum += Vec2d::from(s.velocity) / double(s.inverse_mass);
        return sum;
    }
    double kinetic_energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += 0.5 * double(mass(i)) * squared_norm(Vec2d::from(v[i]));
        return sum;
    }

    int step(float dt) {
        const std::size_t n = x.size();
        const bool ahead = solver->looks_ahead();
        std::vector<Vec2> places(n);
        for (std::size_t i = 0; i < n; ++i) {
            v[i] = v[i] + gravity * dt;
            places[i] = ahead ? x[i] + v[i] * dt : x[i];
        }
        columns.sort(workers, places, solver->support());

        std::vector<SolidMotion> motions;
        for (const Solid& s : solids)
            motions.push_back({s.place,
                               s.velocity + (s.inverse_mass > 0 ? gravity * dt : Vec2{0, 0}),
                               s.spin,
                               s.inverse_mass,
                               s.inverse_inertia,
                               {0, 0},
                               0});
        std::vector<SolidContact<2>> contacts;
        std::vector<std::uint32_t> start{0};
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t s = 0; s < solids.size(); ++s) {
                const Vec2 r = columns.position(i) - solids[s].place;
                const bool is_wall = solids[s].radius == 0;
                const Vec2 normal = is_wall ? solids[s].normal : normalized(r);
                const float d = dot(r, normal) - solids[s].radius;
                if (d >= solver->walls().reach())
                    continue;
                const WallField::Value value = solver->walls().at(d);
                contacts.push_back({i, s, normal, d, value.density, value.slope});
            }
            start.push_back(static_cast<std::uint32_t>(contacts.size()));
        }

        std::vector<std::uint8_t> f(n);
        std::vector<ParticleId> ids(n);
        std::vector<Vec2> velocity(n);
        std::vector<float> p(n), delta(n), inverse_mass(n);
        const std::vector<std::uint32_t>& order = columns.order();
        for (std::size_t i = 0; i < n; ++i) {
            f[i] = fluid[order[i]];
            ids[i] = id[order[i]];
            velocity[i] = v[order[i]];
            p[i] = pressure[order[i]];
            inverse_mass[i] = 1 / mass(order[i]);
        }
        std::vector<float> felt(contacts.size(), 0.0f);
        SubStep sub{{dt, dt}, workers,  columns, spacing, spacing * spacing, materials, f, ids,
                    start,    contacts, felt,    motions, inverse_mass,      velocity,  p, delta};
        const int iterations = solver->solve(sub);
        for (std::size_t i = 0; i < n; ++i) {
            v[order[i]] = velocity[i];
            pressure[order[i]] = p[i];
            density[order[i]] = delta[i];
        }
        for (std::size_t i = 0; i < n; ++i)
            x[i] = x[i] + v[i] * dt;
        for (std::size_t c = 0; c < contacts.size(); ++c)
            solids[contacts[c].solid].felt -= contacts[c].normal * felt[c];
        for (std::size_t s = 0; s < solids.size(); ++s) {
            solids[s].impulse = solids[s].impulse + motions[s].impulse;
            solids[s].velocity = motions[s].velocity;
            solids[s].spin = motions[s].spin;
            solids[s].place = solids[s].place + solids[s].velocity * dt;
        }
        return iterations;
    }
    void run(float seconds, float dt) {
        for (int k = 0; k < static_cast<int>(std::lround(seconds / dt)); ++k)
            step(dt);
    }
    /// Of places and velocities.
    std::uint64_t hash() const {
        std::uint64_t h = 14695981039346656037u;
        const auto mix = [&](const std::vector<Vec2>& values) {
            for (const Vec2& value : values)
                for (int k = 0; k < 2; ++k) {
                    std::uint32_t bits;
                    std::memcpy(&bits, &value.c[k], sizeof bits);
                    h = (h ^ bits) * 1099511628211u;
                }
        };
        mix(x);
        mix(v);
        return h;
    }
};

}  // namespace millrace
