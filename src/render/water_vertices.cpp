#include "render/water_vertices.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

bool is_finite(const Vec3& x) {
    return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
}

/// Parts of a lifetime in which a point comes and goes.
constexpr float k_coming = 0.05f, k_going = 0.5f;

float strength_of(float age, float lifetime) {
    if (!(lifetime > 0) || !std::isfinite(age))
        return 1;
    const float part = age / lifetime;
    return std::clamp(std::min(0.3f + part / k_coming, (1 - part) / k_going), 0.f, 1.f);
}

/// From 0.6 to 1.6, most of them small; the same in every frame.
float size_of(std::uint32_t id) {
    std::uint32_t h = id * 2654435761u;
    h = (h ^ (h >> 15)) * 2246822519u;
    const float part = static_cast<float>(h >> 8) / static_cast<float>(1u << 24);
    return 0.6f + part * part * part;
}

}  // namespace

DrawnWater drawn_water(const SurfaceMesh& mesh, std::uint32_t fluids) {
    DrawnWater water;
    const std::size_t count = mesh.vertices.size();
    water.vertices.resize(count);
    std::vector<bool> good(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool has_normal = i < mesh.normals.size() && is_finite(mesh.normals[i]);
        const bool has_fluid = i < mesh.fluids.size() && mesh.fluids[i] < fluids;
        const bool has_velocity = i < mesh.velocities.size() && is_finite(mesh.velocities[i]);
        good[i] = is_finite(mesh.vertices[i]);
        water.vertices[i] = {mesh.vertices[i], has_normal ? mesh.normals[i] : Vec3::all(0),
                             has_fluid ? static_cast<float>(mesh.fluids[i]) : 0.f,
                             has_velocity ? norm(mesh.velocities[i]) : 0.f};
    }
    water.triangles.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        if (std::all_of(t.begin(), t.end(), [&](std::uint32_t i) { return i < count && good[i]; }))
            water.triangles.push_back(t);
    return water;
}

std::vector<FoamVertex> drawn_foam(const DiffuseParticles& foam) {
    std::vector<FoamVertex> points;
    points.reserve(foam.count());
    for (std::size_t i = 0; i < foam.count(); ++i) {
        if (!is_finite(foam.positions[i]))
            continue;
        const float strength = i < std::min(foam.ages.size(), foam.lifetimes.size())
                                   ? strength_of(foam.ages[i], foam.lifetimes[i])
                                   : 1;
        const DiffuseKind kind = i < foam.kinds.size() ? foam.kinds[i] : DiffuseKind::foam;
        const float size = i < foam.ids.size() ? size_of(foam.ids[i]) : 1;
        points.push_back({foam.positions[i], static_cast<float>(kind), strength, size});
    }
    return points;
}

}  // namespace millrace
