#include "io/vdb.hpp"

#include <cmath>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

#ifdef MILLRACE_OPENVDB

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

namespace millrace {
namespace {

constexpr float k_half_width = 3;      // voxels
constexpr double k_most_voxels = 1e6;  // along an axis: a mistake, or a vertex that is no number

openvdb::FloatGrid::Ptr level_set(const SurfaceMesh& mesh, double voxel) {
    if (mesh.triangles.empty())  // else it would be no level set
        return openvdb::createLevelSet<openvdb::FloatGrid>(voxel, k_half_width);
    std::vector<openvdb::Vec3s> points;
    for (const Vec3& x : mesh.vertices) {
        for (int k = 0; k < 3; ++k)
            if (!(std::abs(x[k]) <= k_most_voxels * voxel))
                throw RunError("a vertex is further than a million voxels from the origin");
        points.emplace_back(x[0], x[1], x[2]);
    }
    std::vector<openvdb::Vec3I> triangles;
    for (const auto& t : mesh.triangles)
        triangles.emplace_back(t[0], t[1], t[2]);
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    return openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*transform, points, triangles,
                                                              k_half_width);
}

}  // namespace

bool can_write_vdb() {
    return true;
}

void write_vdb(const std::filesystem::path& path, const SurfaceFrame& surface, double voxel) {
    if (!(voxel > 0))
        throw RunError(path.string() + ": the voxels must be greater than 0");
    PendingFile pending(path);
    try {
        openvdb::initialize();
        const openvdb::FloatGrid::Ptr grid = level_set(surface.mesh, voxel);
        grid->setName("surface");
        grid->insertMeta("time", openvdb::DoubleMetadata(surface.time));
        openvdb::io::File file(pending.temporary().string());
        file.write({grid});
        file.close();
    } catch (const std::exception& e) {
        throw RunError(path.string() + ": cannot be written: " + e.what());
    }
    pending.commit();
}

}  // namespace millrace

#else

namespace millrace {

bool can_write_vdb() {
    return false;
}

void write_vdb(const std::filesystem::path& path, const SurfaceFrame&, double) {
    throw RunError(path.string() +
                   ": OpenVDB is not built in: install it (on Debian: apt install libopenvdb-dev), "
                   "then configure and build again");
}

}  // namespace millrace

#endif
