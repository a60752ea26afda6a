#pragma once

#include <vector>

#include "spook/wall_field.hpp"

namespace millrace {

/// How strongly a wall pushes a particle at the distance d of fluid under pressure. The shape is
/// that of a wall filled with fluid at rest, whose particles push with F(r) x_ij; it is scaled so
/// that the rows of fluid at rest, each a row apart, together lean against the wall with their
/// pressure:
///
///     f_i = V p_i push(d) n,   row sum_k push((k + 1/2) row) = 1
class WallPush {
  public:
    WallPush() = default;
    /// `gradient_factor(r2)` is F, `reach` the support [m], `volume` that of a particle [m^2].
    template <class Factor>
    WallPush(const Factor& gradient_factor, double reach, double volume) {
        // the potential whose gradient is F x_ij
        constexpr int k_size = 1024;
        const double step = reach / k_size;
        std::vector<double> potential(k_size + 1, 0.0);
        for (int k = k_size - 1; k >= 0; --k) {
            const double r = (k + 0.5) * step;
            potential[k] = potential[k + 1] - gradient_factor(r * r) * r * step;
        }
        field_ = WallField::of<2>(
            [&](double r) {
                const double u = r / step;
                const auto k = static_cast<std::size_t>(u);
                if (k >= k_size)
                    return 0.0;
                return potential[k] + (u - double(k)) * (potential[k + 1] - potential[k]);
            },
            reach, volume);
        const double row = std::sqrt(0.5 * std::numbers::sqrt3 * volume);
        double sum = 0;
        for (double d = 0.5 * row; d < reach; d += row)
            sum -= row * double(field_.at(static_cast<float>(d)).slope);
        scale_ = static_cast<float>(-1 / sum);
    }

    float at(float distance) const { return scale_ * field_.at(distance).slope; }  ///< [1/m]

  private:
    WallField field_;
    float scale_ = 0;
};

/// sum_j r^2 |F(r)| over the neighbours of a particle within fluid at rest. Pairs that push each
/// other with the force f = c |F| r have the pressure c sum / (4 V) (virial theorem in 2D).
template <class Factor>
double virial_sum(const Factor& gradient_factor, double reach, double volume) {
    double sum = 0;
    for_each_hexagonal(volume, reach, [&](const Vec2d& x) {
        sum -= squared_norm(x) * gradient_factor(squared_norm(x));
    });
    return sum;
}

}  // namespace millrace
