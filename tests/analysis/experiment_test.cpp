#include "analysis/experiment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/column.hpp"
#include "analysis/s1_controller.hpp"
#include "analysis/s1_scaling.hpp"
#include "io/atomic_file.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace millrace {
namespace {

using Verdict = Claim::Verdict;

const Claim& claim_with(const std::vector<Claim>& claims, const std::string& text) {
    for (const Claim& claim : claims)
        if (claim.text.find(text) != std::string::npos)
            return claim;
    ADD_FAILURE() << "no claim with " << text;
    return claims.at(0);
}

TEST(Table, IsWrittenAsMarkdownAndCsv) {
    const Table table{"t", "T", {"name", "x [m]"}, {{"a, b", 0.125}, {"\"c\"", std::nan("")}}};
    EXPECT_EQ(table_markdown(table),
              "| name | x [m] |\n|---|---|\n| a, b | 0.125 |\n| \"c\" | - |\n");
    EXPECT_EQ(table_csv(table), "name,x [m]\n\"a, b\",0.125\n\"\"\"c\"\"\",\n");
}

TEST(Experiment, ReportIsWrittenToFiles) {
    const test::TemporaryFolder folder;
    ExperimentReport report;
    report.name = "n";
    report.title = "A title";
    report.notes = {"a note"};
    report.tables = {{"numbers", "Numbers", {"a", "b"}, {{1.0, "x"}, {std::nan(""), "y"}}}};
    report.charts = {{"curve", {"Curve", {"x"}, {"y"}, {{"s", {1, 2}, {3, 4}}}}}};
    report.claims = {{"it is so", Verdict::holds, "3"}, {"or so", Verdict::not_measured, ""}};
    write_report(folder / "out/n", report);
    EXPECT_EQ(read_file(folder / "out/n/numbers.csv"), "a,b\n1,x\n,y\n");
    EXPECT_TRUE(read_file(folder / "out/n/curve.svg").starts_with("<svg"));
    const std::string text = read_file(folder / "out/n/report.md");
    EXPECT_NE(text.find("| it is so | holds | 3 |"), std::string::npos) << text;
    EXPECT_NE(text.find("![Curve](curve.svg)"), std::string::npos) << text;
    const auto json = nlohmann::json::parse(read_file(folder / "out/n/result.json"));
    EXPECT_EQ(json["tables"]["numbers"][0]["a"], 1);
    EXPECT_TRUE(json["tables"]["numbers"][1]["a"].is_null());
    EXPECT_EQ(json["claims"][1]["verdict"], "not measured");
}

/// Made-up cases that are as S1 found them.
std::vector<ScalingCase> as_in_s1() {
    std::vector<ScalingCase> cases;
    int k = 0;
    for (const double height : {0.5, 2.0, 8.0}) {
        const double speed = 1 / height, dt = 0.004 / std::sqrt(height), error = 0.02;
        cases.push_back({"IISPH cold", height, 1e4, speed, dt, 6, error, 0});
        cases.push_back({"IISPH warm", height, 1e4, speed * (1.2 + 0.2 * k), dt, 6, error, 0});
        cases.push_back({"DFSPH", height, 1e4, speed * (0.9 + 0.3 * k), dt, 6, error * 1.004, 0});
        cases.push_back({"PCISPH", height, 1e4, speed * (0.5 + 0.1 * k), dt, 6, error * 1.007, 0});
        ++k;
    }
    return cases;
}

TEST(S1Scaling, ClaimsHoldForTheFiguresOfS1) {
    const std::vector<Claim> claims = scaling_claims(as_in_s1());
    EXPECT_EQ(claims.size(), 6u);
    for (const Claim& claim : claims)
        EXPECT_EQ(claim.verdict, Verdict::holds) << claim.text << ": " << claim.figures;
    EXPECT_EQ(claim_with(claims, "PCISPH").figures, "50 % to 70 %");
    EXPECT_EQ(claim_with(claims, "warm start").figures, "120 % to 160 %");
    EXPECT_EQ(claim_with(claims, "DFSPH").figures,
              "75 % at the lowest, 93.75 % at the highest column");
    EXPECT_EQ(claim_with(claims, "height errors").figures, "by at most 0.7 %");
}

TEST(S1Scaling, ClaimsFailWhereTheyAreWrong) {
    auto cases = as_in_s1();
    for (ScalingCase& c : cases) {
        if (c.solver == "PCISPH")
            c.speed *= 1.5;
        if (c.solver == "IISPH warm" && c.height == 2)
            c.speed *= 0.5;
        if (c.solver == "DFSPH")
            c.speed = 0.4 / c.height;
        if (c.solver == "PCISPH" && c.height == 8)
            c.height_error *= 1.01;
        if (c.solver == "IISPH cold" && c.height == 8) {
            c.mean_dt = 0.01;
        }
    }
    const std::vector<Claim> claims = scaling_claims(cases);
    for (const char* text : {"PCISPH", "warm start", "DFSPH", "height errors", "fastest step"})
        EXPECT_EQ(claim_with(claims, text).verdict, Verdict::does_not_hold) << text;
    EXPECT_EQ(claim_with(claims, "fastest step").figures, "not with IISPH cold");
    EXPECT_EQ(claim_with(claims, "the speed falls").verdict, Verdict::holds);
}

TEST(S1Scaling, WhatWasNotMeasuredIsNotJudged) {
    for (const Claim& claim : scaling_claims({}))
        EXPECT_EQ(claim.verdict, Verdict::not_measured) << claim.text;
    auto cases = as_in_s1();
    std::erase_if(cases, [](const ScalingCase& c) { return c.solver == "DFSPH"; });
    for (ScalingCase& c : cases)
        if (c.solver == "PCISPH")
            c.speed = c.height_error = c.mean_dt = std::nan("");  // it blew up
    const std::vector<Claim> claims = scaling_claims(cases);
    EXPECT_EQ(claim_with(claims, "DFSPH").verdict, Verdict::not_measured);
    EXPECT_EQ(claim_with(claims, "PCISPH").verdict, Verdict::not_measured);
    EXPECT_EQ(claim_with(claims, "warm start").verdict, Verdict::holds);
    EXPECT_EQ(claim_with(claims, "the speed falls").verdict, Verdict::holds);
}

TEST(S1Controller, SearchesAreComparedWithTheBestFixedStep) {
    std::vector<ControllerCase> cases = {{"greedy", false, 0.003, 5, 0.3, 0.95},
                                         {"random", false, 0.003, 11, 0.9, 0.8},
                                         {"1 ms", true, 0.001, 3, 0.5, 0.5},
                                         {"3 ms", true, 0.003, 5, 0.9, 1.0},
                                         {"9 ms", true, 0.009, 5, 9.0, std::nan("")}};
    const std::vector<Claim> claims = controller_claims(cases);
    ASSERT_EQ(claims.size(), 4u);
    EXPECT_EQ(claims[0].verdict, Verdict::holds);
    EXPECT_EQ(claims[0].figures, "95 % of the speed of '3 ms'");
    EXPECT_EQ(claims[1].verdict, Verdict::holds);
    EXPECT_EQ(claims[1].figures, "5 on average");
    EXPECT_EQ(claims[2].verdict, Verdict::does_not_hold);
    EXPECT_EQ(claims[3].verdict, Verdict::does_not_hold);
    cases.resize(2);
    EXPECT_EQ(controller_claims(cases)[0].verdict, Verdict::not_measured);
}

TEST(Column, IsTheSceneOfTheFileWithOtherSizes) {
    const std::string file = in_sources("scenes/experiments/column.json");
    EXPECT_EQ(column_scene(5, 0.05, {}), load_scene(file));
    const Scene scene = column_scene(0.5, 0.25, {"pressure.method=iisph"});
    EXPECT_EQ(std::get<Box>(scene.fluids[0].fill[0].shape).max, (Vector{2, 0.5, 2}));
    EXPECT_EQ(scene.spacing, 0.25);
    std::vector<double> times;
    const ColumnRun run =
        run_column(scene, 0.05, {"cpu", 1}, [&](double time) { times.push_back(time); });
    EXPECT_EQ(run.particles, 8u * 2 * 8);
    EXPECT_EQ(times.back(), 0.05);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    StepSums all;
    for (const ColumnSample& sample : run.history) {
        all.steps += sample.sums.steps;
        all.seconds += sample.sums.seconds;
    }
    EXPECT_EQ(all.steps, times.size());
    EXPECT_NEAR(all.seconds, 0.05, 1e-12);
    EXPECT_NEAR(run.sums.seconds, 0.025, 0.003);
    EXPECT_NEAR(run.mean_dt() * run.sums.steps, run.sums.seconds, 1e-12);
    EXPECT_GE(run.mean_iterations(), 3);
    EXPECT_GT(run.speed(), 0);
    // the centre of the highest particle is half a spacing below the surface
    EXPECT_NEAR(run.height_error, 0.125, 0.05);
    EXPECT_LT(run.surface_error, 0.05);
}

/// `millrace experiment ARGUMENTS` in a folder.
struct Outcome {
    int code;
    std::string output, errors;
};

Outcome run_command(const test::TemporaryFolder& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "experiment");
    test::Program program(folder.path(), arguments);
    const int code = program.wait();
    return {code, program.output(), program.errors()};
}

void expect_files(const std::filesystem::path& folder, const std::vector<std::string>& files) {
    for (const std::string& file : files)
        EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
}

TEST(ExperimentCommand, ListsAndRefuses) {
    if (!std::filesystem::exists(test::k_program))
        GTEST_SKIP() << test::k_program << " is not built";
    const test::TemporaryFolder folder;
    const Outcome list = run_command(folder, {"--list"});
    EXPECT_EQ(list.code, 0);
    for (const Experiment& experiment : experiments())
        EXPECT_NE(list.output.find(experiment.name), std::string::npos);
    const Outcome unknown = run_command(folder, {"s9"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_EQ(unknown.errors, "error: experiment: there is no experiment 's9'; see --list\n");
    EXPECT_EQ(run_command(folder, {}).code, 2);
    EXPECT_EQ(run_command(folder, {"s1-scaling", "--seconds", "-1"}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

// The shortest runs of all cases: the figures mean nothing, the files are there.
TEST(Physics, ExperimentsRunThroughTheProgram) {
    if (!std::filesystem::exists(test::k_program))
        GTEST_SKIP() << test::k_program << " is not built";
    const test::TemporaryFolder folder;
    const std::vector<std::string> options = {"--quick", "--seconds", "0.004", "--device", "cpu"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), options.begin(), options.end());
        return words;
    };
    const Outcome scaling = run_command(folder, with({"s1-scaling", "--json"}));
    ASSERT_EQ(scaling.code, 0) << scaling.errors;
    const auto json = nlohmann::json::parse(scaling.output);
    EXPECT_GE(json["tables"]["cases"].size(), 8u);
    EXPECT_EQ(json["claims"].size(), 6u);
    expect_files(folder / "out/s1-scaling", {"report.md", "result.json", "cases.csv", "speed.svg",
                                             "step.svg", "relative_speed.svg", "height_error.svg"});
    const Outcome controller = run_command(folder, with({"s1-controller", "--out", "there"}));
    ASSERT_EQ(controller.code, 0) << controller.errors;
    EXPECT_NE(controller.output.find("within 10 %"), std::string::npos) << controller.output;
    expect_files(folder / "there", {"report.md", "runs.csv", "step.svg", "performance.svg",
                                    "iterations.svg", "sweep.svg"});
}

}  // namespace
}  // namespace millrace
