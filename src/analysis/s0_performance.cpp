// The time of an update: S0 6.4 and 7.3, Tables 7.1 to 7.4; and larger dam breaks beside LiquidFun.
#include "analysis/s0_performance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "analysis/formatted.hpp"
#include "analysis/pool_case.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::size_t, 4> k_counts = {500, 1000, 1500, 2000};
constexpr double k_tank_width = 8, k_tank_height = 6;    // of the dam break [m]
constexpr double k_block_width = 3, k_block_height = 4;  // of the water in it [m]

enum class Setting { dam, pillar };

/// A row of S0 Tables 7.1 to 7.4 and ours [ms].
struct UpdateTimes {
    Setting scene;
    PoolCase setup;
    std::array<double, 4> s0;
    std::array<double, 4> ours = {k_missing, k_missing, k_missing, k_missing};
};

/// A dam break beside LiquidFun.
struct DamTimes {
    std::size_t particles;
    int threads;
    double liquidfun;                          ///< [ms]; NaN: not known
    double wall = k_missing, cpu = k_missing;  ///< medians [ms]
    double substeps = k_missing;               ///< mean
};

std::vector<UpdateTimes> s0_tables() {
    const PoolCase mueller = mueller_case(0.65, 1.0 / 120);
    const PoolCase clavet = clavet_case("hybrid", 1.0 / 120);
    const auto bodin = [](int iterations) {
        PoolCase c = bodin_case("poly6", 0.65, 1.0 / 120, iterations);
        c.name += formatted(", %d iterations", iterations);
        return c;
    };
    constexpr double x = k_missing;
    return {{Setting::dam, mueller, {2.4, 4.6, 7.0, 9.6}},
            {Setting::dam, clavet, {2.4, 4.7, 7.3, 9.9}},
            {Setting::dam, bodin(15), {3.6, 6.9, 10.2, 13.6}},
            {Setting::dam, bodin(10), {3.0, 5.6, 8.3, 11.2}},
            {Setting::dam, own_case("spook"), {x, x, x, x}},
            {Setting::pillar, mueller, {2.5, 5.3, 8.7, 13.0}},
            {Setting::pillar, clavet, {2.7, 5.4, 8.5, 11.9}},
            {Setting::pillar, bodin(15), {3.6, 7.0, 10.4, 14.0}},
            {Setting::pillar, bodin(10), {3.0, 5.7, 8.6, 11.4}},
            {Setting::pillar, own_case("spook"), {x, x, x, x}}};
}

std::vector<DamTimes> dam_breaks(bool quick) {
    std::vector<DamTimes> dams = {
        {2000, 1, 0.73}, {2000, 2, 0.73}, {10000, 1, 6.98}, {10000, 2, 6.98}};
    if (!quick) {
        dams.push_back({50000, 1, 63.3});
        dams.push_back({50000, 2, 63.3});
        dams.push_back({100000, 2, k_missing});
    }
    return dams;
}

/// What the steps of a run took.
struct StepTimes {
    std::vector<double> wall, cpu;  ///< [ms]; of all threads
    double substeps = 0;            ///< mean
};

StepTimes step_times(Pool& pool, double seconds, double dt) {
    StepTimes times;
    std::clock_t before = std::clock();
    run_pool(pool, seconds, dt, [&](const PoolReport& report) {
        const std::clock_t now = std::clock();
        times.wall.push_back(report.ms.total);
        times.cpu.push_back(1000 * static_cast<double>(now - before) / CLOCKS_PER_SEC);
        times.substeps += report.substeps;
        before = now;
    });
    times.substeps /= static_cast<double>(times.wall.size());
    return times;
}

double update_time(const UpdateTimes& row, std::size_t particles, double seconds) {
    const bool dam = row.scene == Setting::dam;
    Pool pool = make_tank(row.setup, 1, dam ? k_tank_width : k_block_width, 60);
    fill_rows(pool, k_block_width, particles, std::sqrt(k_s0_volume));
    return median(step_times(pool, seconds, row.setup.dt).wall);
}

void measure(DamTimes& dam, double seconds) {
    PoolCase c = own_case("spook");
    c.spacing = std::sqrt(k_block_width * k_block_height / static_cast<double>(dam.particles));
    c.density = 1000;
    Pool pool = make_tank(c, dam.threads, k_tank_width, k_tank_height);
    fill_rows(pool, k_block_width, dam.particles, c.spacing);
    StepTimes times = step_times(pool, seconds, c.dt);
    dam.substeps = times.substeps;
    dam.wall = median(times.wall);
    dam.cpu = median(times.cpu);
}

ExperimentReport report_of(const std::vector<UpdateTimes>& rows, const std::vector<DamTimes>& dams,
                           const std::vector<std::string>& notes) {
    ExperimentReport report;
    report.name = "s0-performance";
    report.title = "The time of an update (S0 Tables 7.1 to 7.4)";
    report.notes = notes;
    for (const Setting scene : {Setting::dam, Setting::pillar}) {
        const bool dam = scene == Setting::dam;
        Table table{dam ? "dam_break" : "pillar",
                    dam ? "Dam break, ms per update (S0 Tables 7.1 and 7.3)"
                        : "Pillar, ms per update (S0 Tables 7.2 and 7.4)",
                    {"method"},
                    {}};
        for (const char* whose : {"", "S0 "})
            for (const std::size_t n : k_counts)
                table.columns.push_back(whose + std::to_string(n));
        for (const UpdateTimes& row : rows) {
            if (row.scene != scene)
                continue;
            table.rows.push_back({row.setup.name});
            for (const auto& times : {row.ours, row.s0})
                table.rows.back().insert(table.rows.back().end(), times.begin(), times.end());
        }
        report.tables.push_back(std::move(table));
    }
    Table table{"large_dam_break",
                "Dam break 8 m x 6 m, block 3 m x 4 m, spook, ms per 1/60 s",
                {"particles", "threads", "wall time", "CPU time", "sub-steps",
                 "LiquidFun, CPU time of 1 thread", "LiquidFun / ours, CPU time"},
                {}};
    for (const DamTimes& d : dams)
        table.rows.push_back({std::to_string(d.particles), static_cast<double>(d.threads), d.wall,
                              d.cpu, d.substeps, d.liquidfun, d.liquidfun / d.cpu});
    report.tables.push_back(std::move(table));
    return report;
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty())
        return k_missing;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

ExperimentReport run_s0_performance(const ExperimentOptions& options) {
    const double seconds = options.seconds > 0 ? options.seconds : options.quick ? 1 : 4;
    const double dam_seconds = options.seconds > 0 ? options.seconds : options.quick ? 1 : 2;
    std::vector<UpdateTimes> rows = s0_tables();
    std::vector<DamTimes> dams = dam_breaks(options.quick);
    const std::vector<std::string> notes = {
        formatted("medians over %g simulated seconds (S0: means over 10,000 updates), the large "
                  "dam breaks over %g s",
                  seconds, dam_seconds),
        "S0's times are those of a computer of 2011; LiquidFun's were measured on two cores of a "
        "Xeon of 2.8 GHz that was quiet. What else runs on this machine is in our times: they are "
        "a report, no verdict",
        "S0's cases run on one thread"};
    const double all = static_cast<double>(rows.size() * k_counts.size() + dams.size());
    double done = 0;
    for (DamTimes& dam : dams) {
        options.progress(done++ / all, formatted("dam break, %zu particles", dam.particles));
        measure(dam, dam_seconds);
        options.save(report_of(rows, dams, notes));
    }
    for (UpdateTimes& row : rows) {
        for (std::size_t k = 0; k < k_counts.size(); ++k) {
            options.progress(done++ / all, row.setup.name);
            row.ours[k] = update_time(row, k_counts[k], seconds);
        }
        options.save(report_of(rows, dams, notes));
    }
    return report_of(rows, dams, notes);
}

}  // namespace millrace
