#include "fluid/wall_drag.hpp"

#include "exec/parallel.hpp"

namespace millrace {

namespace {

template <int D>
struct WallDrag {
    FluidView<D> f;
    WallFriction<D> walls;
    VectorView<D> velocity;
    Push<D>* pushes;
    MILLRACE_HD void operator()(std::uint32_t c) const {
        const Contact<D>& contact = f.moving.contacts[c];
        const std::uint32_t i = contact.particle;
        const Vec<D> v_i = velocity.get(i);
        const Vec<D> arm = f.position.get(i) - f.moving.frames[contact.object].position;
        const float grip = walls.grip[static_cast<int>(f.fluid[i])];
        const float weight = 2.0f * grip * f.mu[i] * f.volume[i] / f.density[i];
        Push<D> sum;
        f.wall_neighbors.for_each_single(
            i, f.position.get(i), [&](std::uint32_t k, const Vec<D>&, float r2) {
                if (f.moving.sample_object[k] != contact.object)
                    return;
                const Vec<D> force = (v_i - walls.velocity(k)) *
                                     (-weight * f.wall_volume[k] * f.kernel.gradient_factor(r2));
                sum.force += force;
            });
        sum.torque = moment(arm, sum.force);
        pushes[c] = sum;
    }
};

}  // namespace

template <int D>
void compute_wall_drag(const Device& device, const FluidView<D>& fluid,
                       const WallFriction<D>& walls, VectorView<D> velocity,
                       Buffer<Push<D>>& pushes) {
    pushes.resize(fluid.coupling->contact_count());
    for_each(device, pushes.size(), WallDrag<D>{fluid, walls, velocity, pushes.data()});
}

template void compute_wall_drag(const Device&, const FluidView<2>&, const WallFriction<2>&,
                                VectorView<2>, Buffer<Push<2>>&);
template void compute_wall_drag(const Device&, const FluidView<3>&, const WallFriction<3>&,
                                VectorView<3>, Buffer<Push<3>>&);

}  // namespace millrace
