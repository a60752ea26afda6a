#include "render/run_frames.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr double k_outliers = 0.01;  // left out at each end of the range

void include(Box& box, const Vector& low, const Vector& high) {
    for (int k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], low[k]);
        box.max[k] = std::max(box.max[k], high[k]);
    }
}

}  // namespace

std::vector<PvdEntry> find_frames(const std::filesystem::path& run) {
    if (!std::filesystem::is_directory(run))
        throw InputError(run.string() + ": no such folder; give the OUT folder of `millrace run`");
    const std::filesystem::path collection = run / "particles.pvd";
    if (!std::filesystem::exists(collection))
        throw InputError(run.string() +
                         ": no particles.pvd in it; give the OUT folder of `millrace run`");
    std::vector<PvdEntry> frames = read_pvd(collection);
    if (frames.empty())
        throw InputError(collection.string() +
                         ": no frames in it; the run has ended before the first one");
    return frames;
}

std::vector<float> field_values(const ParticleFrame& frame, const std::string& name) {
    const Field* field = frame.find(name);
    if (!field) {
        std::string known;
        for (const Field& f : frame.fields)
            known += (known.empty() ? "" : ", ") + f.name;
        throw InputError("--field " + name + ": the frames have no such field; they have " + known);
    }
    return std::visit(
        [&](const auto& data) {
            std::vector<float> values(frame.count());
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = field->components == 1
                                ? static_cast<float>(data[i])
                                : std::hypot(static_cast<float>(data[3 * i]),
                                             static_cast<float>(data[3 * i + 1]),
                                             static_cast<float>(data[3 * i + 2]));
            return values;
        },
        field->data);
}

Range robust_range(std::vector<float> values) {
    std::erase_if(values, [](float v) { return !std::isfinite(v); });
    if (values.empty())
        return {0, 1};
    const auto percentile = [&](double part) {
        const auto at = values.begin() +
                        static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return static_cast<double>(*at);
    };
    double low = percentile(k_outliers), high = percentile(1 - k_outliers);
    if (low > 0 && low < 0.2 * high)
        low = 0;
    // the same value everywhere, up to rounding errors: a little around it
    const double least = std::max(1e-5 * std::max(std::abs(low), std::abs(high)), 1e-30);
    if (high - low < least) {
        const double half = low == 0 ? 1 : 0.01 * std::abs(low);
        return {low == 0 ? 0 : low - half, high + half};
    }
    return rounded({low, high});
}

Box scene_bounds(const Scene& scene, const std::vector<const ParticleFrame*>& frames) {
    constexpr double k_far = std::numeric_limits<double>::max();
    Box box{{k_far, k_far, k_far}, {-k_far, -k_far, -k_far}};
    for (const Boundary& boundary : scene.boundaries)
        if (boundary.box)
            include(box, boundary.box->min, boundary.box->max);
    if (box.min[0] > box.max[0]) {
        const double r = scene.spacing / 2;
        for (const ParticleFrame* frame : frames)
            for (std::size_t i = 0; i < frame->count(); ++i) {
                const float* p = &frame->positions[3 * i];
                if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))
                    include(box, {p[0] - r, p[1] - r, p[2] - r}, {p[0] + r, p[1] + r, p[2] + r});
            }
    }
    if (box.min[0] > box.max[0])  // nothing anywhere
        box = {{-1, -1, -1}, {1, 1, 1}};
    return box;
}

}  // namespace millrace
