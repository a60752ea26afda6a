#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>

#include "io/atomic_file.hpp"
#include "io/mesh_formats.hpp"
#include "io/particle_formats.hpp"
#include "support/format_frames.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

// What other programs find in our files. One start of each program for all its files.
namespace millrace {
namespace {

bool has_format(const std::vector<std::string>& formats, const std::string& format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::string text(const char* format, ...) {
    char line[512];
    va_list values;
    va_start(values, format);
    std::vsnprintf(line, sizeof line, format, values);
    va_end(values);
    return line;
}

class FormatPrograms : public testing::Test {
  protected:
    void write_all() {
        for (const std::string& format : particle_formats()) {
            write_particles(folder_ / ("p." + format), particles_);
            write_particles(folder_ / ("empty_p." + format), test::fluid_frame(0));
        }
        for (const std::string& format : mesh_formats()) {
            write_mesh(folder_ / ("m." + format), surface_, 0.1);
            write_mesh(folder_ / ("empty_m." + format), {}, 0.1);
        }
    }

    /// Runs `command` with a script of that text and the folder.
    void run(const std::string& command, const std::string& script) {
        write_file(folder_ / "script.py", script);
        shell(command + " '" + (folder_ / "script.py").string() + "' -- '" +
              folder_.path().string() + "'");
    }
    void shell(const std::string& command) {
        const auto result = test::shell(command);
        EXPECT_EQ(result.status, 0);
        output_ = result.output;
    }

    void expect(const std::string& part) const {
        EXPECT_NE(output_.find(part), std::string::npos) << part << " is not in:\n" << output_;
    }

    const ParticleFrame particles_ = test::fluid_frame(7);
    const SurfaceFrame surface_ = test::ball_surface(20);  // 762 vertices, 1520 triangles
    const test::TemporaryFolder folder_;
    std::string output_;
};

std::string vector_text(const std::string& name, const Vec3& v) {
    return text(" %s %.9g %.9g %.9g", name.c_str(), v[0], v[1], v[2]);
}

TEST_F(FormatPrograms, ParaViewFindsPlacesTrianglesArraysAndTimes) {
    if (!test::has_program("pvpython"))
        GTEST_SKIP() << "pvpython is not installed (Debian: python3-paraview)";
    write_all();
    run("pvpython", R"(
import struct, sys
from paraview.simple import *
def numbers(values):  # as floats: for some formats ParaView keeps more digits than it was given
    return " ".join("%.9g" % struct.unpack("f", struct.pack("f", v)) for v in values)
def show(name, vertex):
    reader = OpenDataFile(sys.argv[-1] + "/" + name)
    reader.UpdatePipeline()
    data = servermanager.Fetch(reader)
    print(name, data.GetNumberOfPoints(), data.GetNumberOfCells(), end="")
    if data.GetNumberOfPoints():
        print(" at", numbers(data.GetPoint(vertex)), end="")
        arrays = data.GetPointData()
        for name in sorted(arrays.GetArrayName(a) for a in range(arrays.GetNumberOfArrays())):
            print("", name, numbers(arrays.GetArray(name).GetTuple(vertex)), end="")
    if data.GetNumberOfCells() > 1000:
        cell = data.GetCell(1001)
        print(" triangle", *[cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())], end="")
    time = data.GetFieldData().GetArray("TimeValue")
    print(" time %.17g" % time.GetValue(0) if time else "", "end")
for name in ["m.vtp", "m.ply", "m.obj"]:
    show(name, 123)
for name in ["p.vtu", "p.ply"]:
    show(name, 5)
for name in ["empty_m.vtp", "empty_m.ply", "empty_m.obj", "empty_p.ply", "empty_p.vtu"]:
    show(name, 0)
)");
    const SurfaceMesh& mesh = surface_.mesh;
    const auto& t = mesh.triangles[1001];
    const std::string triangle = text(" triangle %u %u %u", t[0], t[1], t[2]);
    const std::string place = vector_text("at", mesh.vertices[123]);
    const std::string normal = vector_text("Normals", mesh.normals[123]);
    expect("m.vtp 762 1520" + place + text(" fluid %u", mesh.fluids[123]) +
           vector_text("normals", mesh.normals[123]) +
           vector_text("velocity", mesh.velocities[123]) +
           vector_text("vorticity", mesh.vorticities[123]) + triangle +
           text(" time %.17g end\n", surface_.time));
    expect("m.ply 762 1520" + place + normal + triangle + " end\n");
    expect("m.obj 762 1520" + place + normal + triangle + " end\n");
    const std::string fifth = text("at 5 10 %.9g", std::sin(5.f));
    expect("p.vtu 7 7 " + fifth + text(" angular velocity 0 0 %.9g", 1 / 6.f) +
           " density 1005 fluid 1 id 4e+09 velocity -5 0.5 0 time 0.33333333333333331 end\n");
    expect("p.ply 7 0 " + fifth + " end\n");
    for (const char* name : {"m.vtp", "m.ply", "m.obj", "p.ply", "p.vtu"})
        expect("empty_" + std::string(name) + " 0 0");
    EXPECT_EQ(output_.find("rror"), std::string::npos) << output_;
}

TEST_F(FormatPrograms, BlenderFindsVerticesFacesAndVolumes) {
    if (!test::has_program("blender"))
        GTEST_SKIP() << "blender is not installed (Debian: blender)";
    write_all();
    run("blender -b --factory-startup --python-exit-code 3 --python", R"(
import bpy, os, sys
folder = sys.argv[-1] + "/"
def show(read, name):
    before = set(bpy.data.objects)
    read(filepath=folder + name)
    for thing in set(bpy.data.objects) - before:
        mesh = thing.data
        print(name, len(mesh.vertices), len(mesh.polygons), end=" ")
        if len(mesh.vertices) > 5:
            print("%.6g %.6g %.6g" % tuple(mesh.vertices[5].co), end=" ")
        if len(mesh.polygons) > 1001:
            print("corners", *mesh.polygons[1001].vertices, end=" ")
        print("end")
for name in ["m", "empty_m", "p", "empty_p"]:
    show(bpy.ops.import_mesh.ply, name + ".ply")
for name in ["m", "empty_m"]:
    show(bpy.ops.wm.obj_import, name + ".obj")
if os.path.exists(folder + "m.vdb"):
    bpy.ops.object.volume_import(filepath=folder + "m.vdb")
    grids = bpy.data.volumes[0].grids
    grids.load()
    print("grids", [(grid.name, grid.data_type) for grid in grids])
)");
    const auto place = [](const char* name, int vertices, int faces, const Vec3& x) {
        return text("%s %d %d %.6g %.6g %.6g ", name, vertices, faces, x[0], x[1], x[2]);
    };
    const auto& t = surface_.mesh.triangles[1001];
    const std::string corners = text("corners %u %u %u end\n", t[0], t[1], t[2]);
    expect(place("m.ply", 762, 1520, surface_.mesh.vertices[5]) + corners);
    expect(place("m.obj", 762, 1520, surface_.mesh.vertices[5]) + corners);
    expect(place("p.ply", 7, 0, {{5, 10, std::sin(5.f)}}) + "end\n");
    expect("empty_m.ply 0 0 end\n");
    expect("empty_p.ply 0 0 end\n");
    if (has_format(mesh_formats(), "vdb"))
        expect("grids [('surface', 'FLOAT')]");
}

TEST_F(FormatPrograms, VdbPrintFindsALevelSet) {
    if (!has_format(mesh_formats(), "vdb"))
        GTEST_SKIP() << "OpenVDB is not built in";
    if (!test::has_program("vdb_print"))
        GTEST_SKIP() << "vdb_print is not installed (Debian: libopenvdb-tools)";
    write_all();
    for (const char* name : {"m.vdb", "empty_m.vdb"}) {
        shell("vdb_print -l '" + (folder_ / name).string() + "'");
        expect("Name: surface\n");
        expect("Type: Tree_float_5_4_3\n");
        expect("class: level set\n");
        expect("voxel size: 0.1\n");
        expect("Background value: 0.3\n");
    }
    expect("Number of active voxels:       0\n");
}

// The distance to the ball of radius 1 about (2, 0, 0); the polyhedron lies up to 0.004 inside.
TEST_F(FormatPrograms, LevelSetsHoldSignedDistances) {
    const std::string python = "/usr/bin/python3";  // Debian's packages are of this one
    if (!has_format(mesh_formats(), "vdb"))
        GTEST_SKIP() << "OpenVDB is not built in";
    if (test::shell(python + " -c 'import pyopenvdb'").status != 0)
        GTEST_SKIP() << "pyopenvdb is not installed (Debian: python3-openvdb)";
    write_all();
    run(python, R"(
import sys, math
import pyopenvdb
grid = pyopenvdb.read(sys.argv[-1] + "/m.vdb", "surface")
value = grid.getConstAccessor().getValue
worst = 0
for voxel in [(x, y, z) for x in range(5, 36) for y in range(-15, 16) for z in range(-15, 16)]:
    distance = math.dist([0.1 * c for c in voxel], [2, 0, 0]) - 1
    worst = max(worst, abs(value(voxel) - max(-0.3, min(0.3, distance))))
print("worst", worst < 0.01, worst)
print(grid.gridClass, round(value((20, 0, 0)), 4), round(value((0, 0, 0)), 4),
      grid.activeVoxelCount() > 1000, grid["time"])
)");
    expect("worst True");
    expect("level set -0.3 0.3 True 0.1\n");
}

TEST_F(FormatPrograms, H5dumpFindsDatasetsAndAttributes) {
    if (!has_format(particle_formats(), "h5"))
        GTEST_SKIP() << "HDF5 is not built in";
    if (!test::has_program("h5dump"))
        GTEST_SKIP() << "h5dump is not installed (Debian: hdf5-tools)";
    write_all();
    shell("h5dump -y -m %.9g -p '" + (folder_ / "p.h5").string() + "' | tr -s ' \\n' ' '");
    expect("ATTRIBUTE \"time\" { DATATYPE H5T_IEEE_F64LE DATASPACE SCALAR DATA { 0.333333333 }");
    expect("ATTRIBUTE \"dimension\" { DATATYPE H5T_STD_I32LE DATASPACE SCALAR DATA { 3 }");
    expect("DATASET \"positions\" { DATATYPE H5T_IEEE_F32LE DATASPACE SIMPLE { ( 7, 3 )");
    expect("DATASET \"id\" { DATATYPE H5T_STD_U32LE DATASPACE SIMPLE { ( 7 )");
    expect("DATA { 4000000000, 3999999999, 3999999998, ");
    expect("DATA { 1000, 1001, 1002, 1003, 1004, 1005, 1006 }");
    expect(text(" 5, 10, %.9g, 6, 12, ", std::sin(5.f)));
    expect("DEFLATE { LEVEL 1 }");
    shell("h5dump -H '" + (folder_ / "empty_p.h5").string() + "'");
    expect("( 0, 3 ) / ( 0, 3 )");
}

// No program of Debian reads bgeo: a reader written from the layout in docs/formats.md alone.
TEST_F(FormatPrograms, BgeoHasTheLayoutOfTheDocumentation) {
    if (!test::has_program("python3"))
        GTEST_SKIP() << "python3 is not installed";
    write_all();
    run("python3", R"(
import struct, sys
for name in ["p", "empty_p"]:
    data = open(sys.argv[-1] + "/" + name + ".bgeo", "rb").read()
    place = 0
    def take(format):
        global place
        values = struct.unpack_from(">" + format, data, place)
        place += struct.calcsize(">" + format)
        return values
    def dictionary(count):
        attributes = []
        for _ in range(count):
            length, = take("h")
            name = take("%ds" % length)[0].decode()
            size, kind = take("hi")
            take("%di" % size)
            attributes.append((name, size, kind))
        return attributes
    def values(attributes):
        return [take("%d%s" % (size, {0: "f", 1: "i", 5: "f"}[kind])) for _, size, kind in attributes]
    magic, letter, version, points, prims, point_groups, prim_groups = take("4sc5i")
    point_attributes, vertex_attributes, prim_attributes, details = take("4i")
    print(magic, letter, version, points, prims, point_groups, prim_groups, vertex_attributes,
          prim_attributes)
    point_attributes = dictionary(point_attributes)
    print(point_attributes)
    for point in range(points):
        at = take("4f")
        row = values(point_attributes)
        if point == 5:
            print("%.9g %.9g %.9g %g" % at, row[0], row[1], row[2][0] % 2**32, row[3])
    details = dictionary(details)
    print(dict(zip([d[0] for d in details], values(details)))["time"], details)
    print("rest", data[place:])
)");
    const std::string header = "b'Bgeo' b'V' 5 %d 0 0 0 0 0\n";
    const std::string attributes =
        "[('v', 3, 5), ('density', 1, 0), ('id', 1, 1), ('fluid', 1, 1), "
        "('angular velocity', 3, 5)]\n";
    const std::string end =
        "(0.3333333432674408,) [('time', 1, 0), ('time_bits', 2, 1), ('dimension', 1, 1)]\n"
        "rest b'\\x00\\xff'\n";
    EXPECT_EQ(output_, text(header.c_str(), 7) + attributes + text("5 10 %.9g 1 ", std::sin(5.f)) +
                           "(-5.0, 0.5, 0.0) (1005.0,) 3999999995 (1,)\n" + end +
                           text(header.c_str(), 0) + attributes + end);
}

}  // namespace
}  // namespace millrace
