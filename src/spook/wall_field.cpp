#include "spook/wall_field.hpp"

#include <algorithm>

namespace millrace {

namespace {

double interpolate(const std::vector<double>& table, double step, double t) {
    const double u = t / step;
    if (u >= static_cast<double>(table.size() - 1))
        return 0;
    if (u <= 0)
        return table[0] - u * (table[0] - table[1]);
    const auto k = static_cast<std::size_t>(u);
    return table[k] + (u - static_cast<double>(k)) * (table[k + 1] - table[k]);
}

/// The rows of a wall at the depths row / 2, 3 row / 2, ..., seen from the distance d.
double rows_of_wall(const std::vector<double>& line, double step, double row, double d) {
    const double support = step * static_cast<double>(line.size() - 1);
    double sum = 0;
    for (double t = d + 0.5 * row; t < support; t += row)
        sum += interpolate(line, step, t);
    return sum;
}

}  // namespace

/// `line` is the integral of W over a line at the distance k step. The shift makes the wall
/// complete the density of the first row of the lattice, which lacks `deficit`.
void WallField::tabulate(const std::vector<double>& line, double step, double weight,
                         double deficit, double row) {
    constexpr double k_close = 0.3;
    const double support = step * static_cast<double>(line.size() - 1);
    double low = -0.5 * row, high = 0.5 * row;
    for (int k = 0; k < 60; ++k) {
        const double shift = 0.5 * (low + high);
        (weight * rows_of_wall(line, step, row, 0.5 * row + shift) > deficit ? low : high) = shift;
    }
    rest_.shift = low;
    reach_ = static_cast<float>(support - 0.5 * row - low);
    first_ = static_cast<float>(-0.5 * row);
    const double width = (reach_ - first_) / (k_size - 1);
    inverse_step_ = static_cast<float>(1 / width);
    const auto lambda = [&](double d) {
        const double missing = std::max(0.0, k_close - d / row);
        return weight * rows_of_wall(line, step, row, std::max(d, -0.5 * row) + low) +
               missing * missing;
    };
    for (int k = 0; k < k_size; ++k) {
        const double d = first_ + k * width, e = 0.01 * width;
        table_[k].density = static_cast<float>(lambda(d));
        table_[k].slope = static_cast<float>((lambda(d + e) - lambda(d - e)) / (2 * e));
    }
    table_[k_size - 1] = {0, 0};
}

}  // namespace millrace
