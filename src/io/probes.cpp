#include "io/probes.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "millrace/error.hpp"

namespace millrace {

namespace {

std::vector<std::string> columns(const Probe& probe, int dimension) {
    if (probe.type == "body") {
        std::vector<std::string> names;
        for (const char* quantity : {"", "v", "w", "f"})
            for (const char* axis : {"x", "y", "z"})
                names.push_back(probe.name + "_" + quantity + axis);
        return names;
    }
    if (probe.type == "velocity") {
        std::vector<std::string> names{probe.name + "_x", probe.name + "_y", probe.name + "_z"};
        names.resize(static_cast<std::size_t>(dimension));
        return names;
    }
    if (probe.type == "energy")
        return {probe.name + "_kinetic", probe.name + "_potential", probe.name + "_total"};
    return {probe.name};
}

/// The shortest text that reads back as the same number.
std::string number(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string cells(const Vector& v) {
    return ',' + number(v[0]) + ',' + number(v[1]) + ',' + number(v[2]);
}

const BodyView& body_of(const Probe& probe, const std::vector<BodyView>& bodies) {
    for (const BodyView& body : bodies)
        if (body.name == probe.body)
            return body;
    throw InputError("probe '" + probe.name + "': there is no body '" + probe.body + "'");
}

}  // namespace

Probes::Probes(const Scene& scene)
    : dimension_(scene.dimension), probes_(scene.probes), means_(scene.probes.size()) {
    std::map<std::string, std::string> owners;
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        const Probe& probe = probes_[i];
        any_body_ |= probe.type == "body";
        for (const std::string& column : columns(probe, dimension_)) {
            const auto [owner, is_new] = owners.emplace(column, probe.name);
            if (!is_new)
                throw InputError("probes[" + std::to_string(i) + "].name: its column '" + column +
                                 "' is already one of '" + owner->second + "', choose another");
        }
    }
}

std::string Probes::header() const {
    std::string line = "time";
    for (const Probe& probe : probes_)
        for (const std::string& column : columns(probe, dimension_))
            line += "," + column;
    return line + "\n";
}

void Probes::observe(const Simulation& simulation, double dt) {
    const std::vector<BodyView> bodies = any_body_ ? simulation.bodies() : std::vector<BodyView>();
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        if (probes_[i].type == "pressure") {
            means_[i].add(0, simulation.probe(probes_[i])[0], dt);
            means_[i].time += dt;
        } else if (probes_[i].type == "body") {
            const Vector& force = body_of(probes_[i], bodies).force;
            for (int k = 0; k < 3; ++k)
                means_[i].add(k, force[k], dt);
            means_[i].time += dt;
        }
    }
}

std::string Probes::row(const Simulation& simulation,
                        const std::function<bool(std::size_t)>& is_due) {
    const std::vector<BodyView> bodies = any_body_ ? simulation.bodies() : std::vector<BodyView>();
    std::string line = number(simulation.time());
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        const Probe& probe = probes_[i];
        const std::size_t cell_count = columns(probe, dimension_).size();
        if (!is_due(i)) {
            line.append(cell_count, ',');
            continue;
        }
        const Mean mean = std::exchange(means_[i], {});
        if (probe.type == "body") {
            const BodyView& body = body_of(probe, bodies);
            const Vector force =
                mean.time > 0 ? Vector{mean.value(0), mean.value(1), mean.value(2)} : body.force;
            line += cells(body.position) + cells(body.velocity) + cells(body.angular_velocity) +
                    cells(force);
        } else if (probe.type == "pressure" && mean.time > 0) {
            line += ',' + number(mean.value(0));
        } else {
            std::vector<double> values = simulation.probe(probe);
            if (probe.type == "energy")
                values.push_back(values[0] + values[1]);
            for (std::size_t k = 0; k < cell_count; ++k)
                line += ',' + (k < values.size() ? number(values[k]) : "");
        }
    }
    return line + "\n";
}

int Probes::mean_size(std::size_t probe) const {
    return probes_[probe].type == "body" ? 3 : 1;
}

std::vector<double> Probes::state() const {
    std::vector<double> state;
    for (std::size_t i = 0; i < means_.size(); ++i) {
        state.insert(state.end(), means_[i].integral.begin(),
                     means_[i].integral.begin() + mean_size(i));
        state.push_back(means_[i].time);
    }
    return state;
}

void Probes::restore(const std::vector<double>& state) {
    if (state.size() != this->state().size())
        throw InputError("the state of the probes has another length");
    auto next = state.begin();
    for (std::size_t i = 0; i < means_.size(); ++i) {
        means_[i] = {};
        std::copy_n(next, mean_size(i), means_[i].integral.begin());
        means_[i].time = next[mean_size(i)];
        next += mean_size(i) + 1;
    }
}

}  // namespace millrace
