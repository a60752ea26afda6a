#include "spook/viscous_rows.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

template <int D>
void ViscousRows<D>::start(const FluidStep<D>& step, const DensityRows<D>& density,
                           std::span<const float> mu, std::span<const float> pressures) {
    any_ = settings_.hold > 0 || std::any_of(mu.begin(), mu.end(), [](float m) { return m > 0; });
    if (!any_)
        return;
    rows_.resize(step.blocks.blocks().size());
    step.workers.for_each(rows_.size(),
                          [&](std::size_t b) { build(step, density, mu, pressures, b); });
}

template <int D>
void ViscousRows<D>::build(const FluidStep<D>& step, const DensityRows<D>& density,
                           std::span<const float> mu, std::span<const float> pressures,
                           std::size_t b) {
    std::vector<Row>& rows = rows_[b];
    rows.clear();
    const float stiffness = static_cast<float>(density.walls().rest().stiffness);
    const float volume = density.volume();
    const float viscous = 2 * (D + 2) / stiffness * volume;
    const float held = settings_.hold * step.dt * volume / stiffness;
    const auto& block = step.blocks.blocks()[b];
    for (std::uint32_t p = 0; p < block.count; ++p) {
        const auto run = step.blocks.pillar(block.pillars[p]);
        for (std::uint32_t i = run.begin; i < run.end; ++i)
            for (const std::uint32_t j : density.neighbors(i)) {
                if (j <= i)  // the other one has the row, or it is padding
                    continue;
                const Vec<D> way = step.positions[i] - step.positions[j];
                const float r = std::max(norm(way), 1e-6f * density.support());
                const float c = viscous * 0.5f * (mu[i] + mu[j]) * density.slope(r) / r +
                                held * (pressures[i] + pressures[j]) * density.curvature(r);
                if (!(c > 0))
                    continue;
                Row row;
                row.line = Quad{};
                for (int k = 0; k < D; ++k)
                    row.line[k] = way[k] / r;
                row.i = i;
                row.j = j;
                row.sigma = 1 / (c * step.dt);
                row.weight = 1 / (step.inverse_mass[i] + step.inverse_mass[j] + row.sigma);
                row.impulse = 0;
                rows.push_back(row);
            }
    }
}

template <int D>
void ViscousRows<D>::sweep(const FluidStep<D>& step, DensityRows<D>& density, bool upwards) {
    if (!any_)
        return;
    const std::span<Quad> u = density.scaled_velocities();
    const std::span<const float> root = density.roots();
    const auto relax = [&](Row& row) {
        const Quad v = u[row.i] * root[row.i] - u[row.j] * root[row.j], part = v * row.line;
        const float rate = (part[0] + part[1]) + (part[2] + part[3]);
        const float change = -(rate + row.sigma * row.impulse) * row.weight;
        row.impulse += change;
        u[row.i] += row.line * (change * root[row.i]);
        u[row.j] -= row.line * (change * root[row.j]);
    };
    for (int color = 0; color < Blocks<D>::k_colors; ++color) {
        const std::vector<std::uint32_t>& blocks = step.blocks.of_color(color);
        step.workers.for_each(blocks.size(), [&](std::size_t b) {
            std::vector<Row>& rows = rows_[blocks[b]];
            if (upwards)
                std::for_each(rows.begin(), rows.end(), relax);
            else
                std::for_each(rows.rbegin(), rows.rend(), relax);
        });
    }
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
