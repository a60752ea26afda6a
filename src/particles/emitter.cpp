#include "particles/emitter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/portable.hpp"
#include "math/scene_vectors.hpp"

namespace millrace {

namespace {

constexpr double k_length = 2;  ///< of a nozzle, in spacings: two layers are held

/// Area of the opening [m^(D-1)].
template <int D>
double opening(const Emitter& emitter) {
    const bool disc = emitter.radius > 0;
    if (D == 2)
        return disc ? 2 * emitter.radius : emitter.size[0];
    return disc ? std::numbers::pi * emitter.radius * emitter.radius
                : emitter.size[0] * emitter.size[1];
}

/// Places across the opening, an area of a spacing squared each: coordinates across and up. A disc
/// has rings, half a spacing from the wall and a spacing apart.
std::vector<std::array<double, 2>> lattice(const Emitter& emitter, double spacing, int dimension) {
    const bool disc = emitter.radius > 0;
    std::vector<std::array<double, 2>> points;
    if (disc && dimension == 3) {
        const int rings = static_cast<int>(std::lround(emitter.radius / spacing));
        if (rings == 0)
            points.push_back({0, 0});
        for (int ring = 0; ring < rings; ++ring) {
            const double width = emitter.radius / rings, r = (ring + 0.5) * width;
            const double area = 2 * std::numbers::pi * r * width;
            const int n = static_cast<int>(std::lround(area / (spacing * spacing)));
            for (int k = 0; k < n; ++k) {
                const double angle = 2 * std::numbers::pi * k / n;
                points.push_back({r * portable::cos(angle), r * portable::sin(angle)});
            }
            if (n < 2)
                points.assign(1, {0, 0});
        }
        return points;
    }
    const double width = disc ? 2 * emitter.radius : emitter.size[0];
    const double height = dimension == 2 ? spacing : emitter.size[1];
    const int n = std::max(1, static_cast<int>(std::lround(width / spacing)));
    const int m = std::max(1, static_cast<int>(std::lround(height / spacing)));
    for (int b = 0; b < m; ++b)
        for (int a = 0; a < n; ++a) {
            const double x = (a + 0.5) * width / n - width / 2;
            const double y = (b + 0.5) * height / m - height / 2;
            points.push_back({x, dimension == 2 ? 0 : y});
        }
    return points;
}

}  // namespace

template <int D>
NozzleFrame<D> nozzle_frame(const Emitter& emitter) {
    NozzleFrame<D> frame;
    frame.position = to_vec<D, double>(emitter.position);
    const Vec<D, double> flow = normalized(to_vec<D, double>(emitter.direction));
    Vec<D, double> columns[D];
    columns[0] = flow;
    if constexpr (D == 2) {
        columns[1] = {-flow[1], flow[0]};
    } else {
        Vec3d up = to_vec<3, double>(emitter.up);
        up = up - flow * dot(up, flow);
        if (norm(up) < 1e-6)
            up = std::abs(flow[0]) < 0.9 ? Vec3d{1, 0, 0} - flow * flow[0]
                                         : Vec3d{0, 0, 1} - flow * flow[2];
        columns[2] = normalized(up);
        columns[1] = cross(columns[2], flow);
    }
    for (int k = 0; k < D; ++k)
        for (int l = 0; l < D; ++l)
            frame.axes(l, k) = columns[k][l];
    return frame;
}

template <int D>
EmitterState<D>::EmitterState(const Emitter& emitter, double spacing)
    : emitter_(emitter), spacing_(spacing) {
    for (const auto& [a, b] : lattice(emitter, spacing, D)) {
        Vec<D, double> x = Vec<D, double>::all(0);
        x[1] = a;
        if constexpr (D == 3)
            x[2] = b;
        layer_.push_back(x);
    }
    // every particle stands for a spacing cubed
    double volume = spacing;
    for (int k = 1; k < D; ++k)
        volume *= spacing;
    layer_distance_ = volume * static_cast<double>(layer_.size()) / opening<D>(emitter);
}

template <int D>
std::vector<Vec<D>> EmitterState<D>::emit(double time, const NozzleFrame<D>& frame) {
    std::vector<Vec<D>> particles;
    if (time < emitter_.from)
        return particles;
    const double travelled = emitter_.speed * (std::min(time, emitter_.until) - emitter_.from);
    // layer k comes in at the back when the flow has gone k spacings; the first fill the nozzle
    const double back = -k_length * spacing_;
    for (;;) {
        const double along = travelled - (static_cast<double>(layers_) + 0.5) * layer_distance_;
        if (along < back + 0.5 * layer_distance_)
            break;
        if (spent())
            break;
        for (Vec<D, double> x : layer_) {
            x[0] = along;
            particles.push_back(Vec<D>::from(frame.axes * x + frame.position));
        }
        emitted_ += layer_.size();
        ++layers_;
    }
    return particles;
}

template <int D>
HoldZone<D> EmitterState<D>::hold_zone(const NozzleFrame<D>& frame) const {
    HoldZone<D> zone{};
    const auto column = [&](int k) {
        Vec<D> c;
        for (int l = 0; l < D; ++l)
            c[l] = static_cast<float>(frame.axes(l, k));
        return c;
    };
    zone.position = Vec<D>::from(frame.position);
    zone.flow = column(0);
    zone.across = column(1);
    zone.up = column(D - 1);
    zone.velocity = Vec<D>::from(frame.velocity) + zone.flow * static_cast<float>(emitter_.speed);
    zone.length = static_cast<float>(k_length * spacing_);
    zone.radius = static_cast<float>(emitter_.radius);
    zone.half_width = static_cast<float>(emitter_.size[0] / 2);
    zone.half_height = static_cast<float>(emitter_.size[1] / 2);
    return zone;
}

template <int D>
void EmitterState<D>::restore(std::uint64_t emitted) {
    emitted_ = emitted;
    layers_ = layer_.empty() ? 0 : emitted / layer_.size();
}

template <int D>
double count_emitted(const Emitter& emitter, double spacing, double end) {
    const double time = std::max(0.0, std::min(end, emitter.until) - emitter.from);
    const double length = time > 0 ? time * emitter.speed + k_length * spacing : 0;
    const double count = length * opening<D>(emitter) / portable::power(spacing, D);
    return emitter.max_particles > 0 ? std::min(count, static_cast<double>(emitter.max_particles))
                                     : count;
}

template <int D>
std::vector<Vec<D>> nozzle_samples(const Emitter& emitter, double spacing, double depth) {
    const NozzleFrame<D> frame = nozzle_frame<D>(emitter);
    const bool disc = emitter.radius > 0;
    const double half[2] = {(disc ? emitter.radius : emitter.size[0] / 2) + depth,
                            (disc ? emitter.radius : emitter.size[1] / 2) + depth};
    const double back = -k_length * spacing - depth;
    std::vector<Vec<D>> samples;
    const auto add = [&](double s, double a, double b) {
        Vec<D, double> x = Vec<D, double>::all(0);
        x[0] = s;
        x[1] = a;
        if constexpr (D == 3)
            x[2] = b;
        samples.push_back(Vec<D>::from(frame.axes * x + frame.position));
    };
    // the outline of the opening, moved outwards
    std::vector<std::array<double, 2>> outline;
    if (D == 2) {
        outline = {{half[0], 0}, {-half[0], 0}};
    } else if (disc) {
        const int n =
            std::max(6, static_cast<int>(std::ceil(2 * std::numbers::pi * half[0] / spacing)));
        for (int k = 0; k < n; ++k)
            outline.push_back({half[0] * portable::cos(2 * std::numbers::pi * k / n),
                               half[0] * portable::sin(2 * std::numbers::pi * k / n)});
    } else {
        const int n = std::max(1, static_cast<int>(std::ceil(2 * half[0] / spacing)));
        const int m = std::max(1, static_cast<int>(std::ceil(2 * half[1] / spacing)));
        for (int k = 0; k <= n; ++k)
            for (const double b : {-half[1], half[1]})
                outline.push_back({-half[0] + 2 * half[0] * k / n, b});
        for (int k = 1; k < m; ++k)
            for (const double a : {-half[0], half[0]})
                outline.push_back({a, -half[1] + 2 * half[1] * k / m});
    }
    const int rings = static_cast<int>(std::ceil(-back / spacing));
    for (int ring = 0; ring <= rings; ++ring)
        for (const auto& [a, b] : outline)
            add(back - back * ring / rings, a, b);
    // the back
    const int n = std::max(1, static_cast<int>(std::ceil(2 * half[0] / spacing)));
    const int m = D == 2 ? 1 : std::max(1, static_cast<int>(std::ceil(2 * half[1] / spacing)));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            const double a = (i + 0.5) * 2 * half[0] / n - half[0];
            const double b = D == 2 ? 0 : (j + 0.5) * 2 * half[1] / m - half[1];
            const double reach = half[0] - 0.4 * spacing;
            if (D == 2 || !disc || a * a + b * b < reach * reach)
                add(back, a, b);
        }
    return samples;
}

template NozzleFrame<2> nozzle_frame<2>(const Emitter&);
template NozzleFrame<3> nozzle_frame<3>(const Emitter&);
template class EmitterState<2>;
template class EmitterState<3>;
template double count_emitted<2>(const Emitter&, double, double);
template double count_emitted<3>(const Emitter&, double, double);
template std::vector<Vec<2>> nozzle_samples<2>(const Emitter&, double, double);
template std::vector<Vec<3>> nozzle_samples<3>(const Emitter&, double, double);

}  // namespace millrace
