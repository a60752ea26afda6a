#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "math/portable.hpp"
#include "math/vec.hpp"

namespace millrace {

/// Calls body(x) for the points but the origin of a hexagonal lattice with one point in
/// `volume`, with rows along x, within `reach` of the origin.
template <class Body>
void for_each_hexagonal(double volume, double reach, const Body& body) {
    const double a = std::sqrt(2 * volume / std::numbers::sqrt3);
    const double rise = 0.5 * std::numbers::sqrt3 * a;
    const int rows = static_cast<int>(reach / rise) + 1, places = static_cast<int>(reach / a) + 2;
    for (int row = -rows; row <= rows; ++row)
        for (int place = -places; place <= places; ++place) {
            const Vec2d x{(place + (row & 1) * 0.5) * a, row * rise};
            if ((row != 0 || place != 0) && squared_norm(x) < reach * reach)
                body(x);
        }
}

/// The same in space, for the closest packing: layers at right angles to y, of hexagons.
template <class Body>
void for_each_close_packed(double volume, double reach, const Body& body) {
    const double a = portable::cbrt(std::numbers::sqrt2 * volume);
    const double rise = a * std::sqrt(2.0 / 3), row = 0.5 * std::numbers::sqrt3 * a;
    const int layers = static_cast<int>(reach / rise) + 1;
    const int rows = static_cast<int>(reach / row) + 2, places = static_cast<int>(reach / a) + 2;
    for (int layer = -layers; layer <= layers; ++layer) {
        const int shift = ((layer % 3) + 3) % 3;  // A, B, C
        for (int r = -rows; r <= rows; ++r)
            for (int place = -places; place <= places; ++place) {
                const Vec3d x{{(place + (r & 1) * 0.5 + shift * 0.5) * a, layer * rise,
                               (r + shift / 3.0) * row}};
                if ((layer != 0 || r != 0 || place != 0) && squared_norm(x) < reach * reach)
                    body(x);
            }
    }
}

/// Fluid at rest: for_each_hexagonal or for_each_close_packed.
template <int D, class Body>
void for_each_at_rest(double volume, double reach, const Body& body) {
    if constexpr (D == 2)
        for_each_hexagonal(volume, reach, body);
    else
        for_each_close_packed(volume, reach, body);
}

/// The distance of its rows or layers.
template <int D>
double row_at_rest(double volume) {
    if constexpr (D == 2)
        return std::sqrt(0.5 * std::numbers::sqrt3 * volume);
    else
        return portable::cbrt(std::numbers::sqrt2 * volume) * std::sqrt(2.0 / 3);
}

/// Fluid at rest is packed as hexagons with defects. A kernel with few neighbours does not give it
/// the density 1: how it is scaled so that it does, and how walls complete it.
struct RestState {
    double scale;  ///< of the kernel, so that the density within the lattice is 1
    double shift;  ///< the wall's field is read this much farther from the wall [m]
    /// d ln delta / d ln n: by how much more the density grows than the number of particles in a
    /// volume. An impulse l along the gradient of delta is a pressure of l times this over V dt.
    double stiffness;
};

/// What a wall adds to the relative density of a particle at the distance d (S0 chapter 5),
/// tabulated with its derivative. The wall is filled with rows of fluid at rest, smeared along
/// the surface: lambda(d) = scale V / a sum_k of the integral of W over the line at d + t_k, with
/// the distance a of points in a row and the depths t_k of the rows; in 3D layers, planes and the
/// area a of a point. A plain integral over the half plane pushes less than the fluid does, and
/// particles sink into the wall. Where a particle is almost at the surface, lambda grows with the
/// square of what is missing to k_close spacings.
class WallField {
  public:
    WallField() = default;
    /// `kernel(r)` is W, `reach` its support [m], `volume` that of a particle at rest [m^D].
    template <int D, class Kernel>
    static WallField of(const Kernel& kernel, double reach, double volume);

    const RestState& rest() const { return rest_; }
    /// Beyond this distance of a particle to a wall there is nothing [m].
    float reach() const { return reach_; }

    struct Value {
        float density, slope;  ///< lambda and its derivative [1/m]
    };
    Value at(float distance) const {
        const float u = (distance - first_) * inverse_step_;
        if (u >= static_cast<float>(k_size - 1))
            return {0, 0};
        if (u <= 0)  // within the solid: as steep as at its skin
            return {table_[0].density + (distance - first_) * table_[0].slope, table_[0].slope};
        const auto k = static_cast<std::uint32_t>(u);
        const float t = u - static_cast<float>(k);
        const Value &a = table_[k], &b = table_[k + 1];
        return {a.density + t * (b.density - a.density), a.slope + t * (b.slope - a.slope)};
    }

  private:
    static constexpr int k_size = 256;
    void tabulate(const std::vector<double>& line, double step, double weight, double deficit,
                  double row);

    RestState rest_{};
    float reach_ = 0, first_ = 0, inverse_step_ = 0;
    Value table_[k_size] = {};
};

template <int D, class Kernel>
WallField WallField::of(const Kernel& kernel, double reach, double volume) {
    // within the lattice, and of it the part beyond a wall half a row from the particle
    double sum = kernel(0.0), beyond = 0, moment = 0;
    for_each_at_rest<D>(volume, reach, [&](const Vec<D, double>& x) {
        const double r = norm(x), e = 1e-4 * reach;
        const double w = kernel(r);
        sum += w;
        moment += r / D * (kernel(r - e) - kernel(r + e)) / (2 * e);
        if (x[1] < 0)
            beyond += w;
    });
    WallField field;
    const double scale = 1 / (volume * sum);
    field.rest_.scale = scale;
    field.rest_.stiffness = moment / sum;
    const double row = row_at_rest<D>(volume);
    constexpr int k_lines = 512;
    const double step = reach / k_lines;
    std::vector<double> line(k_lines + 1, 0.0);
    for (int k = 0; k < k_lines; ++k) {
        const double t = k * step, half = std::sqrt(reach * reach - t * t);
        for (int m = 0; m < k_lines; ++m) {
            const double s = (m + 0.5) * half / k_lines;
            const double around = D == 2 ? 2 : 2 * std::numbers::pi * s;
            line[k] += around * kernel(std::sqrt(t * t + s * s)) * half / k_lines;
        }
    }
    field.tabulate(line, step, scale * row, scale * volume * beyond, row);
    return field;
}

}  // namespace millrace
