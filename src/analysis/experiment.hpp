#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "analysis/chart.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// A table of texts and numbers; a number that is not finite was not measured.
struct Table {
    using Cell = std::variant<std::string, double>;
    std::string name;  ///< of the file
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

std::string table_markdown(const Table& table);
std::string table_csv(const Table& table);

/// What a source says, and whether it is so here.
struct Claim {
    enum class Verdict { holds, does_not_hold, not_measured };
    std::string text;
    Verdict verdict = Verdict::not_measured;
    std::string figures;  ///< what was measured
};

std::string verdict_text(Claim::Verdict verdict);
/// The claim with its verdict; the figures are kept only where it was measured.
Claim judged(std::string text, bool measured, bool holds, std::string figures);

struct NamedChart {
    std::string name;  ///< of the file
    Chart chart;
};

/// What an experiment found, so far or in the end.
struct ExperimentReport {
    std::string name, title;
    std::vector<std::string> notes;  ///< how it was measured
    std::vector<Table> tables;
    std::vector<NamedChart> charts;
    std::vector<Claim> claims;
};

std::string report_markdown(const ExperimentReport& report);
nlohmann::ordered_json report_json(const ExperimentReport& report);
/// Writes report.md, result.json, a CSV file a table and an SVG file a chart.
void write_report(const std::filesystem::path& folder, const ExperimentReport& report);

struct ExperimentOptions {
    bool quick = false;  ///< coarser and shorter
    double seconds = 0;  ///< simulated time of a case; 0: that of the experiment
    Simulation::Options device;
    /// How far it is, from 0 to 1, and what it does.
    std::function<void(double, const std::string&)> progress = [](double, const std::string&) {};
    /// Gets the report after every case, so that a run that is ended early leaves what it has.
    std::function<void(const ExperimentReport&)> save = [](const ExperimentReport&) {};
};

struct Experiment {
    std::string name, purpose;
    std::function<ExperimentReport(const ExperimentOptions&)> run;
};

/// All experiments, by name.
const std::vector<Experiment>& experiments();

}  // namespace millrace
