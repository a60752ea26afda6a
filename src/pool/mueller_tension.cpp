#include <algorithm>
#include <cmath>

#include "pool/mueller.hpp"
#include "pool/near.hpp"

namespace millrace {

namespace {

constexpr float k_least_normal = 0.2f;       ///< per spacing; a flat surface has 0.5
constexpr float k_largest_curvature = 0.5f;  ///< per spacing: a radius of two spacings

}  // namespace

/// Surface tension by the colour field, with the curvature as in color_field_tension.cpp:
///
///     n_i     = sum_j V / delta_j grad W_ij + sum_walls grad lambda                      (S0 3.47)
///     kappa_i = -div n-hat = -2 sum_j (n-hat_j - n-hat_i) . grad W_ij / sum_j x_ji . grad W_ij
///     a_i     = sigma / rho_0 sum_j V / delta_j kappa_j n_j W_ij                         (S0 3.49)
///
/// over particles of the same fluid. It does not conserve momentum (S0 3.4.4).
void Mueller::find_tension(const SubStep& step) {
    const std::uint32_t n = step.count();
    for (std::vector<float>* values : {&nx_, &ny_, &kx_, &ky_, &of_fluid_})
        values->resize(n + k_lanes);
    for (std::uint32_t i = 0; i < n; ++i)
        of_fluid_[i] = step.fluid[i];
    const Columns<2>& columns = step.columns;
    const auto same = [&](std::uint32_t i, std::uint32_t j) {
        const Pack difference = Pack(of_fluid_[i]) - load_pack(&of_fluid_[j]);
        return select(difference * difference < Pack(0.25f), Pack(1.0f), Pack(0.0f));
    };
    const float weight = density_scale_;  // V, and what completes the kernel
    const float least = k_least_normal / step.spacing, least2 = least * least;

    columns.for_each_strip(step.workers, [&](std::size_t s) {
        columns.for_each_in(columns.strips()[s], [&](std::uint32_t i, const Columns<2>::Run* runs) {
            Pack x_sum(0.0f), y_sum(0.0f);
            for_each_group(columns, i, runs, [&](std::uint32_t j, Pack dx, Pack dy, Pack r2) {
                const Pack g =
                    same(i, j) * load_pack(&inverse_delta_[j]) * density_.gradient_factor(r2);
                x_sum += g * dx;
                y_sum += g * dy;
            });
            Vec2 normal = Vec2{sum_lanes(x_sum), sum_lanes(y_sum)} * weight;
            for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c)
                normal = normal + step.contacts[c].normal * step.contacts[c].slope;
            nx_[i] = normal[0];
            ny_[i] = normal[1];
        });
    });

    columns.for_each_strip(step.workers, [&](std::size_t s) {
        columns.for_each_in(columns.strips()[s], [&](std::uint32_t i, const Columns<2>::Run* runs) {
            kx_[i] = ky_[i] = 0;
            const float length2 = nx_[i] * nx_[i] + ny_[i] * ny_[i];
            if (length2 < least2)
                return;
            const float inverse = 1 / std::sqrt(length2);
            const Pack x_i(nx_[i] * inverse), y_i(ny_[i] * inverse);
            Pack divergence(0.0f), ways(0.0f);
            for_each_group(columns, i, runs, [&](std::uint32_t j, Pack dx, Pack dy, Pack r2) {
                const Pack nx = load_pack(&nx_[j]), ny = load_pack(&ny_[j]);
                const Pack n2 = nx * nx + ny * ny;
                const Pack to_unit = rsqrt(max(n2, Pack(least2)));
                const Pack at_surface = select(n2 < Pack(least2), Pack(0.0f), Pack(1.0f));
                const Pack g = at_surface * same(i, j) * density_.gradient_factor(r2);
                divergence += g * ((nx * to_unit - x_i) * dx + (ny * to_unit - y_i) * dy);
                ways += select(r2 < Pack(support() * support()), g * r2, Pack(0.0f));
            });
            const float way = -sum_lanes(ways);
            if (!(way > 0))
                return;
            const float largest = k_largest_curvature / step.spacing;
            const float kappa = std::clamp(-2 * sum_lanes(divergence) / way, -largest, largest);
            kx_[i] = kappa * nx_[i];
            ky_[i] = kappa * ny_[i];
        });
    });

    columns.for_each_strip(step.workers, [&](std::size_t s) {
        columns.for_each_in(columns.strips()[s], [&](std::uint32_t i, const Columns<2>::Run* runs) {
            const FluidMaterial& material = step.materials[step.fluid[i]];
            if (material.tension <= 0)
                return;
            Pack x_sum(0.0f), y_sum(0.0f);
            for_each_group(columns, i, runs, [&](std::uint32_t j, Pack, Pack, Pack r2) {
                const Pack w = same(i, j) * load_pack(&inverse_delta_[j]) * density_.w(r2);
                x_sum += w * load_pack(&kx_[j]);
                y_sum += w * load_pack(&ky_[j]);
            });
            dv_[i] = dv_[i] + Vec2{sum_lanes(x_sum), sum_lanes(y_sum)} *
                                  (weight * step.dt * material.tension / material.density);
        });
    });
}

}  // namespace millrace
