#pragma once

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"
#include "spook/density_rows.hpp"

// How density rows are made, for the files that instantiate them.
namespace millrace {

template <class Step>
DensityRows<Step>::DensityRows(const DensitySettings& settings)
    : settings_(settings),
      volume_(portable::power(settings.spacing, D)),
      keep_out_(
          settings.boundary_field ? KeepOut::k_closest * settings.spacing : 0.5f * settings.support,
          settings.look_ahead) {
    const double h = settings.support, volume = portable::power(double(settings.spacing), D);
    const double w0 = spook_constant<D>(settings.kernel) / portable::power(h, D);
    walls_ = WallField::of<D>([&](double r) { return w0 * spook_shape(settings.kernel, r / h); }, h,
                              volume);
    scale_ = static_cast<float>(walls_.rest().scale * volume * w0);
}

template <class Step>
float DensityRows<Step>::reach() const {
    return std::max(walls_.reach(), 1.5f * keep_out_.closest());
}

template <class Step>
float DensityRows<Step>::slope(float r) const {
    const float h = settings_.support, q = std::min(r / h, 1.0f);
    return settings_.kernel == SpookKernel::spiky ? 3 * scale_ / h * (1 - q) * (1 - q)
                                                  : 6 * scale_ / h * q * (1 - q * q) * (1 - q * q);
}

template <class Step>
float DensityRows<Step>::curvature(float r) const {
    const float h = settings_.support, q = std::min(r / h, 1.0f);
    const float c = 6 * scale_ / (h * h);
    return settings_.kernel == SpookKernel::spiky ? c * (1 - q)
                                                  : c * (1 - q * q) * std::max(5 * q * q - 1, 0.0f);
}

template <class Step>
void DensityRows<Step>::start(const Step& step, std::span<const Vec<D>> velocities,
                              std::span<const float> pressures) {
    const std::size_t n = step.columns.count();
    const RowFactors factors(settings_.relaxation, step.dt, step.natural);
    const float slower = std::max(k_least_rate, step.part());
    undo_ = factors.undo * slower;
    sigma_ = factors.sigma * slower;
    rows_.resize(n);
    u_.resize(n);
    root_.resize(n);
    density_.resize(n);
    strips_.resize(step.columns.strips().size());
    keep_out_.start(step);
    has_one_mass_ = std::all_of(step.inverse_mass.begin(), step.inverse_mass.begin() + n,
                                [&](float w) { return w == step.inverse_mass[0]; });
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const auto& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            root_[i] = std::sqrt(step.inverse_mass[i]);
            u_[i] = to_stored(velocities[i]) * (1 / root_[i]);
        }
    });
    step.columns.for_each_strip(step.workers, [&](std::uint32_t s) {
        switch (settings_.kernel) {
            case SpookKernel::spiky:
                build_strip<SpookKernel::spiky>(step, s);
                break;
            case SpookKernel::poly6:
                build_strip<SpookKernel::poly6>(step, s);
                break;
            case SpookKernel::poly6h:
                build_strip<SpookKernel::poly6h>(step, s);
                break;
        }
    });
    find_body_rows(step);
    if (!pressures.empty() && settings_.warm_start > 0)
        start_from_last(step, pressures);
}

template <class Step>
template <SpookKernel kernel>
void DensityRows<Step>::build_strip(const Step& step, std::uint32_t strip) {
    StripRows& out = strips_[strip];
    std::uint32_t used = 0;
    step.columns.for_each_upwards(
        step.columns.strips()[strip], [&](std::uint32_t i, const typename Columns<D>::Run* runs) {
            rows_[i].first = used;
            const std::uint32_t near = out.near.find(step.columns, i, runs, used);
            build_row<kernel>(step, i, near, out);
            used += rows_[i].count;
        });
}

/// From the numbers of a particle's neighbours and the ways to them to its row.
template <class Step>
template <SpookKernel kernel>
inline void DensityRows<Step>::build_row(const Step& step, std::uint32_t i, std::uint32_t near,
                                         StripRows& out) {
    Row& row = rows_[i];
    row.count = std::max(k_least, (near + k_group - 1) / k_group * k_group);
    const std::uint32_t padded = (row.count + k_lanes - 1) / k_lanes * k_lanes;
    if (out.gradients.size() < out.near.numbers.size())
        out.gradients.resize(out.near.numbers.size());
    if (out.root.size() < out.near.way[0].size())
        out.root.resize(out.near.way[0].size());
    std::uint32_t* const neighbor = out.near.numbers.data() + row.first;
    if (!has_one_mass_)
        for (std::uint32_t k = 0; k < near; ++k)
            out.root[k] = root_[neighbor[k]];
    for (std::uint32_t k = near; k < near + k_lanes; ++k) {
        neighbor[k] = i;
        for (int a = 0; a < D; ++a)  // where the kernel is exactly zero
            out.near.way[a][k] = a == 0 ? 2 * settings_.support : 0;
    }
    // W and its gradient: g = W'(r) / r (x_i - x_j)
    One* const gradient = out.gradients.data() + row.first;
    const float h = settings_.support;
    const Pack inverse_h(1 / h), one(1.0f), zero(0.0f), least_r2(1e-12f * h * h);
    const Pack slope(scale_ / h * (kernel == SpookKernel::spiky ? -3 : -6));
    Pack w_sum(0.0f), squares(0.0f);
    Vec<D, Pack> self = Vec<D, Pack>::all(zero);
    for (std::uint32_t k = 0; k < padded; k += k_lanes) {
        Vec<D, Pack> way;
        for (int a = 0; a < D; ++a)
            way[a] = load_pack(&out.near.way[a][k]);
        const Pack r2 = max(squared_norm(way), least_r2);
        const Pack inverse_r = rsqrt(r2);
        const Pack q = r2 * inverse_r * inverse_h;
        const Pack s = max(kernel == SpookKernel::spiky ? one - q : one - q * q, zero);
        w_sum += s * s * s;
        const Pack g = slope * s * s * (kernel == SpookKernel::poly6 ? inverse_h : inverse_r);
        const Pack root = has_one_mass_ ? Pack(root_[i]) : load_pack(&out.root[k]);
        Vec<D, Pack> scaled;
        Pack square(0.0f);
        for (int a = 0; a < D; ++a) {
            const Pack g_a = g * way[a];
            self[a] += g_a;
            scaled[a] = g_a * root;
            square = a == 0 ? scaled[a] * scaled[a] : square + scaled[a] * scaled[a];
        }
        squares += square;
        store_vectors(scaled, gradient + k);
    }
    Vec<D> own;
    for (int a = 0; a < D; ++a)
        own[a] = sum_lanes(self[a]);
    add_solids(step, i, scale_ * (1 + sum_lanes(w_sum)), sum_lanes(squares), own);
}

/// Adds what walls and bodies do to the density, the diagonal and the gradient of a row, and
/// completes it.
template <class Step>
inline void DensityRows<Step>::add_solids(const Step& step, std::uint32_t i, float delta,
                                          float diagonal, Vec<D> self) {
    Row& row = rows_[i];
    float drift = 0;  // by walls that move
    row.touch = Touch::nothing;
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const auto& contact = step.contacts[c];
        const bool is_body = step.is_pushed(contact);
        row.touch = is_body ? Touch::body : std::max(row.touch, Touch::wall);
        if (!settings_.boundary_field)
            continue;
        delta += contact.density;
        const Vec<D> g = contact.normal * contact.slope;
        self = self + g;
        if (is_body)
            diagonal += step.mobility(contact, g);
        else
            drift += dot(g, step.velocity_at(contact));
    }
    diagonal += squared_norm(self) * step.inverse_mass[i];
    const float phi = std::min(delta - 1, k_most_compression);
    density_[i] = delta;
    row.self = to_stored(self * root_[i]);
    row.bias = drift - (phi > 0 ? undo_ : 1 / step.natural) * phi;
    row.weight = diagonal > 0 ? settings_.over_relaxation / (diagonal + sigma_) : 0;
    row.impulse = 0;
}

template <class Step>
void DensityRows<Step>::find_body_rows(const Step& step) {
    body_rows_.clear();
    std::uint32_t strip = 0, last = static_cast<std::uint32_t>(rows_.size());
    for (const auto& contact : step.contacts) {
        const std::uint32_t i = contact.particle;
        if (i == last || rows_[i].touch != Touch::body)
            continue;
        while (step.columns.strips()[strip].end <= i)
            ++strip;
        body_rows_.push_back({strip, last = i});
    }
}

}  // namespace millrace
