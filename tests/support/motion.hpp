#pragma once

#include <random>
#include <type_traits>
#include <vector>

#include "world/world.hpp"

namespace millrace {

/// The particles of a world on the host, with their masses.
template <int D>
struct Particles {
    std::vector<Vec<D, double>> x, v;
    std::vector<double> mass;
    std::vector<std::uint8_t> fluid;
};

template <int D>
Particles<D> particles(const World<D>& world) {
    Particles<D> p;
    const std::vector<float> volume = world.fluid().volume.to_host();
    const std::vector<Vec<D>> x = world.fluid().position.to_host(),
                              v = world.fluid().velocity.to_host();
    p.fluid = world.fluid().fluid.to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        p.x.push_back(Vec<D, double>::from(x[i]));
        p.v.push_back(Vec<D, double>::from(v[i]));
        p.mass.push_back(double(volume[i]) * world.view().rest_density[i]);
    }
    return p;
}

/// sum m w for vectors w of the particles, and how large it could be.
template <int D>
struct Total {
    Vec<D, double> sum = Vec<D, double>::all(0);
    double size = 0;
    double relative() const { return norm(sum) / size; }
};

template <int D, class T>
Total<D> total(const std::vector<double>& mass, const std::vector<Vec<D, T>>& w) {
    Total<D> t;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const Vec<D, double> term = Vec<D, double>::from(w[i]) * mass[i];
        t.sum += term;
        t.size += norm(term);
    }
    return t;
}

/// sum x x m w; in 2D only the z component.
template <int D, class T>
double relative_torque(const Particles<D>& p, const std::vector<Vec<D, T>>& w) {
    Vec<3, double> sum = Vec<3, double>::all(0);
    double size = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        Vec<3, double> x = Vec<3, double>::all(0), f = x;
        for (int k = 0; k < D; ++k) {
            x[k] = p.x[i][k];
            f[k] = w[i][k] * p.mass[i];
        }
        sum += cross(x, f);
        size += norm(x) * norm(f);
    }
    return norm(sum) / size;
}

/// Gives every particle the velocity velocity(x).
template <int D, class Velocity>
void set_velocities(World<D>& world, const Velocity& velocity) {
    Snapshot s = world.snapshot();
    for (std::size_t i = 0; i < s.ids.size(); ++i) {
        Vec<D, double> x;
        for (int k = 0; k < D; ++k)
            x[k] = s.positions[i * D + k];
        const Vec<D, double> v = velocity(x);
        for (int k = 0; k < D; ++k)
            s.velocities[i * D + k] = static_cast<float>(v[k]);
    }
    world.restore(s);
}

/// Velocities between -1 and 1 m/s, the same ones each time.
template <int D>
void set_random_velocities(World<D>& world) {
    std::mt19937 random(5);
    set_velocities(world, [&](const Vec<D, double>&) {
        Vec<D, double> v;
        for (int k = 0; k < D; ++k)
            v[k] = random() * 0x1p-31 - 1;
        return v;
    });
}

/// A copy of the velocities that a pass may change.
template <int D>
VectorBuffer<D> copy_velocities(const World<D>& world) {
    VectorBuffer<D> copy(world.device());
    copy.assign(world.fluid().velocity.to_host());
    return copy;
}

}  // namespace millrace
