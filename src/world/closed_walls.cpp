#include "world/closed_walls.hpp"

namespace millrace {

namespace {

template <int D>
Tank<D> tank_of(const PlacedBox<D>& box, double spacing) {
    Tank<D> tank;
    tank.position = Vec<D>::from(box.position);
    tank.rotation = Mat<D>::from(box.rotation);
    for (int k = 0; k < D; ++k) {
        tank.closed[2 * k] = !box.is_open(k, 0);
        tank.closed[2 * k + 1] = !box.is_open(k, 1);
        tank.min[k] = static_cast<float>(box.low[k] - spacing);
        tank.max[k] = static_cast<float>(box.high[k] + spacing);
    }
    return tank;
}

}  // namespace

template <int D>
ClosedWalls<D>::ClosedWalls(const Device& device, std::span<const Solid<D>> walls, double spacing)
    : tanks_(device) {
    std::vector<Tank<D>> tanks;
    for (const Solid<D>& wall : walls)
        if (const auto* box = std::get_if<PlacedBox<D>>(&wall.shape);
            box && wall.hollow && !wall.moves)
            tanks.push_back(tank_of<D>(*box, spacing));
    tanks_.assign(tanks);
}

template class ClosedWalls<2>;
template class ClosedWalls<3>;

}  // namespace millrace
