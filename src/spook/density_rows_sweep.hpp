#pragma once

#include <algorithm>
#include <cmath>

#include "spook/density_rows.hpp"

// How density rows are swept, for the files that instantiate them.
namespace millrace {

/// Finds d delta/dt, asks `impulse` how much to add for it, and adds it to all velocities.
template <class Step>
template <class Impulse>
inline void DensityRows<Step>::relax(const StripRows& strip, std::uint32_t i,
                                     const Impulse& impulse) {
    Row& row = rows_[i];
    const std::uint32_t* const j = strip.near.numbers.data() + row.first;
    const One* const gradient = strip.gradients.data() + row.first;
    One* const u = u_.data();
    const Four g[2] = {Four::loaded(gradient), Four::loaded(gradient + k_group)};
    const Four at[2] = {Four::gathered(u, j), Four::gathered(u, j + k_group)};
    Four total = g[0] * at[0] + g[1] * at[1];
    for (std::uint32_t m = k_least; m < row.count; m += k_group)
        total = total + Four::loaded(gradient + m) * Four::gathered(u, j + m);
    const One own = u[i];
    const float change = impulse(dot(row.self, own) - total.sum());
    if (change == 0)
        return;
    row.impulse += change;
    (at[0] + g[0] * change).scatter(u, j);
    (at[1] + g[1] * change).scatter(u, j + k_group);
    for (std::uint32_t m = k_least; m < row.count; m += k_group)
        (Four::gathered(u, j + m) + Four::loaded(gradient + m) * change).scatter(u, j + m);
    u[i] = own - row.self * change;  // last: the padding wrote what it was before
}

/// l <- max(0, l + omega (d delta/dt - Sigma l - bias) / (diagonal + Sigma)): by how much.
template <class Step>
inline float DensityRows<Step>::change(const Row& row, float rate) const {
    return std::max((rate - sigma_ * row.impulse - row.bias) * row.weight, -row.impulse);
}

template <class Step>
void DensityRows<Step>::start_from_last(const Step& step, std::span<const float> pressures) {
    const float to_impulse = settings_.warm_start * volume_ * step.dt / stiffness();
    for (int color = 0; color < Columns<D>::k_colors; ++color)
        step.columns.for_each_of_color(step.workers, color, [&](std::uint32_t s) {
            const auto& strip = step.columns.strips()[s];
            for (std::uint32_t i = strip.begin; i < strip.end; ++i)
                if (rows_[i].touch != Touch::body)
                    relax(strips_[s], i, [&](float) { return to_impulse * pressures[i]; });
        });
    for (const BodyRow& row : body_rows_) {
        const float start = to_impulse * pressures[row.particle];
        relax(strips_[row.strip], row.particle, [&](float) { return start; });
        push_bodies(step, row.particle, start);
    }
}

template <class Step>
void DensityRows<Step>::sweep(const Step& step, bool upwards) {
    for (int color = 0; color < Columns<D>::k_colors; ++color)
        step.columns.for_each_share(
            step.workers, color, [&](std::uint32_t first, std::uint32_t last) {
                for (; first < last; first += k_abreast)
                    sweep_abreast(step, step.columns.of_color(color).data() + first,
                                  std::min(last - first, k_abreast), upwards);
            });
    sweep_bodies(step, upwards);
}

/// Several strips of a colour: the rows of one need not wait for those of another.
template <class Step>
void DensityRows<Step>::sweep_abreast(const Step& step, const std::uint32_t* strips,
                                      std::uint32_t count, bool upwards) {
    struct Part {
        const StripRows* rows;
        std::uint32_t begin, size;
    } parts[k_abreast];
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto& strip = step.columns.strips()[strips[k]];
        parts[k] = {&strips_[strips[k]], strip.begin, strip.end - strip.begin};
        most = std::max(most, parts[k].size);
    }
    for (std::uint32_t r = 0; r < most; ++r)
        for (std::uint32_t k = 0; k < count; ++k) {
            const Part& part = parts[k];
            if (r >= part.size)
                continue;
            const std::uint32_t i = part.begin + (upwards ? r : part.size - 1 - r);
            const Row& row = rows_[i];
            if (row.touch == Touch::body)
                continue;
            relax(*part.rows, i, [&](float rate) { return change(row, rate); });
            if (row.touch == Touch::wall)
                keep_out(step, i);
        }
}

/// Bodies are shared by many rows: these are swept by one thread, in their order.
template <class Step>
void DensityRows<Step>::sweep_bodies(const Step& step, bool upwards) {
    const std::size_t n = body_rows_.size();
    for (std::size_t k = 0; k < n; ++k) {
        const auto [strip, i] = body_rows_[upwards ? k : n - 1 - k];
        const float bodies = rate_of_bodies(step, i);
        float found = 0;
        relax(strips_[strip], i,
              [&, i = i](float rate) { return found = change(rows_[i], rate - bodies); });
        push_bodies(step, i, found);
        keep_out(step, i);
    }
}

template <class Step>
float DensityRows<Step>::rate_of_bodies(const Step& step, std::uint32_t i) const {
    float rate = 0;
    if (settings_.boundary_field)
        for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
            const auto& contact = step.contacts[c];
            if (step.is_pushed(contact))
                rate += contact.slope * dot(contact.normal, step.velocity_at(contact));
        }
    return rate;
}

/// The impulse of row i, against the bodies that it touches.
template <class Step>
void DensityRows<Step>::push_bodies(const Step& step, std::uint32_t i, float impulse) {
    if (settings_.boundary_field)
        for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c)
            step.push_solid(c, step.contacts[c].normal * (step.contacts[c].slope * impulse));
}

template <class Step>
void DensityRows<Step>::keep_out(const Step& step, std::uint32_t i) {
    const Vec<D> impulse = keep_out_.push(step, i, to_vec(u_[i]) * root_[i]);
    u_[i] = u_[i] + to_stored(impulse * root_[i]);
}

template <class Step>
void DensityRows<Step>::finish(const Step& step, std::span<Vec<D>> velocities,
                               std::span<float> pressures) {
    const float to_pressure = stiffness() / (volume_ * step.dt);
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const auto& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            velocities[i] = to_vec(u_[i]) * root_[i];
            pressures[i] = step.mean_with(pressures[i], rows_[i].impulse * to_pressure);
        }
    });
}

template <class Step>
float DensityRows<Step>::rate(const Step& step, std::uint32_t strip, std::uint32_t i) const {
    const Row& row = rows_[i];
    const StripRows& rows = strips_[strip];
    float rate = dot(row.self, u_[i]);
    for (std::uint32_t k = row.first; k < row.first + row.count; ++k)
        rate -= dot(rows.gradients[k], u_[rows.near.numbers[k]]);
    return row.touch == Touch::body ? rate - rate_of_bodies(step, i) : rate;
}

template <class Step>
double DensityRows<Step>::residual(const Step& step) const {
    double total = 0;
    for (std::uint32_t s = 0; s < strips_.size(); ++s) {
        const auto& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            const Row& row = rows_[i];
            float r = rate(step, s, i) - sigma_ * row.impulse - row.bias;
            if (row.weight > 0)  // what one-sided rows at their bound cannot change does not count
                r = std::max(r, -row.impulse * settings_.over_relaxation / row.weight);
            total += double(r) * r;
        }
    }
    return rows_.empty() ? 0 : std::sqrt(total / static_cast<double>(rows_.size())) * step.dt;
}

template <class Step>
std::size_t DensityRows<Step>::bytes() const {
    std::size_t all = rows_.capacity() * sizeof(Row) + u_.capacity() * sizeof(One) +
                      (density_.capacity() + root_.capacity()) * sizeof(float);
    for (const StripRows& strip : strips_)
        all += strip.near.numbers.capacity() * sizeof(std::uint32_t) +
               strip.gradients.capacity() * sizeof(One);
    return all;
}

}  // namespace millrace
