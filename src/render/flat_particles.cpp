#include "render/flat_particles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/color_map.hpp"
#include "render/field_range.hpp"

namespace millrace {
namespace {

/// Whole numbers of every particle; empty where the frame has none of that name.
std::vector<std::uint32_t> numbers(const ParticleFrame& frame, const std::string& name) {
    const Field* field = frame.find(name);
    const auto* data = field ? std::get_if<std::vector<std::uint32_t>>(&field->data) : nullptr;
    return data ? *data : std::vector<std::uint32_t>();
}

Color color_of(const Vector& c) {
    return {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
}

std::vector<Color> fluid_colors(const ParticleFrame& frame, const std::vector<Fluid>& fluids) {
    const std::vector<std::uint32_t> fluid = numbers(frame, "fluid");
    std::vector<Color> colors(frame.count(), color_of(fluids[0].color));
    for (std::size_t i = 0; i < fluid.size(); ++i)
        colors[i] = color_of(fluids[std::min<std::size_t>(fluid[i], fluids.size() - 1)].color);
    return colors;
}

}  // namespace

std::vector<float> part_of_range(std::vector<float> values, const Range& range) {
    for (float& value : values)
        value = static_cast<float>((value - range.min) / (range.max - range.min));
    return values;
}

FlatParticles flat_particles(const ParticleFrame& frame, const std::vector<Fluid>& fluids,
                             const std::string& field, const Range& range) {
    FlatParticles particles;
    particles.positions = frame.positions;
    if (field.empty())
        particles.colors = fluid_colors(frame, fluids);
    else
        for (const float part : part_of_range(field_values(frame, field), range))
            particles.colors.push_back(water_color(std::isfinite(part) ? part : 0));
    particles.speeds = frame.find("velocity") ? field_values(frame, "velocity")
                                              : std::vector<float>(frame.count());
    particles.ids = numbers(frame, "id");
    if (particles.ids.empty()) {
        particles.ids.resize(frame.count());
        std::iota(particles.ids.begin(), particles.ids.end(), 0u);
    }
    return particles;
}

}  // namespace millrace
