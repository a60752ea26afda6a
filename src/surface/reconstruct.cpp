#include "surface/reconstruct.hpp"

#include <memory>
#include <string>

#include "exec/host_loops.hpp"
#include "millrace/error.hpp"
#include "surface/anisotropy.hpp"
#include "surface/contacts.hpp"
#include "surface/decimation.hpp"
#include "surface/smoothing.hpp"
#include "surface/vertex_fields.hpp"

namespace millrace {

namespace {

void check(const SurfaceInput& fluid, const SurfaceOptions& options) {
    const auto demand = [](bool holds, const char* what) {
        if (!holds)
            throw InputError(std::string("surface: ") + what);
    };
    demand(fluid.spacing > 0 && std::isfinite(fluid.spacing), "the spacing must be positive");
    demand(fluid.velocities.empty() || fluid.velocities.size() == fluid.positions.size(),
           "there must be as many velocities as positions");
    demand(options.support >= 1 && options.support <= 8, "support must be 1 to 8 spacings");
    demand(options.cell >= options.support / 8 && options.cell <= options.support,
           "cell must be an eighth of the support at least, and the support at most");
    demand(options.threshold > 0 && options.threshold < 1, "threshold must lie between 0 and 1");
    demand(options.smoothing >= 0, "smoothing must not be negative");
    demand(options.keep > 0, "keep must be more than 0");
}

// n iterations smooth over a length that grows with sqrt(n) cells: the same one for all cells.
int smoothing_iterations(const SurfaceOptions& options) {
    if (options.smoothing == 0)
        return 0;
    return std::max(
        1, static_cast<int>(std::lround(options.smoothing * 0.25 / (options.cell * options.cell))));
}

// Halfway between the outermost blocks, so that floats are fine around it.
BlockPlace middle_of(const BlockIndex& index) {
    BlockPlace low{BlockIndex::k_limit, BlockIndex::k_limit, BlockIndex::k_limit};
    BlockPlace high{-BlockIndex::k_limit, -BlockIndex::k_limit, -BlockIndex::k_limit};
    for (std::size_t b = 0; b < index.size(); ++b)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], index.place(b)[k]);
            high[k] = std::max(high[k], index.place(b)[k]);
        }
    return {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
}

CellMesh extract(const ParticleBlocks& particles, const ParticleWeights& weights,
                 const Anisotropy* shapes, float threshold, std::span<const PlacedSolid> solids,
                 const BlockPlace& middle) {
    const BlockIndex index = field_blocks(particles, shapes);
    std::vector<BlockSurface> surfaces(index.size());
    struct Scratch {
        std::unique_ptr<FieldBlock> field;
        BlockWalls walls;
    };
    const auto scratch = [] { return Scratch{std::make_unique<FieldBlock>(), {}}; };
    parallel_for_with(
        surfaces.size(), {.grain = 2, .alone_to = 8}, scratch, [&](std::size_t b, Scratch& own) {
            FieldBlock& field = *own.field;
            const BlockPlace place = index.place(b);
            if (!field.fill(particles, weights, shapes, place))
                return;
            const bool has_walls = own.walls.find(field, threshold, solids, place, particles.cell);
            surfaces[b] = cut_block(field, threshold, has_walls ? &own.walls : nullptr);
            if (!shapes)
                refine_block(surfaces[b], field, threshold, particles, weights, place);
        });
    return join_blocks(index, surfaces, middle);
}

}  // namespace

SurfaceMesh reconstruct_surface(const SurfaceInput& fluid, const SurfaceOptions& options) {
    check(fluid, options);
    SurfaceMesh mesh;
    const double cell = options.cell * fluid.spacing;
    const double radius = options.support * fluid.spacing;
    MirroredFluid mirrored;
    if (!fluid.solids.empty())
        mirrored =
            mirror_fluid(fluid.positions, fluid.velocities, fluid.solids, radius, fluid.spacing);
    const bool is_mirrored = !fluid.solids.empty();
    const std::span<const float> positions = is_mirrored ? mirrored.positions : fluid.positions;
    const std::span<const float> velocities = is_mirrored ? mirrored.velocities : fluid.velocities;
    const ParticleBlocks particles(positions, cell, radius, fluid.spacing);
    if (particles.size() == 0)
        return mesh;
    const BlockPlace middle = middle_of(particles.index);
    const ParticleWeights weights = particle_weights(particles);
    CellMesh surface;
    {
        Anisotropy shapes;
        if (options.anisotropic)
            shapes = stretch_kernels(particles, weights,
                                     static_cast<float>(half_space_neighbors(options.support)));
        surface = extract(particles, weights, options.anisotropic ? &shapes : nullptr,
                          static_cast<float>(options.threshold), fluid.solids, middle);
    }
    const Contacts contacts(surface, fluid.solids, middle, cell);
    if (const int iterations = smoothing_iterations(options))
        smooth(surface,
               smoothing_weights(particles, weights, surface.vertices, middle,
                                 half_space_neighbors(options.support)),
               iterations, contacts);
    contacts.put_on_solids(surface);
    if (options.keep < 1)
        decimate(surface, static_cast<std::size_t>(options.keep *
                                                   static_cast<double>(surface.triangles.size())));
    mesh.normals = vertex_normals(surface.vertices, surface.triangles);
    if (options.keep >= 1)
        contacts.sharpen_rim(surface, mesh.normals);
    if (!velocities.empty())
        interpolate_flow(particles, weights.volume, velocities, surface.vertices, middle,
                         1 / options.cell, mesh);
    mesh.triangles = std::move(surface.triangles);
    mesh.vertices = std::move(surface.vertices);
    for (Vec3& x : mesh.vertices)
        for (int k = 0; k < 3; ++k)
            x[k] = static_cast<float>((double(middle[k]) * k_block + x[k]) * cell);
    return mesh;
}

double surface_memory(double particles, const SurfaceOptions& options) {
    // a splashing fluid has about 0.6 / cell^2 vertices a particle, a calm one less
    const double vertices = 0.6 * particles / (options.cell * options.cell);
    return particles * (options.anisotropic ? 115 : 45) + vertices * (options.keep < 1 ? 450 : 130);
}

}  // namespace millrace
