#include "render/field_range.hpp"

#include <algorithm>
#include <cmath>

#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr double k_outliers = 0.01;  // left out at each end

}  // namespace

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

}  // namespace millrace
