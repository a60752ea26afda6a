#include "io/body_lines.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vector& v, int dimension) {
    return dimension == 3 ? Json{v[0], v[1], v[2]} : Json{v[0], v[1]};
}

Vector vector_from(const Json& json) {
    Vector v{};
    for (std::size_t k = 0; k < json.size() && k < v.size(); ++k)
        v[k] = json[k];
    return v;
}

/// Of a turn about z, from -180 to 180.
double degrees_of(const std::array<double, 4>& q) {
    return std::remainder(360 / M_PI * std::atan2(q[3], q[0]), 360.0);
}

Json views_json(const std::vector<BodyView>& views, int dimension) {
    Json objects = Json::object();
    for (const BodyView& view : views) {
        const Vector& spin = view.angular_velocity;
        objects[view.name] = {
            {"position", vector_json(view.position, dimension)},
            {"rotation", dimension == 3 ? Json(view.rotation) : Json(degrees_of(view.rotation))},
            {"velocity", vector_json(view.velocity, dimension)},
            {"angular_velocity", dimension == 3 ? vector_json(spin, 3) : Json(spin[2])}};
    }
    return objects;
}

std::vector<BodyView> views_from(const Json& objects) {
    std::vector<BodyView> views;
    for (const auto& [name, json] : objects.items()) {
        BodyView view;
        view.name = name;
        view.position = vector_from(json.at("position"));
        view.velocity = vector_from(json.at("velocity"));
        const Json &rotation = json.at("rotation"), &spin = json.at("angular_velocity");
        if (rotation.is_array()) {
            view.rotation = rotation.get<std::array<double, 4>>();
        } else {
            const double half = rotation.get<double>() * M_PI / 360;
            view.rotation = {std::cos(half), 0, 0, std::sin(half)};
        }
        view.angular_velocity = spin.is_array() ? vector_from(spin) : Vector{0, 0, spin};
        views.push_back(std::move(view));
    }
    return views;
}

}  // namespace

std::string body_line(const BodyFrame& frame, int dimension) {
    Json line{{"time", frame.time}, {"bodies", views_json(frame.bodies, dimension)}};
    if (!frame.walls.empty())
        line["walls"] = views_json(frame.walls, dimension);
    return line.dump() + "\n";
}

std::vector<BodyFrame> read_body_lines(const std::filesystem::path& path) {
    std::istringstream text(read_file(path));
    std::vector<BodyFrame> frames;
    for (std::string line; std::getline(text, line);)
        try {
            const Json json = Json::parse(line);
            frames.push_back({json.at("time"), views_from(json.at("bodies")),
                              views_from(json.value("walls", Json::object()))});
        } catch (const nlohmann::json::exception&) {
            throw InputError(path.string() + ": line " + std::to_string(frames.size() + 1) +
                             " is damaged");
        }
    return frames;
}

}  // namespace millrace
