#include "fluid/same_fluid.hpp"
#include "fluid/surface_curvature.hpp"
#include "pool/mueller.hpp"
#include "pool/near.hpp"

namespace millrace {

/// Surface tension by the colour field, as add_color_field_tension has it, with the kernel of the
/// density and the field of walls, and the curvature kappa of CurvatureSum:
///
///     n_i     = sum_j V / delta_j grad W_ij + sum_walls grad lambda                      (S0 3.47)
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
        return same_fluid(of_fluid_.data(), LaneIndex{j}, of_fluid_[i]);
    };
    const float weight = density_scale_;  // V, and what completes the kernel

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
            const Vec2 normal{nx_[i], ny_[i]};
            if (!is_at_surface(normal, step.spacing))
                return;
            CurvatureSum<2> sum(normal, step.spacing);
            for_each_group(columns, i, runs, [&](std::uint32_t j, Pack dx, Pack dy, Pack r2) {
                sum.add({load_pack(&nx_[j]), load_pack(&ny_[j])}, {dx, dy}, r2,
                        same(i, j) * density_.gradient_factor(r2));
            });
            const float kappa = sum.curvature();
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
