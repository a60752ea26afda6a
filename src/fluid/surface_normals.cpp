#include "fluid/surface_normals.hpp"

#include "exec/parallel.hpp"
#include "fluid/same_fluid.hpp"

namespace millrace {

namespace {

template <int D>
struct SurfaceNormals {
    FluidView<D> f;
    VectorView<D> normals;
    MILLRACE_HD void operator()(std::uint32_t i) const {
        const Vec<D> x_i = f.position.get(i);
        const float own = f.fluid[i];
        Vec<D, Lanes> sum = Vec<D, Lanes>::all(Lanes(0.0f));
        f.fluid_neighbors.for_each(i, x_i, [&](LaneIndex j, const Vec<D, Lanes>& x_ij, Lanes r2) {
            // lanes without a neighbour may hold stale densities
            const Lanes volume =
                load_lanes(f.volume, j) / max(load_lanes(f.density, j), Lanes(1e-6f));
            sum += x_ij * (same_fluid(f.fluid, j, own) * volume * f.kernel.gradient_factor(r2));
        });
        f.wall_neighbors.for_each(i, x_i, [&](LaneIndex k, const Vec<D, Lanes>& x_ik, Lanes r2) {
            sum += x_ik * (load_lanes(f.wall_volume, k) * f.kernel.gradient_factor(r2));
        });
        normals.set(i, sum_lanes(sum));
    }
};

}  // namespace

template <int D>
void compute_surface_normals(const Device& device, const FluidView<D>& fluid,
                             VectorView<D> normals) {
    for_each(device, fluid.count, SurfaceNormals<D>{fluid, normals});
}

template void compute_surface_normals(const Device&, const FluidView<2>&, VectorView<2>);
template void compute_surface_normals(const Device&, const FluidView<3>&, VectorView<3>);

}  // namespace millrace
