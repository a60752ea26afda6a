#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "geometry/triangle_mesh.hpp"
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

}  // namespace millrace
