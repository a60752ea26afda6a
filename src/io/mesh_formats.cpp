#include "io/mesh_formats.hpp"

#include <limits>
#include <stdexcept>

#include "io/atomic_file.hpp"
#include "io/endings.hpp"
#include "io/obj.hpp"
#include "io/ply_mesh.hpp"
#include "io/vdb.hpp"
#include "io/vtp.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

namespace fs = std::filesystem;

void check(const SurfaceMesh& mesh) {
    const std::size_t n = mesh.vertices.size();
    for (const std::size_t size :
         {mesh.normals.size(), mesh.velocities.size(), mesh.vorticities.size(), mesh.fluids.size()})
        if (size != 0 && size != n)
            throw std::logic_error("a surface has one of each quantity a vertex, or none");
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle)
            if (corner >= n)
                throw std::logic_error("a triangle names a vertex that is not there");
    constexpr std::size_t k_most = std::numeric_limits<std::int32_t>::max();
    if (n > k_most || mesh.triangles.size() > k_most / 3)
        throw RunError("more triangles than a file of ours can hold");
}

}  // namespace

std::vector<std::string> mesh_formats() {
    std::vector<std::string> endings{"vtp", "ply", "obj"};
    if (can_write_vdb())
        endings.push_back("vdb");
    return endings;
}

void write_mesh(const fs::path& path, const SurfaceFrame& surface, double voxel) {
    const std::string ending = ending_of(path);
    check(surface.mesh);
    if (ending == "vtp")
        write_file(path, mesh_to_vtp(surface));
    else if (ending == "ply")
        write_file(path, mesh_to_ply(surface));
    else if (ending == "obj")
        write_file(path, mesh_to_obj(surface));
    else if (ending == "vdb" && can_write_vdb())
        write_vdb(path, surface, voxel);
    else
        reject_ending(path, "surfaces", mesh_formats());
}

SurfaceFrame read_mesh(const fs::path& path) {
    const std::string ending = ending_of(path);
    if (ending != "vtp" && ending != "ply")
        reject_ending(path, "surfaces that can be read", {"vtp", "ply"});
    const std::string bytes = read_file(path);
    try {
        return ending == "vtp" ? mesh_from_vtp(bytes) : mesh_from_ply(bytes);
    } catch (const InputError& e) {
        throw InputError(path.string() + ": " + e.what());
    }
}

}  // namespace millrace
