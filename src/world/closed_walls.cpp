#include "world/closed_walls.hpp"

#include <algorithm>

#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

template <int D>
Tank<D> tank_of(const Boundary& boundary, double spacing) {
    constexpr const char* k_faces[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    Tank<D> tank;
    tank.position = to_vec<D>(boundary.position);
    const Mat3d rotation = to_matrix(to_quaternion(boundary.rotation));
    for (int k = 0; k < D; ++k) {
        for (int l = 0; l < D; ++l)
            tank.rotation(k, l) = static_cast<float>(rotation(k, l));
        const auto closed = [&](int face) {
            return std::find(boundary.open.begin(), boundary.open.end(), k_faces[face]) ==
                   boundary.open.end();
        };
        tank.closed[2 * k] = closed(2 * k);
        tank.closed[2 * k + 1] = closed(2 * k + 1);
        const double a = boundary.scale[k] * boundary.box->min[k];
        const double b = boundary.scale[k] * boundary.box->max[k];
        tank.min[k] = static_cast<float>(std::min(a, b) - spacing);
        tank.max[k] = static_cast<float>(std::max(a, b) + spacing);
    }
    return tank;
}

}  // namespace

template <int D>
ClosedWalls<D>::ClosedWalls(const Device& device, const Scene& scene) : tanks_(device) {
    std::vector<Tank<D>> tanks;
    for (const Boundary& boundary : scene.boundaries)
        if (boundary.box && boundary.inside && !boundary.motion)
            tanks.push_back(tank_of<D>(boundary, scene.spacing));
    tanks_.assign(tanks);
}

template class ClosedWalls<2>;
template class ClosedWalls<3>;

}  // namespace millrace
