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
        const Vec<D> x = f.position.get(i);
        const float grip = walls.grip[static_cast<int>(f.fluid[i])];
        const float weight = 2.0f * grip * f.mu[i] * f.volume[i] / f.density[i] * contact.friction;
        const Vec<D> force = (velocity.get(i) - f.moving.velocity_at(contact, x)) * weight;
        pushes[c] = {force, moment(x - f.moving.frames[contact.object].position, force)};
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
