#include "render/water_frames.hpp"

#include <cstdio>

namespace millrace {
namespace {

std::vector<Vec3> vectors(const std::vector<float>& numbers) {
    std::vector<Vec3> result;
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
        result.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]}});
    return result;
}

template <class T>
std::vector<T> values(const ParticleFrame& frame, const std::string& name) {
    const Field* field = frame.find(name);
    const auto* data = field ? std::get_if<std::vector<T>>(&field->data) : nullptr;
    return data ? *data : std::vector<T>();
}

}  // namespace

std::filesystem::path find_surface(const std::filesystem::path& run, const std::string& name,
                                   int number) {
    char digits[20];
    std::snprintf(digits, sizeof digits, "_%06d", number);
    for (const char* ending : {".vtp", ".ply"}) {
        const std::filesystem::path path = run / "surface" / (name + digits + ending);
        if (std::filesystem::exists(path))
            return path;
    }
    return {};
}

DiffuseParticles diffuse_of(const ParticleFrame& frame) {
    DiffuseParticles foam;
    foam.positions = vectors(frame.positions);
    foam.velocities = vectors(values<float>(frame, "velocity"));
    foam.ages = values<float>(frame, "age");
    foam.lifetimes = values<float>(frame, "lifetime");
    foam.ids = values<std::uint32_t>(frame, "id");
    for (const std::uint32_t kind : values<std::uint32_t>(frame, "kind"))
        foam.kinds.push_back(static_cast<DiffuseKind>(kind));
    return foam;
}

}  // namespace millrace
