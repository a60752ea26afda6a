#pragma once

#include <cmath>

#include "io/mesh_formats.hpp"
#include "io/vtu.hpp"

// Frames and surfaces with exactly known numbers, for the tests of file formats.
namespace millrace::test {

/// n particles of two fluids: x from 0 to n - 1.
inline ParticleFrame fluid_frame(std::size_t n, int dimension = 3) {
    ParticleFrame frame;
    frame.time = 1.0 / 3;
    frame.dimension = dimension;
    std::vector<float> velocity(3 * n), density(n), spin(3 * n);
    std::vector<std::uint32_t> id(n), fluid(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(i);
        frame.positions.insert(frame.positions.end(), {x, 2 * x, dimension == 2 ? 0 : std::sin(x)});
        velocity[3 * i] = -x;
        velocity[3 * i + 1] = 0.5f;
        spin[3 * i + 2] = 1 / (x + 1);
        density[i] = 1000 + x;
        id[i] = 4'000'000'000u - static_cast<std::uint32_t>(i);  // more than a signed number holds
        fluid[i] = static_cast<std::uint32_t>(i % 2);
    }
    frame.fields = {{"velocity", 3, velocity},
                    {"density", 1, density},
                    {"id", 1, id},
                    {"fluid", 1, fluid},
                    {"angular velocity", 3, spin}};
    return frame;
}

inline ParticleFrame diffuse_frame(std::size_t n) {
    ParticleFrame frame = fluid_frame(n);
    std::vector<float> age(n), lifetime(n, 2.5f);
    std::vector<std::uint32_t> kind(n), id(n);
    for (std::size_t i = 0; i < n; ++i) {
        age[i] = 0.1f * static_cast<float>(i);
        kind[i] = static_cast<std::uint32_t>(i % 3);
        id[i] = static_cast<std::uint32_t>(7 * i);
    }
    frame.fields = {frame.fields[0],
                    {"kind", 1, kind},
                    {"age", 1, age},
                    {"lifetime", 1, lifetime},
                    {"id", 1, id}};
    return frame;
}

/// A ball of radius 1 about (2, 0, 0), cut into n times 2 n quads.
inline SurfaceFrame ball_surface(std::uint32_t n, bool fluids = true) {
    SurfaceFrame surface;
    surface.time = 0.1;
    SurfaceMesh& mesh = surface.mesh;
    const auto add = [&](double polar, double around) {
        const Vec3d out{{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around),
                         std::cos(polar)}};
        const Vec3 normal = Vec3::from(out);
        mesh.vertices.push_back(normal + Vec3{{2, 0, 0}});
        mesh.normals.push_back(normal);
        mesh.velocities.push_back({{normal[1], -normal[0], 0.25f}});
        mesh.vorticities.push_back({{0, 0, -2 + 0.1f * normal[2]}});
        if (fluids)
            mesh.fluids.push_back(normal[2] > 0);
    };
    add(0, 0);
    for (std::uint32_t ring = 1; ring < n; ++ring)
        for (std::uint32_t k = 0; k < 2 * n; ++k)
            add(M_PI * ring / n, M_PI * k / n);
    add(M_PI, 0);
    const auto last = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
    const auto at = [&](std::uint32_t ring, std::uint32_t k) {
        return 1 + (ring - 1) * 2 * n + k % (2 * n);
    };
    for (std::uint32_t k = 0; k < 2 * n; ++k) {
        mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
        for (std::uint32_t ring = 1; ring + 1 < n; ++ring) {
            mesh.triangles.push_back({at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)});
            mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)});
        }
        mesh.triangles.push_back({at(n - 1, k), last, at(n - 1, k + 1)});
    }
    return surface;
}

}  // namespace millrace::test
