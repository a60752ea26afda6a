#include "io/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"
#include "support/shell.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using test::TemporaryFolder;

Checkpoint make_checkpoint(std::size_t n) {
    Checkpoint checkpoint;
    Snapshot& s = checkpoint.snapshot;
    s.time = 1.0 / 3;
    s.step = 1234567890123;
    s.last_dt = 0.00123;
    s.lost = 17;
    s.time_step = {0.1, -3, 1e-300};
    s.next_id = 4'000'000'001u;
    s.emitted = {n, 1};
    s.sunk = {7};
    s.bodies.assign(19 * n, 1.0 / 3);
    s.pool.assign(n % 7, 201);
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(i) / 3;
        s.positions.insert(s.positions.end(), {x, -x, 2 * x});
        s.velocities.insert(s.velocities.end(), {x, 0, -0.f});
        s.volumes.push_back(x);
        s.pressures.push_back(1000 * x);
        s.divergence_pressures.push_back(500 * x);
        s.ids.push_back(4'000'000'000u - static_cast<std::uint32_t>(i));
        s.fluids.push_back(static_cast<std::uint8_t>(i));
    }
    checkpoint.scene = "{ \"a\": 1 }\n";
    checkpoint.recorder = n % 2 ? "{}" : "";
    return checkpoint;
}

std::string read_error(const std::filesystem::path& path) {
    try {
        read_checkpoint(path);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

class CheckpointFile : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_checkpoints())
            GTEST_SKIP() << "HDF5 is not built in";
    }
    const TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_ / "a.h5";
};

TEST_F(CheckpointFile, RoundTripIsExact) {
    for (const std::size_t n : {0u, 1u, 1000u, 100'000u}) {
        const Checkpoint a = make_checkpoint(n);
        write_checkpoint(file_, a);
        const Checkpoint b = read_checkpoint(file_);
        EXPECT_EQ(a.snapshot.time, b.snapshot.time);
        EXPECT_EQ(a.snapshot.step, b.snapshot.step);
        EXPECT_EQ(a.snapshot.last_dt, b.snapshot.last_dt);
        EXPECT_EQ(a.snapshot.lost, b.snapshot.lost);
        EXPECT_EQ(a.snapshot.time_step, b.snapshot.time_step);
        EXPECT_EQ(a.snapshot.positions, b.snapshot.positions);
        EXPECT_EQ(a.snapshot.velocities, b.snapshot.velocities);
        EXPECT_EQ(a.snapshot.volumes, b.snapshot.volumes);
        EXPECT_EQ(a.snapshot.pressures, b.snapshot.pressures);
        EXPECT_EQ(a.snapshot.divergence_pressures, b.snapshot.divergence_pressures);
        EXPECT_EQ(a.snapshot.ids, b.snapshot.ids);
        EXPECT_EQ(a.snapshot.fluids, b.snapshot.fluids);
        EXPECT_EQ(a.snapshot.next_id, b.snapshot.next_id);
        EXPECT_EQ(a.snapshot.emitted, b.snapshot.emitted);
        EXPECT_EQ(a.snapshot.sunk, b.snapshot.sunk);
        EXPECT_EQ(a.snapshot.bodies, b.snapshot.bodies);
        EXPECT_EQ(a.snapshot.pool, b.snapshot.pool);
        EXPECT_EQ(a.scene, b.scene);
        EXPECT_EQ(a.recorder, b.recorder);
    }
    EXPECT_EQ(folder_.files(), std::vector<std::string>{"a.h5"});
}

// The user block before HDF5's own bytes does not keep other programs from reading the file.
TEST_F(CheckpointFile, ToolsOfHdf5ReadIt) {
    if (!test::has_program("h5dump"))
        GTEST_SKIP() << "h5dump is not installed (Debian: hdf5-tools)";
    write_checkpoint(file_, make_checkpoint(10));
    const auto result = test::shell("h5dump -d /step " + file_.string());
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("1234567890123"), std::string::npos) << result.output;
}

TEST_F(CheckpointFile, MissingAndForeignFilesAreInputErrors) {
    EXPECT_NE(read_error(folder_ / "none.h5").find("No such file"), std::string::npos);
    EXPECT_NE(read_error(folder_.path()).find("directory"), std::string::npos);
    for (const std::string text : {"", "hello", "\x89HDF\r\n\x1a\n", "millrace checkpoint 2\n"}) {
        write_file(file_, text);
        EXPECT_EQ(read_error(file_).find(file_.string() + ": is "), 0u) << read_error(file_);
    }
}

TEST_F(CheckpointFile, EveryTruncationIsAnInputError) {
    write_checkpoint(file_, make_checkpoint(20));
    const std::string whole = read_file(file_);
    for (std::size_t size = 0; size < whole.size(); size += size < 700 ? 1 : 97) {
        write_file(file_, whole.substr(0, size));
        ASSERT_NE(read_error(file_), "no error") << size;
    }
    write_file(file_, whole + "x");
    EXPECT_NE(read_error(file_), "no error");
}

TEST_F(CheckpointFile, RandomDamageIsAlwaysFound) {
    write_checkpoint(file_, make_checkpoint(300));
    const std::string whole = read_file(file_);
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> place(0, whole.size() - 1);
    for (int round = 0; round < 1000; ++round) {
        std::string damaged = whole;
        for (int k = 0; k < 1 + round % 4; ++k)
            damaged[place(random)] ^= static_cast<char>(1 + random() % 255);
        if (damaged == whole)
            continue;
        write_file(file_, damaged);
        ASSERT_NE(read_error(file_), "no error") << round;
    }
}

TEST_F(CheckpointFile, UnwritablePlacesAreRunErrorsThatNameThem) {
    const auto message = [](const std::filesystem::path& path) -> std::string {
        try {
            write_checkpoint(path, make_checkpoint(1000));
        } catch (const RunError& e) {
            return e.what();
        }
        return "no error";
    };
    EXPECT_NE(message("/nowhere/at/all.h5").find("/nowhere/at/all.h5: "), std::string::npos);
    write_checkpoint(file_, make_checkpoint(1));
    rlimit old_limit{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4000, old_limit.rlim_max};  // stands for the full disk
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string text = message(file_);
    setrlimit(RLIMIT_FSIZE, &old_limit);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_NE(text.find(file_.string() + ": cannot be written"), std::string::npos) << text;
    EXPECT_EQ(read_checkpoint(file_).snapshot.ids.size(), 1u);  // the old one is still there
    EXPECT_EQ(folder_.files(), std::vector<std::string>{"a.h5"});
}

}  // namespace
}  // namespace millrace
