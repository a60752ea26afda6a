#include "scene/splishsplash_units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/kernels/cubic_spline.hpp"
#include "math/portable.hpp"

namespace millrace::scene_file::splishsplash {

namespace {

/// c_D N^2 int_0^H r^(D+1) f(r) dr for particles of the number density N = 1 / V.
template <class Force>
double pair_tension(const TheirParticles& particles, Force&& force) {
    constexpr int k_steps = 2000;
    const double c = particles.dimension == 2 ? 1.0 / 3 : std::numbers::pi / 8;
    const double dr = particles.support() / k_steps;
    double sum = 0;
    for (int k = 0; k < k_steps; ++k) {
        const double r = (k + 0.5) * dr;
        sum += portable::power(r, particles.dimension + 1) * force(r) * dr;
    }
    return c * sum / (particles.volume() * particles.volume());
}

/// min(W(r), W(d)): attraction that does not grow within a diameter.
double flat_kernel(double r, const TheirParticles& particles) {
    const double at = std::max(r, particles.diameter);
    const auto support = static_cast<float>(particles.support());
    return particles.dimension == 2 ? CubicSpline<2>(support).w(at * at)
                                    : CubicSpline<3>(support).w(at * at);
}

}  // namespace

double TheirParticles::volume() const {
    return 0.8 * portable::power(diameter, dimension);
}

double zorilla_ritter_2020_sigma(double k, const TheirParticles& particles) {
    const int d = particles.dimension;
    return k / ((d - 1) * portable::pow(particles.volume(), (d - 1.0) / d));
}

double jeske_2023_sigma(double k, const TheirParticles& particles) {
    return pair_tension(particles, [&](double r) {
        return 10.0 / 7 * k * particles.volume() * r * flat_kernel(r, particles);
    });
}

double becker_teschner_2007_sigma(double k, double density, const TheirParticles& particles) {
    return pair_tension(particles, [&](double r) {
        return k * density * particles.volume() * r * flat_kernel(r, particles);
    });
}

double akinci_2013_sigma(double k, double density, const TheirParticles& particles) {
    const double h = particles.support(), mass = density * particles.volume();
    return pair_tension(particles, [&](double r) {
        const double hump = portable::power(h - r, 3) * portable::power(r, 3);
        const double shape = r > h / 2 ? hump : 2 * hump - portable::power(h, 6) / 64;
        return k * mass * mass * 32 / (std::numbers::pi * portable::power(h, 9)) * shape;
    });
}

double strain_damping_nu(double xi, double dt, double thickness) {
    const double kept = std::max(1e-3, 1 - xi), k = std::numbers::pi / thickness;
    return (1 / kept - 1) / (k * k * dt);
}

}  // namespace millrace::scene_file::splishsplash
