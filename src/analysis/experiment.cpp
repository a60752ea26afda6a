#include "analysis/experiment.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/s0_energy.hpp"
#include "analysis/s0_incompressibility.hpp"
#include "analysis/s0_performance.hpp"
#include "analysis/s0_rigid.hpp"
#include "analysis/s1_controller.hpp"
#include "analysis/s1_scaling.hpp"
#include "analysis/s2_convergence.hpp"
#include "analysis/s2_flush.hpp"
#include "analysis/s2_pile.hpp"
#include "analysis/s2_pillar.hpp"
#include "analysis/s2_pump.hpp"
#include "analysis/s2_stability.hpp"
#include "analysis/s2_steamer.hpp"
#include "io/atomic_file.hpp"

namespace millrace {

namespace {

using Json = nlohmann::ordered_json;

std::string number_text(double x, const char* format) {
    char text[40];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

std::string cell_text(const Table::Cell& cell, const char* format, const char* missing) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    const double x = std::get<double>(cell);
    return std::isfinite(x) ? number_text(x, format) : missing;
}

Json table_json(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json object;
        for (std::size_t k = 0; k < table.columns.size(); ++k)
            std::visit([&](const auto& value) { object[table.columns[k]] = value; }, row[k]);
        rows.push_back(std::move(object));  // a number that is not finite becomes null
    }
    return rows;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string field = "\"";
    for (const char c : text)
        field += c == '"' ? "\"\"" : std::string(1, c);
    return field + "\"";
}

}  // namespace

std::string table_markdown(const Table& table) {
    std::string text = "|";
    const auto add = [&](const std::string& cell) { text.append(" ").append(cell).append(" |"); };
    for (const std::string& column : table.columns)
        add(column);
    text += "\n|";
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        text += "---|";
    for (const auto& row : table.rows) {
        text += "\n|";
        for (const Table::Cell& cell : row)
            add(cell_text(cell, "%.4g", "-"));
    }
    return text + "\n";
}

std::string table_csv(const Table& table) {
    std::string text;
    const auto add = [&](bool first, const std::string& cell) {
        text.append(first ? "" : ",").append(csv_field(cell));
    };
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        add(k == 0, table.columns[k]);
    for (const auto& row : table.rows) {
        text += "\n";
        for (std::size_t k = 0; k < row.size(); ++k)
            add(k == 0, cell_text(row[k], "%.9g", ""));
    }
    return text + "\n";
}

std::string verdict_text(Claim::Verdict verdict) {
    switch (verdict) {
        case Claim::Verdict::holds:
            return "holds";
        case Claim::Verdict::does_not_hold:
            return "does not hold";
        default:
            return "not measured";
    }
}

Claim judged(std::string text, bool measured, bool holds, std::string figures) {
    using V = Claim::Verdict;
    return {std::move(text),
            !measured ? V::not_measured
            : holds   ? V::holds
                      : V::does_not_hold,
            measured ? std::move(figures) : ""};
}

std::string report_markdown(const ExperimentReport& report) {
    std::string text = "# " + report.title + "\n";
    for (const std::string& note : report.notes)
        text += "\n- " + note;
    text += report.notes.empty() ? "" : "\n";
    for (const Table& table : report.tables)
        text += "\n## " + table.title + "\n\n" + table_markdown(table);
    Table verdict{"verdict", "Verdict", {"claim", "verdict", "measured"}, {}};
    for (const Claim& claim : report.claims)
        verdict.rows.push_back({claim.text, verdict_text(claim.verdict), claim.figures});
    if (!verdict.rows.empty())
        text += "\n## " + verdict.title + "\n\n" + table_markdown(verdict);
    for (const NamedChart& chart : report.charts)
        text += "\n![" + chart.chart.title + "](" + chart.name + ".svg)\n";
    return text;
}

Json report_json(const ExperimentReport& report) {
    Json json{{"name", report.name}, {"title", report.title}, {"notes", report.notes}};
    json["tables"] = Json::object();
    for (const Table& table : report.tables)
        json["tables"][table.name] = table_json(table);
    json["claims"] = Json::array();
    for (const Claim& claim : report.claims)
        json["claims"].push_back({{"claim", claim.text},
                                  {"verdict", verdict_text(claim.verdict)},
                                  {"measured", claim.figures}});
    return json;
}

void write_report(const std::filesystem::path& folder, const ExperimentReport& report) {
    make_folder(folder);
    for (const Table& table : report.tables)
        write_file(folder / (table.name + ".csv"), table_csv(table));
    for (const NamedChart& chart : report.charts)
        write_file(folder / (chart.name + ".svg"), chart_svg(chart.chart));
    write_file(folder / "result.json", report_json(report).dump(2) + "\n");
    write_file(folder / "report.md", report_markdown(report));
}

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = {
        {"s0-incompressibility", "density over depth in a pillar of water (S0 Fig. 7.1 to 7.8)",
         run_s0_incompressibility},
        {"s0-energy", "how a pillar of water comes to rest (S0 Fig. 7.9 to 7.12)", run_s0_energy},
        {"s0-performance", "the time of an update (S0 Tables 7.1 to 7.4)", run_s0_performance},
        {"s0-rigid", "bodies in water and water on bodies (S0 Fig. 7.13 to 7.16)", run_s0_rigid},
        {"s1-controller", "the search of the fastest step against the best fixed one (S1 Fig. 3.2)",
         run_s1_controller},
        {"s1-scaling", "pressure solvers on columns of growing height (S1 Fig. 6.2 to 6.5)",
         run_s1_scaling},
        {"s2-pillar", "density of a pillar of water solved as constraints (S2 Fig. 1 and 2)",
         run_s2_pillar},
        {"s2-convergence", "what is left after every sweep of the solver (S2 Fig. 4)",
         run_s2_convergence},
        {"s2-pile", "dense bodies sink and light ones float (S2 Fig. 5)", run_s2_pile},
        {"s2-steamer", "the joints of a paddle steamer in a dam break (S2 Fig. 6)", run_s2_steamer},
        {"s2-pump", "the joints and the flow of a piston pump (S2 Fig. 7)", run_s2_pump},
        {"s2-flush", "water flushed into a tank, particles at 10 Hz (S2 Fig. 3, IX.C)",
         run_s2_flush},
        {"s2-stability", "dam breaks over compliance and step (S2 IX)", run_s2_stability},
    };
    return all;
}

}  // namespace millrace
