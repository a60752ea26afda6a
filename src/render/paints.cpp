#include "render/paints.hpp"

#include <algorithm>

#include "render/color_map.hpp"

namespace millrace {
namespace {

constexpr std::size_t k_most_objects = 96;  // the particles keep colours enough

double difference(const Vector& a, const Vector& b) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

}  // namespace

Paints::Paints(const Scene& scene) {
    const auto add = [&](const Vector& color) {
        if (objects_.size() < k_most_objects &&
            std::find(objects_.begin(), objects_.end(), color) == objects_.end())
            objects_.push_back(color);
    };
    for (const Body& body : scene.bodies)
        add(body.color);
    for (const Boundary& boundary : scene.boundaries)
        add(boundary.color);
}

int Paints::code(const Vector& color) const {
    const auto nearest =
        std::min_element(objects_.begin(), objects_.end(), [&](const Vector& a, const Vector& b) {
            return difference(a, color) < difference(b, color);
        });
    return levels() + static_cast<int>(nearest - objects_.begin());
}

std::vector<Color> Paints::all() const {
    std::vector<Color> colors;
    for (int i = 0; i < levels(); ++i)
        colors.push_back(water_color(i / (levels() - 1.0)));
    for (const Vector& c : objects_)
        colors.push_back(
            {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])});
    return colors;
}

}  // namespace millrace
