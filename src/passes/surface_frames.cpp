#include "passes/surface_frames.hpp"

#include "io/endings.hpp"
#include "io/rounding.hpp"
#include "io/surface_files.hpp"
#include "millrace/error.hpp"
#include "passes/run_frames.hpp"

namespace millrace {

namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Every vertex of `more` is of this fluid.
void append(SurfaceMesh& all, const SurfaceMesh& more, std::uint32_t fluid) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    append(all.vertices, more.vertices);
    append(all.normals, more.normals);
    append(all.velocities, more.velocities);
    append(all.vorticities, more.vorticities);
    for (const auto& t : more.triangles)
        all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    all.fluids.resize(all.vertices.size(), fluid);
}

/// Those of one fluid, three numbers each.
std::vector<float> part_of(const std::vector<float>& vectors,
                           const std::vector<std::uint32_t>& fluids, std::uint32_t fluid) {
    std::vector<float> part;
    for (std::size_t i = 0; i < fluids.size(); ++i)
        if (fluids[i] == fluid)
            part.insert(part.end(), &vectors[3 * i], &vectors[3 * i] + 3);
    return part;
}

/// Numbers that a picture cannot tell apart are written as the same: the files are half as large.
/// Places to a 128th of the spacing or less, velocities to such a way in a frame.
void make_compact(SurfaceMesh& mesh, const Scene& scene) {
    constexpr float k_normal = 1.f / 256;
    round_to(mesh.vertices, quantum_below(scene.spacing / 128));
    round_to(mesh.normals, k_normal);
    round_to(mesh.velocities, quantum_below(scene.spacing * scene.output.fps / 64));
    round_to(mesh.vorticities, quantum_below(scene.output.fps / 64));
}

}  // namespace

SurfaceOptions surface_options(const SurfaceOutput& output) {
    SurfaceOptions options;
    options.cell = output.cell;
    options.smoothing = output.smoothing;
    options.anisotropic = output.anisotropic;
    options.keep = output.keep;
    return options;
}

SurfaceFrame make_surface(const Scene& scene, const ParticleFrame& frame,
                          const SurfaceOptions& options, std::span<const PlacedSolid> solids) {
    const Field* velocity = frame.find("velocity");
    if (!velocity || velocity->components != 3)
        throw InputError("the frame has no velocities");
    const auto& velocities = std::get<std::vector<float>>(velocity->data);
    SurfaceFrame surface;
    surface.time = frame.time;
    const Field* number = frame.find("fluid");
    if (!number) {
        surface.mesh =
            reconstruct_surface({frame.positions, velocities, scene.spacing, solids}, options);
        make_compact(surface.mesh, scene);
        return surface;
    }
    const auto& fluids = std::get<std::vector<std::uint32_t>>(number->data);
    for (std::uint32_t fluid = 0; fluid < scene.fluids.size(); ++fluid) {
        const std::vector<float> places = part_of(frame.positions, fluids, fluid);
        append(surface.mesh,
               reconstruct_surface(
                   {places, part_of(velocities, fluids, fluid), scene.spacing, solids}, options),
               fluid);
    }
    make_compact(surface.mesh, scene);
    return surface;
}

SolidsInFrames load_solids(const std::filesystem::path& run, const Scene& scene,
                           const SurfaceOptions& options) {
    const ObjectSurfaces surfaces = load_object_surfaces(run, scene);
    const double reach = (options.support + 1) * scene.spacing;
    return SolidsInFrames(scene, surfaces.walls, surfaces.bodies, reach, reach);
}

std::filesystem::path surface_file(const std::filesystem::path& run, const Scene& scene, int number,
                                   const std::string& ending) {
    return run / "surface" / frame_file(scene, number, ending);
}

void write_surface_frame(const std::filesystem::path& run, const Scene& scene, int number,
                         const SurfaceFrame& surface, const SurfaceOutput& output) {
    const double voxel = output.cell * scene.spacing;
    for (const std::string& format : output.formats)
        if (format != "vtp")
            write_mesh(surface_file(run, scene, number, format), surface, voxel);
    write_mesh(surface_file(run, scene, number), surface, voxel);
}

Settings surface_settings(double identity, const SurfaceOutput& surface) {
    return {{"run", setting_text(identity)},
            {"cell", setting_text(surface.cell)},
            {"smoothing", std::to_string(surface.smoothing)},
            {"anisotropic", surface.anisotropic ? "yes" : "no"},
            {"keep", setting_text(surface.keep)},
            {"ends", "on solids"}};
}

void check_surface_formats(const std::vector<std::string>& formats) {
    for (const std::string& format : formats)
        if (!is_one_of(format, mesh_formats()))
            throw InputError("surfaces as '" + format +
                             "': this build cannot write them; see millrace --version");
}

}  // namespace millrace
