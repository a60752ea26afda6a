#include "io/body_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

BodyView view(const std::string& name) {
    BodyView v;
    v.name = name;
    v.position = {1.0 / 3, -2, 3e-7};
    v.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // a quarter of a turn about z
    v.velocity = {0.1, 0.2, 0.3};
    v.angular_velocity = {0, 0, -4};
    return v;
}

TEST(BodyLines, RoundTripIsExact) {
    const test::TemporaryFolder folder;
    const BodyFrame a{0.1, {view("b"), view("a")}, {view("door")}}, b{0.2, {}, {}};
    write_file(folder / "bodies.jsonl", body_line(a, 3) + body_line(b, 3));
    const std::vector<BodyFrame> read = read_body_lines(folder / "bodies.jsonl");
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].time, 0.1);
    ASSERT_EQ(read[0].bodies.size(), 2u);
    EXPECT_EQ(read[0].bodies[0].name, "b");  // in their order
    ASSERT_EQ(read[0].walls.size(), 1u);
    for (const BodyView& v : {read[0].bodies[1], read[0].walls[0]}) {
        EXPECT_EQ(v.position, view("").position);
        EXPECT_EQ(v.rotation, view("").rotation);
        EXPECT_EQ(v.velocity, view("").velocity);
        EXPECT_EQ(v.angular_velocity, view("").angular_velocity);
    }
    EXPECT_TRUE(read[1].bodies.empty() && read[1].walls.empty());
}

TEST(BodyLines, WallsAreThereOnlyWhereSomeMove) {
    EXPECT_EQ(body_line({0.5, {}, {}}, 3), "{\"time\":0.5,\"bodies\":{}}\n");
    EXPECT_TRUE(nlohmann::json::parse(body_line({0.5, {}, {view("a")}}, 3)).contains("walls"));
}

TEST(BodyLines, InThePlaneARotationIsAnAngleInDegrees) {
    const test::TemporaryFolder folder;
    const std::string line = body_line({0, {}, {view("door")}}, 2);
    const auto wall = nlohmann::json::parse(line)["walls"]["door"];
    EXPECT_EQ(wall["position"].size(), 2u);
    EXPECT_NEAR(wall["rotation"].get<double>(), 90, 1e-12);
    EXPECT_EQ(wall["angular_velocity"], -4.0);
    write_file(folder / "bodies.jsonl", line);
    const BodyView read = read_body_lines(folder / "bodies.jsonl")[0].walls[0];
    for (int k = 0; k < 4; ++k)
        EXPECT_NEAR(read.rotation[k], view("").rotation[k], 1e-15);
    EXPECT_EQ(read.position, (Vector{1.0 / 3, -2, 0}));
    EXPECT_EQ(read.angular_velocity, (Vector{0, 0, -4}));
}

TEST(BodyLines, ADamagedLineIsNamed) {
    const test::TemporaryFolder folder;
    for (const char* bad : {"{", "{\"time\": 1}", "{\"time\": 1, \"bodies\": {\"a\": 3}}"}) {
        write_file(folder / "bodies.jsonl", body_line({}, 3) + bad + "\n");
        try {
            read_body_lines(folder / "bodies.jsonl");
            FAIL() << "no error for " << bad;
        } catch (const InputError& e) {
            EXPECT_EQ((folder / "bodies.jsonl").string() + ": line 2 is damaged", e.what());
        }
    }
}

}  // namespace
}  // namespace millrace
