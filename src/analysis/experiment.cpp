#include "analysis/experiment.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

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

}  // namespace millrace
