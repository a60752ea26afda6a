#include "io/particle_formats.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/damage.hpp"
#include "support/format_frames.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

/// Every bit, so that not-a-numbers and -0 count too.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same(const ParticleFrame& a, const ParticleFrame& b, const std::string& format) {
    EXPECT_EQ(a.time, b.time) << format;
    EXPECT_EQ(a.dimension, b.dimension) << format;
    EXPECT_TRUE(same_bits(a.positions, b.positions)) << format;
    ASSERT_EQ(a.fields.size(), b.fields.size()) << format;
    for (std::size_t f = 0; f < a.fields.size(); ++f) {
        EXPECT_EQ(a.fields[f].name, b.fields[f].name) << format;
        EXPECT_EQ(a.fields[f].components, b.fields[f].components) << format;
        ASSERT_EQ(a.fields[f].data.index(), b.fields[f].data.index()) << format;
        std::visit(
            [&](const auto& data) {
                using List = std::decay_t<decltype(data)>;
                EXPECT_TRUE(same_bits(data, std::get<List>(b.fields[f].data)))
                    << format << " " << a.fields[f].name;
            },
            a.fields[f].data);
    }
}

TEST(ParticleFormats, EveryFrameComesBackAsItWas) {
    const TemporaryFolder folder;
    ParticleFrame bare = test::fluid_frame(3);
    bare.fields.clear();
    bare.time = -0.0;
    ParticleFrame strange = test::fluid_frame(1);
    strange.positions = {NAN, INFINITY, -0.f};
    strange.time = 1e300;
    for (const std::string& format : particle_formats()) {
        const auto path = folder / ("a." + format);
        for (const ParticleFrame& frame :
             {test::fluid_frame(5000), test::fluid_frame(1), test::fluid_frame(0),
              test::fluid_frame(77, 2), test::diffuse_frame(40), test::diffuse_frame(0), bare,
              strange}) {
            write_particles(path, frame);
            expect_same(read_particles(path), frame, format);
        }
    }
    EXPECT_EQ(folder.files().size(), particle_formats().size());
}

TEST(ParticleFormats, DamageIsAnInputError) {
    const TemporaryFolder folder;
    for (const std::string& format : particle_formats()) {
        if (format == "vtu")
            continue;  // has its own tests
        const std::string name = "a." + format;
        write_particles(folder / name, test::fluid_frame(30));
        test::expect_damage_is_noticed(folder, name, read_particles);
    }
}

TEST(ParticleFormats, AbsurdCountsTakeNoMemory) {
    const TemporaryFolder folder;
    write_particles(folder / "a.bgeo", test::fluid_frame(20));
    std::string bytes = read_file(folder / "a.bgeo");
    bytes[9] = 0x7f;  // number of points, big-endian
    write_file(folder / "a.bgeo", bytes);
    EXPECT_THROW(read_particles(folder / "a.bgeo"), InputError);
    write_particles(folder / "a.ply", test::fluid_frame(20));
    bytes = read_file(folder / "a.ply");
    for (const char* count :
         {"2147483647", "2147483648", "99999999999999999999", "-1", "", "20 "}) {
        std::string damaged = bytes;
        damaged.replace(damaged.find("vertex 20") + 7, 2, count);
        write_file(folder / "a.ply", damaged);
        EXPECT_THROW(read_particles(folder / "a.ply"), InputError) << count;
    }
}

TEST(ParticleFormats, UnknownEndingsAreInputErrorsThatListTheKnown) {
    const ParticleFrame frame = test::fluid_frame(1);
    for (const char* path : {"a.xyz", "a", "a.vtp"}) {
        const std::string error = test::input_error([&] { write_particles(path, frame); });
        EXPECT_TRUE(error.starts_with(std::string(path) +
                                      ": the endings for particles are .vtu, .ply, .bgeo"))
            << error;
        EXPECT_EQ(test::input_error([&] { read_particles(path); }), error);
    }
    for (const std::string& format : particle_formats())
        EXPECT_THROW(write_particles("/nowhere/at/all." + format, frame), RunError) << format;
}

// What a format cannot hold is refused, not bent.
TEST(ParticleFormats, NamesThatAFormatCannotHoldAreRunErrors) {
    const TemporaryFolder folder;
    const auto refuses = [&](const std::string& format, const std::string& name) {
        ParticleFrame frame = test::fluid_frame(2);
        frame.fields[1].name = name;
        EXPECT_THROW(write_particles(folder / ("a." + format), frame), RunError) << format << name;
    };
    refuses("bgeo", "v");
    refuses("ply", "two\nlines");
    if (particle_formats().back() == "h5")
        for (const char* name : {"a/b", "positions", "", "id"})
            refuses("h5", name);
    EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace millrace
