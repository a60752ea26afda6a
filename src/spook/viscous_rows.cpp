#include "spook/viscous_rows.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

template <int D>
void ViscousRows<D>::start(const FluidStep<D>& step, const Density& density,
                           std::span<const float> mu, std::span<const float> pressures) {
    any_ = settings_.hold > 0 || std::any_of(mu.begin(), mu.end(), [](float m) { return m > 0; });
    if (!any_)
        return;
    rows_.resize(step.columns.strips().size());
    step.columns.for_each_strip(step.workers,
                                [&](std::uint32_t s) { build(step, density, mu, pressures, s); });
}

template <int D>
void ViscousRows<D>::build(const FluidStep<D>& step, const Density& density,
                           std::span<const float> mu, std::span<const float> pressures,
                           std::uint32_t s) {
    std::vector<Row>& rows = rows_[s];
    rows.clear();
    const float volume = density.volume();
    const float viscous = 2 * (D + 2) / density.stiffness() * volume;
    const float held = settings_.hold * step.dt * volume / density.stiffness();
    const auto& strip = step.columns.strips()[s];
    for (std::uint32_t i = strip.begin; i < strip.end; ++i)
        for (const std::uint32_t j : density.neighbors(s, i)) {
            if (j <= i)  // the other one has the row, or it is padding
                continue;
            const Vec<D> way = step.columns.position(i) - step.columns.position(j);
            const float r = std::max(norm(way), 1e-6f * density.support());
            const float c = viscous * 0.5f * (mu[i] + mu[j]) * density.slope(r) / r +
                            held * (pressures[i] + pressures[j]) * density.curvature(r);
            if (!(c > 0))
                continue;
            Row row;
            row.line = to_stored(way / r);
            row.i = i;
            row.j = j;
            row.sigma = 1 / (c * step.dt);
            row.weight = 1 / (step.inverse_mass[i] + step.inverse_mass[j] + row.sigma);
            row.impulse = 0;
            rows.push_back(row);
        }
}

template <int D>
void ViscousRows<D>::sweep(const FluidStep<D>& step, Density& density, bool upwards) {
    if (!any_)
        return;
    const std::span<One> u = density.scaled_velocities();
    const std::span<const float> root = density.roots();
    const auto relax = [&](Row& row) {
        const float rate = dot(row.line, u[row.i] * root[row.i] - u[row.j] * root[row.j]);
        const float change = -(rate + row.sigma * row.impulse) * row.weight;
        row.impulse += change;
        u[row.i] = u[row.i] + row.line * (change * root[row.i]);
        u[row.j] = u[row.j] - row.line * (change * root[row.j]);
    };
    for (int color = 0; color < Columns<D>::k_colors; ++color)
        step.columns.for_each_of_color(step.workers, color, [&](std::uint32_t s) {
            std::vector<Row>& rows = rows_[s];
            if (upwards)
                std::for_each(rows.begin(), rows.end(), relax);
            else
                std::for_each(rows.rbegin(), rows.rend(), relax);
        });
}

template <int D>
std::size_t ViscousRows<D>::bytes() const {
    std::size_t all = 0;
    for (const std::vector<Row>& rows : rows_)
        all += rows.capacity() * sizeof(Row);
    return all;
}

template class ViscousRows<2>;
template class ViscousRows<3>;

}  // namespace millrace
