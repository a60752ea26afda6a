#include "geometry/fill.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "geometry/inside_test.hpp"
#include "millrace/error.hpp"

namespace millrace {

std::vector<Vec3> lattice_in(const TriangleMesh& closed, double spacing) {
    if (closed.triangles.empty())
        return {};
    const Bounds box = bounds(closed);
    double n[3];
    Vec3d first;
    for (int k = 0; k < 3; ++k) {
        n[k] = std::max(1.0, std::round(box.size()[k] / spacing));
        first[k] = box.center()[k] - (n[k] - 1) / 2 * spacing;
    }
    if (n[0] * n[1] * n[2] > 4e9)
        throw InputError("the mesh is too large for its spacing: more than 4e9 lattice points");

    const InsideTest test(closed);
    std::vector<Vec3> points, layer;
    for (std::int64_t z = 0; z < n[2]; ++z) {
        layer.clear();
        for (std::int64_t y = 0; y < n[1]; ++y)
            for (std::int64_t x = 0; x < n[0]; ++x) {
                const Vec3d steps{{double(x), double(y), double(z)}};
                layer.push_back(Vec3::from(first + steps * spacing));
            }
        const std::vector<std::uint8_t> inside = test.contains(layer);
        for (std::size_t i = 0; i < layer.size(); ++i)
            if (inside[i])
                points.push_back(layer[i]);
    }
    return points;
}

}  // namespace millrace
