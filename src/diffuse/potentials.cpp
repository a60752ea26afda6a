#include "diffuse/potentials.hpp"

#include "exec/parallel.hpp"
#include "math/kernels/cubic_spline.hpp"
#include "math/kernels/foam.hpp"

namespace millrace {
namespace {

/// The least |n_i| h of a particle at the surface; a flat one has 0.5, the inside below 0.1.
constexpr float k_least_normal = 0.2f;
/// Least cosine between velocity and normal of a crest (S1 Eq. 5.10).
constexpr float k_along_normal = 0.6f;
constexpr float k_tiny = 1e-20f;

/// Vectors as lanes can read them.
VectorBuffer<3> to_buffer(const Device& device, const std::vector<Vec3>& vectors) {
    VectorBuffer<3> buffer(device, vectors.size());
    const VectorView<3> view = buffer.view();
    for_each(device, vectors.size(), [&](std::uint32_t i) { view.set(i, vectors[i]); });
    return buffer;
}

float convex_curvature(const SortedFluid& fluid, std::uint32_t i, const VectorView<3>& normals,
                       const Foam<3>& kernel) {
    const Vec<3, Pack> n_i = spread(normals.get(i));
    Pack sum(0.0f);
    fluid.for_each_near(
        fluid.positions().get(i), [&](LaneIndex j, const Vec<3, Pack>& x_ij, Pack r2) {
            const Vec<3, Pack> n_j = normals.lanes(j);
            const Pack bend = squared_norm(n_j) - dot(n_i, n_j);  // 1 - cos, 0 where n_j is
            sum += select(Pack(0.0f) < dot(x_ij, n_i), bend * kernel.w(r2), Pack(0.0f));
        });
    return std::max(0.0f, sum_lanes(sum));
}

/// v_i^diff = sum_j |v_ij| (1 - v-hat_ij . x-hat_ij) K_ij                 (S1 Eq. 5.13)
float velocity_difference(const SortedFluid& fluid, std::uint32_t i, const Foam<3>& kernel) {
    const Vec<3, Pack> v_i = spread(fluid.velocities().get(i));
    Pack sum(0.0f);
    fluid.for_each_near(fluid.positions().get(i),
                        [&](LaneIndex j, const Vec<3, Pack>& x_ij, Pack r2) {
                            const Vec<3, Pack> v_ij = v_i - fluid.velocities().lanes(j);
                            const Pack v2 = squared_norm(v_ij);
                            const Pack speed = v2 * rsqrt(max(v2, Pack(k_tiny)));
                            const Pack parting = dot(v_ij, x_ij) * rsqrt(max(r2, Pack(k_tiny)));
                            sum += (speed - parting) * kernel.w(r2);
                        });
    return std::max(0.0f, sum_lanes(sum));
}

}  // namespace

Potentials potentials_of(const PotentialValues& values, const DiffuseThresholds& thresholds) {
    const auto part = [](double x, double tau_max) {
        return clamped(x, k_least_part * tau_max, tau_max);
    };
    return {part(values.crest, thresholds.crest), part(values.trapped, thresholds.trapped),
            clamped(values.kinetic, least_kinetic(thresholds), thresholds.kinetic)};
}

std::vector<Vec3> unit_normals(const Device& device, const SortedFluid& fluid, double spacing) {
    const CubicSpline<3> kernel(fluid.support());
    const float scale = static_cast<float>(spacing * spacing * spacing * spacing);
    std::vector<Vec3> normals(fluid.count());
    for_each(device, fluid.count(), [&](std::uint32_t i) {
        Vec<3, Pack> sum = Vec<3, Pack>::all(Pack(0.0f));
        fluid.for_each_near(fluid.positions().get(i),
                            [&](LaneIndex, const Vec<3, Pack>& x_ij, Pack r2) {
                                sum -= x_ij * kernel.gradient_factor(r2);
                            });
        const Vec3 n = sum_lanes(sum);
        const float length = norm(n);
        normals[i] = length * scale < k_least_normal ? Vec3::all(0) : n / length;
    });
    return normals;
}

std::vector<float> convex_curvatures(const Device& device, const SortedFluid& fluid,
                                     const std::vector<Vec3>& unit_normals, double spacing) {
    const Foam<3> kernel(fluid.support());
    const float volume = static_cast<float>(spacing * spacing * spacing);
    const VectorBuffer<3> buffer = to_buffer(device, unit_normals);
    std::vector<float> curvatures(fluid.count());
    for_each(device, fluid.count(), [&](std::uint32_t i) {
        curvatures[i] = volume * convex_curvature(fluid, i, buffer.view(), kernel);
    });
    return curvatures;
}

std::vector<PotentialValues> potential_values(const Device& device, const SortedFluid& fluid,
                                              double spacing, double least_kinetic) {
    const Foam<3> kernel(fluid.support());
    const float volume = static_cast<float>(spacing * spacing * spacing);
    const VectorBuffer<3> buffer = to_buffer(device, unit_normals(device, fluid, spacing));
    const VectorView<3> normals = buffer.view();
    std::vector<PotentialValues> values(fluid.count());
    for_each(device, fluid.count(), [&](std::uint32_t i) {
        const Vec3 v = fluid.velocities().get(i);
        PotentialValues& value = values[i];
        value.kinetic = 0.5f * squared_norm(v);
        if (!(value.kinetic > 0) || value.kinetic < least_kinetic)
            return;
        value.trapped = volume * velocity_difference(fluid, i, kernel);
        // delta_i = kappa_i [v-hat_i . n-hat_i > 0.6]                    (S1 Eq. 5.10)
        if (dot(v, normals.get(i)) > k_along_normal * norm(v))
            value.crest = volume * convex_curvature(fluid, i, normals, kernel);
    });
    return values;
}

}  // namespace millrace
