#include "io/probes.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "io/gauges.hpp"
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

std::string cell(const std::optional<double>& value) {
    return ',' + (value ? number(*value) : "");
}

std::string cells(const Vector& v) {
    return cell(v[0]) + cell(v[1]) + cell(v[2]);
}

const BodyView& body_of(const Probe& probe, const std::vector<BodyView>& bodies) {
    for (const BodyView& body : bodies)
        if (body.name == probe.body)
            return body;
    throw InputError("probe '" + probe.name + "': there is no body '" + probe.body + "'");
}

}  // namespace

Probes::Probes(const Scene& scene) : scene_(scene), means_(scene.probes.size()) {
    std::map<std::string, std::string> owners;
    for (std::size_t i = 0; i < scene.probes.size(); ++i) {
        const Probe& probe = scene.probes[i];
        any_pressure_ |= probe.type == "pressure";
        any_body_ |= probe.type == "body";
        for (const std::string& column : columns(probe, scene.dimension)) {
            const auto [owner, is_new] = owners.emplace(column, probe.name);
            if (!is_new)
                throw InputError("probes[" + std::to_string(i) + "].name: its column '" + column +
                                 "' is already one of '" + owner->second + "', choose another");
        }
    }
}

std::string Probes::header() const {
    std::string line = "time";
    for (const Probe& probe : scene_.probes)
        for (const std::string& column : columns(probe, scene_.dimension))
            line += "," + column;
    return line + "\n";
}

void Probes::observe(const Simulation& simulation, double dt) {
    if (any_pressure_) {
        const GaugeView view = gauge_view(scene_, simulation);
        for (std::size_t i = 0; i < means_.size(); ++i)
            if (scene_.probes[i].type == "pressure") {
                means_[i].add(0, pressure_at(view, scene_.probes[i].at), dt);
                means_[i].time += dt;
            }
    }
    if (any_body_) {
        const std::vector<BodyView> bodies = simulation.bodies();
        for (std::size_t i = 0; i < means_.size(); ++i)
            if (scene_.probes[i].type == "body") {
                const Vector& force = body_of(scene_.probes[i], bodies).force;
                for (int k = 0; k < 3; ++k)
                    means_[i].add(k, force[k], dt);
                means_[i].time += dt;
            }
    }
}

std::string Probes::row(const Simulation& simulation,
                        const std::function<bool(std::size_t)>& is_due) {
    const GaugeView view = gauge_view(scene_, simulation);
    std::string line = number(simulation.time());
    for (std::size_t i = 0; i < scene_.probes.size(); ++i) {
        const Probe& probe = scene_.probes[i];
        if (!is_due(i)) {
            line.append(columns(probe, scene_.dimension).size(), ',');
        } else if (probe.type == "height") {
            line += cell(surface_height(view, probe.at));
        } else if (probe.type == "pressure") {
            const Mean mean = std::exchange(means_[i], {});
            line += cell(mean.time > 0 ? mean.value(0) : pressure_at(view, probe.at));
        } else if (probe.type == "velocity") {
            const std::optional<Vector> velocity = velocity_at(view, probe.at);
            for (int k = 0; k < scene_.dimension; ++k)
                line += cell(velocity ? std::optional((*velocity)[k]) : std::nullopt);
        } else if (probe.type == "front") {
            line += cell(front_position(view, probe.axis));
        } else if (probe.type == "body") {
            const std::vector<BodyView> bodies = simulation.bodies();
            const BodyView& body = body_of(probe, bodies);
            const Mean mean = std::exchange(means_[i], {});
            const Vector force =
                mean.time > 0 ? Vector{mean.value(0), mean.value(1), mean.value(2)} : body.force;
            line += cells(body.position) + cells(body.velocity) + cells(body.angular_velocity) +
                    cells(force);
        } else {
            const Energy energy = fluid_energy(scene_, simulation);
            line += cell(energy.kinetic) + cell(energy.potential) +
                    cell(energy.kinetic + energy.potential);
        }
    }
    return line + "\n";
}

int Probes::mean_size(std::size_t probe) const {
    return scene_.probes[probe].type == "body" ? 3 : 1;
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
