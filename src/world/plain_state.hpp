#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "geometry/solid.hpp"
#include "math/vec.hpp"
#include "millrace/simulation.hpp"

// From the arrays of a world to the plain ones of the public API, and back.
namespace millrace {

template <int D>
std::vector<float> flatten(const std::vector<Vec<D>>& vectors) {
    std::vector<float> flat(vectors.size() * D);
    if (!flat.empty())
        std::memcpy(flat.data(), vectors.data(), flat.size() * sizeof(float));
    return flat;
}

template <int D>
std::vector<Vec<D>> unflatten(const std::vector<float>& flat) {
    std::vector<Vec<D>> vectors(flat.size() / D);
    if (!vectors.empty())
        std::memcpy(vectors.data(), flat.data(), vectors.size() * sizeof(Vec<D>));
    return vectors;
}

inline ObjectSurface object_surface(const std::string& name, bool is_body,
                                    const TriangleMesh& triangles) {
    ObjectSurface surface;
    surface.name = name;
    surface.is_body = is_body;
    for (const Vec3d& v : triangles.vertices)
        surface.vertices.push_back({v[0], v[1], v[2]});
    surface.triangles = triangles.triangles;
    return surface;
}

/// Those of a scene, walls first; in 2D its outlines say it all.
template <int D>
std::vector<ObjectSurface> object_surfaces(const SceneSolids<D>& solids) {
    std::vector<ObjectSurface> all;
    if constexpr (D == 3) {
        for (const Solid<D>& wall : solids.walls)
            all.push_back(object_surface(wall.name, false, wall.surface()));
        for (const SolidBody<D>& body : solids.bodies)
            all.push_back(object_surface(body.solid.name, true, body.solid.surface()));
    }
    return all;
}

}  // namespace millrace
