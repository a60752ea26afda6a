#include "io/vtu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "io/atomic_file.hpp"
#include "io/pvd.hpp"
#include "millrace/error.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

/// n particles with exactly known ranges: positions from 0 to n - 1 along x.
ParticleFrame make_frame(std::size_t n, double time = 0.25) {
    ParticleFrame frame;
    frame.time = time;
    frame.positions.resize(3 * n);
    std::vector<float> velocity(3 * n), density(n);
    std::vector<std::uint32_t> id(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(i);
        frame.positions[3 * i] = x;
        frame.positions[3 * i + 1] = 2 * x;
        frame.positions[3 * i + 2] = std::sin(x);
        velocity[3 * i] = -x;
        velocity[3 * i + 1] = 0.5f;
        density[i] = 1000 + x;
        id[i] = 4'000'000'000u - static_cast<std::uint32_t>(i);
    }
    frame.fields = {{"velocity", 3, velocity}, {"density", 1, density}, {"id", 1, id}};
    return frame;
}

void expect_same(const ParticleFrame& a, const ParticleFrame& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.dimension, b.dimension);
    EXPECT_EQ(a.positions, b.positions);
    ASSERT_EQ(a.fields.size(), b.fields.size());
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        EXPECT_EQ(a.fields[i].name, b.fields[i].name);
        EXPECT_EQ(a.fields[i].components, b.fields[i].components);
        EXPECT_EQ(a.fields[i].data, b.fields[i].data);
    }
}

std::string read_error(const std::filesystem::path& path) {
    try {
        read_vtu(path);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Vtu, RoundTripIsExact) {
    const TemporaryFolder folder;
    // around the size of a block (8192 floats) and over many blocks
    for (const std::size_t n : {0u, 1u, 2u, 8191u, 8192u, 8193u, 50'000u}) {
        ParticleFrame frame = make_frame(n, 1.0 / 3);
        frame.dimension = n % 2 ? 2 : 3;
        write_vtu(folder / "a.vtu", frame);
        expect_same(read_vtu(folder / "a.vtu"), frame);
    }
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.vtu"});
}

TEST(Vtu, KeepsNotANumberAndStrangeNames) {
    const TemporaryFolder folder;
    ParticleFrame frame;
    frame.positions = {NAN, INFINITY, -0.f};
    frame.fields = {{"a <\"b\"> & c", 1, std::vector<float>{1}}};
    write_vtu(folder / "a.vtu", frame);
    const ParticleFrame back = read_vtu(folder / "a.vtu");
    EXPECT_TRUE(std::isnan(back.positions[0]));
    EXPECT_TRUE(std::signbit(back.positions[2]));
    EXPECT_NE(back.find("a <\"b\"> & c"), nullptr);
    EXPECT_EQ(back.find("other"), nullptr);
}

TEST(Vtu, UnwritablePlaceIsARunErrorThatNamesIt) {
    try {
        write_vtu("/nowhere/at/all.vtu", make_frame(1));
        FAIL() << "no error";
    } catch (const RunError& e) {
        EXPECT_NE(std::string(e.what()).find("/nowhere/at/all.vtu"), std::string::npos);
    }
}

TEST(Vtu, MissingAndForeignFilesAreInputErrors) {
    const TemporaryFolder folder;
    EXPECT_NE(read_error(folder / "none.vtu").find("No such file"), std::string::npos);
    const char* foreign[] = {
        "",
        "hello",
        "<?xml version=\"1.0\"?><svg/>",
        "<VTKFile",
        "<VTKFile/>",
        "<VTKFile type=\"PolyData\"></VTKFile>",
        "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">"
        "<UnstructuredGrid><Piece NumberOfPoints=\"1\"><Points><DataArray type=\"Float32\" "
        "format=\"ascii\">0 0 0</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"};
    for (const char* text : foreign) {
        write_file(folder / "a.vtu", text);
        EXPECT_NE(read_error(folder / "a.vtu").find("a.vtu: "), std::string::npos) << text;
    }
}

TEST(Vtu, EveryTruncationIsAnInputError) {
    const TemporaryFolder folder;
    write_vtu(folder / "a.vtu", make_frame(20));
    const std::string whole = read_file(folder / "a.vtu");
    // a file without the line break after the last tag is still whole
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
        write_file(folder / "b.vtu", whole.substr(0, size));
        ASSERT_NE(read_error(folder / "b.vtu"), "no error") << size;
    }
}

TEST(Vtu, RandomDamageNeverCrashes) {
    const TemporaryFolder folder;
    write_vtu(folder / "a.vtu", make_frame(300));
    const std::string whole = read_file(folder / "a.vtu");
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> place(0, whole.size() - 1);
    std::uniform_int_distribution<int> letter(32, 126);
    int errors = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = whole;
        for (int k = 0; k < 1 + round % 4; ++k)
            damaged[place(random)] = static_cast<char>(letter(random));
        write_file(folder / "b.vtu", damaged);
        errors += read_error(folder / "b.vtu") != "no error";
    }
    EXPECT_GT(errors, 1500);
}

TEST(Vtu, AbsurdSizesAreRefusedBeforeMemoryIsTaken) {
    const TemporaryFolder folder;
    write_vtu(folder / "a.vtu", make_frame(20));
    std::string text = read_file(folder / "a.vtu");
    const std::string count = "NumberOfPoints=\"20\"";
    text.replace(text.find(count), count.size(), "NumberOfPoints=\"9999999999\"");
    write_file(folder / "a.vtu", text);
    EXPECT_NE(read_error(folder / "a.vtu").find("contradict"), std::string::npos);
}

TEST(Pvd, RoundTrip) {
    const TemporaryFolder folder;
    const std::vector<PvdEntry> entries{{0, "particles/a_000000.vtu"},
                                        {1.0 / 30, "particles/a & \"b\"_000001.vtu"}};
    write_pvd(folder / "a.pvd", {});
    EXPECT_TRUE(read_pvd(folder / "a.pvd").empty());
    write_pvd(folder / "a.pvd", entries);
    const auto back = read_pvd(folder / "a.pvd");
    ASSERT_EQ(back.size(), 2u);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(back[i].time, entries[i].time);
        EXPECT_EQ(back[i].file, entries[i].file);
    }
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.pvd"});
}

TEST(Pvd, DamageIsAnInputError) {
    const TemporaryFolder folder;
    EXPECT_THROW(read_pvd(folder / "none.pvd"), InputError);
    for (const char* text :
         {"", "<VTKFile type=\"Collection\"><Collection>",
          "<VTKFile type=\"Other\"><Collection></Collection></VTKFile>",
          "<VTKFile type=\"Collection\"><Collection><DataSet timestep=\"soon\" file=\"a\"/>"
          "</Collection></VTKFile>",
          "<VTKFile type=\"Collection\"><Collection><DataSet timestep=\"1\"/>"
          "</Collection></VTKFile>"}) {
        write_file(folder / "a.pvd", text);
        EXPECT_THROW(read_pvd(folder / "a.pvd"), InputError) << text;
    }
}

// ParaView itself opens what we write: points, cells, arrays with their ranges, times.
TEST(Vtu, ParaViewReadsFramesAndCollection) {
    if (!test::has_program("pvpython"))
        GTEST_SKIP() << "pvpython is not installed (Debian: python3-paraview)";
    const TemporaryFolder folder;
    make_folder(folder / "particles");
    write_vtu(folder / "particles/a_000000.vtu", make_frame(10'001, 0));
    write_vtu(folder / "particles/a_000001.vtu", make_frame(7, 0.125));
    write_vtu(folder / "particles/a_000002.vtu", make_frame(0, 0.25));
    write_pvd(folder / "particles.pvd", {{0, "particles/a_000000.vtu"},
                                         {0.125, "particles/a_000001.vtu"},
                                         {0.25, "particles/a_000002.vtu"}});
    write_file(folder / "check.py", R"(
import sys
from paraview.simple import *
folder = sys.argv[1]
def show(reader):
    info = reader.GetDataInformation()
    print(info.GetNumberOfPoints(), info.GetNumberOfCells(), end=" ")
    data = reader.PointData
    for name in sorted(data.keys()):
        print(name, [data[name].GetRange(c) for c in range(data[name].GetNumberOfComponents())],
              end=" ")
    print()
frame = XMLUnstructuredGridReader(FileName=[folder + "/particles/a_000001.vtu"])
frame.UpdatePipeline()
show(frame)
print([round(b, 3) for b in frame.GetDataInformation().GetBounds()])
times = frame.FieldData["TimeValue"].GetRange()
print("time", times)
collection = OpenDataFile(folder + "/particles.pvd")
print(list(collection.TimestepValues))
for time in collection.TimestepValues:
    collection.UpdatePipeline(time)
    show(collection)
)");
    const auto result = test::shell("pvpython '" + (folder / "check.py").string() + "' '" +
                                    folder.path().string() + "'");
    EXPECT_EQ(result.status, 0);
    const auto expect_line = [&](const std::string& line) {
        EXPECT_NE(result.output.find(line + "\n"), std::string::npos) << line << " is not in:\n"
                                                                      << result.output;
    };
    const std::string seven =
        "7 7 density [(1000.0, 1006.0)] id [(3999999994.0, 4000000000.0)] "
        "velocity [(-6.0, -0.0), (0.5, 0.5), (0.0, 0.0)] ";
    expect_line(seven);
    expect_line("[0.0, 6.0, 0.0, 12.0, -0.959, 0.909]");
    expect_line("time (0.125, 0.125)");
    expect_line("[0.0, 0.125, 0.25]");
    expect_line(
        "10001 10001 density [(1000.0, 11000.0)] id [(3999990000.0, 4000000000.0)] "
        "velocity [(-10000.0, -0.0), (0.5, 0.5), (0.0, 0.0)] ");
    EXPECT_EQ(result.output.find("ERROR"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("\n0 0 "), std::string::npos) << result.output;
}

}  // namespace
}  // namespace millrace
