#include "pool/spook.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace millrace {

namespace {

constexpr float k_self_contribution = 0.85f, k_s0_self_contribution = 0.65f;
constexpr float k_over_relaxation = 1.5f;
/// In a sub-step of k_step or more, and at least; shorter ones go on from each other's impulses and
/// need fewer.
constexpr int k_iterations = 6, k_least_iterations = 4;
constexpr float k_step = 1.0f / 120;        ///< [s]
constexpr float k_most_compression = 0.1f;  ///< that is undone at once
/// A short sub-step leaves less compression behind than a natural one, in proportion to its length,
/// and undoes what there is at a rate that is lower by as much, down to this part. With 0.3 a deep
/// column trembles twice as much where steps change; with 0.1 steady steps of 1 ms leave it half as
/// dense again as natural ones do.
constexpr float k_least_rate = 0.15f;
/// Of the last sub-step's impulses, to start from. With all of them what is left of their errors
/// builds up from step to step, and the fluid boils.
constexpr float k_start = 0.7f;
constexpr std::uint32_t k_least = 8;  ///< neighbours of a row, with padding
constexpr std::uint32_t k_group = 4;  ///< of which it has whole numbers
constexpr std::uint32_t k_padding = std::max<std::uint32_t>(k_least, k_lanes);
constexpr std::uint32_t k_abreast = 4;  ///< strips that a thread sweeps side by side

using Doubles = double __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(32)));

/// Four velocities that lie apart.
inline Floats load(const Vec2* u, const std::uint32_t* j) {
    double p[4];
    for (int k = 0; k < 4; ++k)
        std::memcpy(&p[k], &u[j[k]], sizeof(double));
    return reinterpret_cast<Floats>(Doubles{p[0], p[1], p[2], p[3]});
}
inline Floats load(const Vec2* from) {
    Floats v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
inline void store(Floats v, Vec2* u, const std::uint32_t* j) {
    const Doubles w = reinterpret_cast<Doubles>(v);
    for (int k = 0; k < 4; ++k) {
        const double p = w[k];
        std::memcpy(&u[j[k]], &p, sizeof p);
    }
}
inline float sum(Floats v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/// The numbers of the set bits of a mask, first of all.
struct SetBits {
    std::uint8_t numbers[1 << k_lanes][k_lanes] = {};

    constexpr SetBits() {
        for (int mask = 0; mask < 1 << k_lanes; ++mask)
            for (int bit = 0, count = 0; bit < k_lanes; ++bit)
                if (mask >> bit & 1)
                    numbers[mask][count++] = static_cast<std::uint8_t>(bit);
    }
};
constexpr SetBits k_set_bits;

using Bytes = std::uint8_t __attribute__((vector_size(k_lanes)));
using Numbers = std::uint32_t __attribute__((vector_size(4 * k_lanes)));

/// The set lanes of a pack, first of all; what is behind them has no meaning.
inline Pack pick(Pack pack, Numbers numbers) {
#if defined(__AVX__) && !defined(__clang__)
    return __builtin_shuffle(pack.v, reinterpret_cast<PackInts>(numbers));
#else
    Pack picked;
    for (int k = 0; k < k_lanes; ++k)
        picked.v[k] = pack.v[static_cast<int>(numbers[k])];
    return picked;
#endif
}
inline Numbers set_bits(unsigned bits) {
    Bytes bytes;
    std::memcpy(&bytes, k_set_bits.numbers[bits], sizeof bytes);
    return __builtin_convertvector(bytes, Numbers);
}

/// x and y of k_lanes vectors, side by side.
inline void store_vectors(Pack x, Pack y, Vec2* to) {
#if defined(__AVX__)
    const PackFloats low = __builtin_shufflevector(x.v, y.v, 0, 8, 1, 9, 2, 10, 3, 11);
    const PackFloats high = __builtin_shufflevector(x.v, y.v, 4, 12, 5, 13, 6, 14, 7, 15);
    std::memcpy(to, &low, sizeof low);
    std::memcpy(to + k_lanes / 2, &high, sizeof high);
#else
    for (int h = 0; h < 2; ++h) {
        const HalfFloats a = x.v.half[h], b = y.v.half[h];
        const HalfFloats low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        const HalfFloats high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        std::memcpy(to + 4 * h, &low, sizeof low);
        std::memcpy(to + 4 * h + 2, &high, sizeof high);
    }
#endif
}

/// W = constant / h^2 shape(q), with the integral 1.
template <Spook::Kernel kernel>
constexpr double k_constant = (kernel == Spook::Kernel::spiky ? 10 : 4) / std::numbers::pi;

double constant(Spook::Kernel kernel) {
    return kernel == Spook::Kernel::spiky ? k_constant<Spook::Kernel::spiky>
                                          : k_constant<Spook::Kernel::poly6>;
}

double shape(Spook::Kernel kernel, double q) {
    if (q >= 1)
        return 0;
    const double s = kernel == Spook::Kernel::spiky ? 1 - q : 1 - q * q;
    return s * s * s;
}

Spook::Kernel kernel_of(const PoolMethod& settings) {
    if (settings.kernels == "poly6")
        return Spook::Kernel::poly6;
    if (settings.kernels == "poly6h")
        return Spook::Kernel::poly6h;
    return Spook::Kernel::spiky;
}

}  // namespace

Spook::Spook(const PoolMethod& settings, float spacing)
    : settings_(settings),
      kernel_(kernel_of(settings)),
      support_(smoothing_length(settings.self_contribution > 0 ? settings.self_contribution
                                : kernel_ == Kernel::spiky     ? k_self_contribution
                                                               : k_s0_self_contribution,
                                constant(kernel_), spacing * spacing)),
      keep_out_(spacing) {
    const double h = support_, volume = double(spacing) * spacing;
    const double w0 = constant(kernel_) / (h * h);
    walls_ = WallField::of<2>([&](double r) { return w0 * shape(kernel_, r / h); }, h, volume);
    scale_ = static_cast<float>(walls_.rest().scale * volume * w0);
    if (settings_.over_relaxation == 0)
        settings_.over_relaxation = k_over_relaxation;
}

int Spook::solve(SubStep& step) {
    if (step.count() == 0)
        return 0;
    const float xi = 1 / (1 + 4 * settings_.relaxation_time);
    undo_ = 4 * xi / step.natural * std::max(k_least_rate, step.part());
    sigma_ = settings_.compliance * undo_ / step.dt;
    build_rows(step);
    if (settings_.warm_start)
        start_from_last(step);
    const int iterations = iterations_in(step.dt);
    for (int k = 0; k < iterations; ++k) {
        const bool upwards = k % 2 != 0;
        sweep(step, upwards);
        sweep_bodies(step, upwards);
    }
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const Columns::Strip& strip = step.columns.strips()[s];
        const float to_pressure = stiffness() / (step.volume * step.dt);
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            step.velocity[i] = u_[i] * root_[i];
            const float now = strips_[s].rows[i - strip.begin].impulse * to_pressure;
            step.pressure[i] = step.mean_with(step.pressure[i], now);
        }
    });
    return iterations;
}

int Spook::iterations_in(float dt) const {
    if (settings_.iterations > 0)
        return settings_.iterations;
    const float wanted = k_iterations * std::sqrt(std::min(1.0f, dt / k_step));
    return std::max(k_least_iterations, static_cast<int>(std::lround(wanted)));
}

void Spook::build_rows(SubStep& step) {
    u_.resize(step.count());
    root_.resize(step.count() + k_lanes);
    strips_.resize(step.columns.strips().size());
    keep_out_.start(step);
    has_one_mass_ =
        std::all_of(step.materials.begin(), step.materials.end(),
                    [&](const FluidMaterial& m) { return m.density == step.materials[0].density; });
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const Columns::Strip& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            root_[i] = std::sqrt(step.inverse_mass[i]);
            u_[i] = step.velocity[i] * (1 / root_[i]);
        }
    });
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const Columns::Strip& strip = step.columns.strips()[s];
        switch (kernel_) {
            case Kernel::spiky:
                build_strip<Kernel::spiky>(step, strip, strips_[s]);
                break;
            case Kernel::poly6:
                build_strip<Kernel::poly6>(step, strip, strips_[s]);
                break;
            case Kernel::poly6h:
                build_strip<Kernel::poly6h>(step, strip, strips_[s]);
                break;
        }
    });
    body_rows_.clear();
    for (const WallContact& contact : step.contacts) {
        if (!step.solids[contact.solid].is_pushed() ||
            (!body_rows_.empty() && body_rows_.back().particle == contact.particle))
            continue;
        const std::vector<Columns::Strip>& strips = step.columns.strips();
        const auto after = std::upper_bound(
            strips.begin(), strips.end(), contact.particle,
            [](std::uint32_t i, const Columns::Strip& strip) { return i < strip.begin; });
        const auto s = static_cast<std::uint32_t>(after - strips.begin()) - 1;
        body_rows_.push_back({s, contact.particle - strips[s].begin, contact.particle});
    }
}

template <Spook::Kernel kernel>
void Spook::build_strip(const SubStep& step, const Columns::Strip& strip, StripRows& out) const {
    const Columns& columns = step.columns;
    const float* x = columns.x();
    const float* y = columns.y();
    const Pack h2(support_ * support_);
    out.rows.resize(strip.end - strip.begin);
    constexpr std::size_t room = 2 * k_lanes + k_padding;  // whole packs are written
    out.grow(room, room);
    std::size_t used = 0;
    columns.for_each_upwards(strip, [&](std::uint32_t i, const Columns::Run* runs) {
        std::uint32_t count = 0;
        const Pack x_i(x[i]), y_i(y[i]);
        const float top = y[i] + support_;
        for (int k = 0; k < 3; ++k)
            for (std::uint32_t j = runs[k].begin; j < runs[k].end && y[j] <= top; j += k_lanes) {
                if (used + count + room > out.neighbors.size() || count + room > out.dx.size())
                    out.grow(used + count + room, count + room);
                std::uint32_t* neighbor = out.neighbors.data() + used;
                const Pack dx = x_i - load_pack(x + j), dy = y_i - load_pack(y + j);
                unsigned bits = lane_bits(dx * dx + dy * dy < h2);
                bits &= (1u << std::min<std::uint32_t>(runs[k].end - j, k_lanes)) - 1;
                bits &= ~((i - j < k_lanes ? 1u : 0u) << ((i - j) % k_lanes));
                const Numbers set = set_bits(bits);
                const Numbers numbers = set + j;
                std::memcpy(neighbor + count, &numbers, sizeof numbers);
                const Pack near_x = pick(dx, set), near_y = pick(dy, set);
                std::memcpy(&out.dx[count], &near_x, sizeof near_x);
                std::memcpy(&out.dy[count], &near_y, sizeof near_y);
                count += static_cast<std::uint32_t>(std::popcount(bits));
            }
        Row& row = out.rows[i - strip.begin];
        finish_row<kernel>(step, i, count, out, used, row);
        used += row.count;
    });
}

/// From the numbers of a particle's neighbours to its row.
template <Spook::Kernel kernel>
inline void Spook::finish_row(const SubStep& step, std::uint32_t i, std::uint32_t near,
                              StripRows& out, std::size_t first, Row& row) const {
    const Columns& columns = step.columns;
    const std::uint32_t count = std::max(k_least, (near + k_group - 1) / k_group * k_group);
    const std::uint32_t padded = (count + k_lanes - 1) / k_lanes * k_lanes;
    std::uint32_t* neighbor = out.neighbors.data() + first;
    if (!has_one_mass_)
        for (std::uint32_t k = 0; k < near; ++k)
            out.root[k] = root_[neighbor[k]];
    for (std::uint32_t k = near; k < near + k_padding; ++k) {
        neighbor[k] = i;
        out.dx[k] = 2 * support_;  // where the kernel is exactly zero
        out.dy[k] = 0;
    }
    // W and its gradient: g = W'(r) / r (x_i - x_j)
    Vec2* gradient = out.gradients.data() + first;
    const Pack inverse_h(1 / support_), one(1.0f), zero(0.0f);
    const Pack slope(scale_ / support_ * (kernel == Kernel::spiky ? -3 : -6));
    Pack w_sum(0.0f), x_sum(0.0f), y_sum(0.0f), squares(0.0f);
    for (std::uint32_t k = 0; k < padded; k += k_lanes) {
        const Pack dx = load_pack(&out.dx[k]), dy = load_pack(&out.dy[k]);
        const Pack r2 = max(dx * dx + dy * dy, Pack(1e-12f * support_ * support_));
        const Pack inverse_r = rsqrt(r2);
        const Pack q = r2 * inverse_r * inverse_h;
        const Pack s = max(kernel == Kernel::spiky ? one - q : one - q * q, zero);
        w_sum += s * s * s;
        Pack g = slope * s * s;
        if constexpr (kernel == Kernel::poly6)
            g = g * inverse_h;
        else if constexpr (kernel == Kernel::poly6h)
            g = g * inverse_r;
        else
            g = g * inverse_r;
        const Pack gx = g * dx, gy = g * dy;
        x_sum += gx;
        y_sum += gy;
        const Pack root = has_one_mass_ ? Pack(root_[i]) : load_pack(&out.root[k]);
        const Pack ux = gx * root, uy = gy * root;
        squares += ux * ux + uy * uy;
        store_vectors(ux, uy, gradient + k);
    }
    float delta = scale_ * (1 + sum_lanes(w_sum)), diagonal = sum_lanes(squares);
    Vec2 self{sum_lanes(x_sum), sum_lanes(y_sum)};

    float drift = 0;  // by walls that move
    row.touch = Touch::nothing;
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const WallContact& contact = step.contacts[c];
        const SolidMotion& solid = step.solids[contact.solid];
        delta += contact.density;
        const Vec2 g = contact.normal * contact.slope;
        self = self + g;
        if (solid.is_pushed()) {
            diagonal += solid.mobility(columns.position(i), g);
            row.touch = Touch::body;
        } else {
            drift += dot(g, solid.velocity_at(columns.position(i)));
            if (row.touch == Touch::nothing)
                row.touch = Touch::wall;
        }
    }
    diagonal += squared_norm(self) * step.inverse_mass[i];
    const float phi = std::min(delta - 1, k_most_compression);
    step.density[i] = delta;
    row.self = self * root_[i];
    row.bias = drift - (phi > 0 ? undo_ : 1 / step.natural) * phi;
    row.weight = diagonal > 0 ? settings_.over_relaxation / (diagonal + sigma_) : 0;
    row.impulse = 0;
    row.first = static_cast<std::uint32_t>(first);
    row.count = count;
}

/// Finds d delta/dt, asks `impulse` how much to add for it, and adds it to all velocities.
template <class Impulse>
inline void Spook::relax(StripRows& strip, Row& row, std::uint32_t i, const Impulse& impulse) {
    const std::uint32_t* j = strip.neighbors.data() + row.first;
    const Vec2* gradient = strip.gradients.data() + row.first;
    Vec2* u = u_.data();
    const Floats g[2] = {load(gradient), load(gradient + 4)};
    const Floats at[2] = {load(u, j), load(u, j + 4)};
    Floats total = g[0] * at[0] + g[1] * at[1];
    for (std::uint32_t m = k_least; m < row.count; m += k_group)
        total += load(gradient + m) * load(u, j + m);
    const Vec2 own = u[i];
    const float change = impulse(dot(row.self, own) - sum(total));
    if (change == 0)
        return;
    row.impulse += change;
    store(at[0] + g[0] * change, u, j);
    store(at[1] + g[1] * change, u, j + 4);
    for (std::uint32_t m = k_least; m < row.count; m += k_group)
        store(load(u, j + m) + load(gradient + m) * change, u, j + m);
    u[i] = own - row.self * change;  // last: the padding wrote what it was before
}

void Spook::start_from_last(SubStep& step) {
    const float to_impulse = k_start * step.volume * step.dt / stiffness();
    for (int color = 0; color < 2; ++color) {
        step.columns.for_each_of_color(step.workers, color, [&](std::uint32_t s) {
            StripRows& rows = strips_[s];
            const std::uint32_t begin = step.columns.strips()[s].begin;
            for (std::uint32_t r = 0; r < rows.rows.size(); ++r)
                if (rows.rows[r].touch != Touch::body)
                    relax(rows, rows.rows[r], begin + r,
                          [&](float) { return to_impulse * step.pressure[begin + r]; });
        });
    }
    for (const BodyRow& place : body_rows_) {
        const float start = to_impulse * step.pressure[place.particle];
        relax(strips_[place.strip], strips_[place.strip].rows[place.row], place.particle,
              [&](float) { return start; });
        push_bodies(step, place.particle, start);
    }
}

void Spook::sweep(SubStep& step, bool upwards) {
    for (int color = 0; color < 2; ++color)
        step.columns.for_each_share(
            step.workers, color, [&](std::uint32_t first, std::uint32_t last) {
                for (; first < last; first += k_abreast)
                    sweep_abreast(step, step.columns.of_color(color).data() + first,
                                  std::min(last - first, k_abreast), upwards);
            });
}

/// Several strips of a colour: the rows of one need not wait for those of another.
void Spook::sweep_abreast(SubStep& step, const std::uint32_t* strips, std::uint32_t count,
                          bool upwards) {
    struct Place {
        StripRows* rows;
        std::uint32_t begin, size;
    } places[k_abreast];
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Columns::Strip& strip = step.columns.strips()[strips[k]];
        places[k] = {&strips_[strips[k]], strip.begin, strip.end - strip.begin};
        most = std::max(most, strip.end - strip.begin);
    }
    for (std::uint32_t r = 0; r < most; ++r)
        for (std::uint32_t k = 0; k < count; ++k) {
            const Place& place = places[k];
            if (r >= place.size)
                continue;
            const std::uint32_t at = upwards ? r : place.size - 1 - r;
            Row& row = place.rows->rows[at];
            if (row.touch == Touch::body)
                continue;
            relax(*place.rows, row, place.begin + at, [&](float rate) {
                return std::max((rate - sigma_ * row.impulse - row.bias) * row.weight,
                                -row.impulse);
            });
            if (row.touch == Touch::wall)
                keep_out(step, place.begin + at);
        }
}

/// Bodies are shared by many rows: these are swept by one thread, in their order.
void Spook::sweep_bodies(SubStep& step, bool upwards) {
    const std::size_t n = body_rows_.size();
    for (std::size_t k = 0; k < n; ++k) {
        const BodyRow& place = body_rows_[upwards ? k : n - 1 - k];
        Row& row = strips_[place.strip].rows[place.row];
        const std::uint32_t i = place.particle;
        const Vec2 x = step.columns.position(i);
        float change = 0;
        relax(strips_[place.strip], row, i, [&](float rate) {
            for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
                const WallContact& contact = step.contacts[c];
                const SolidMotion& solid = step.solids[contact.solid];
                if (solid.is_pushed())
                    rate -= contact.slope * dot(contact.normal, solid.velocity_at(x));
            }
            change = std::max((rate - sigma_ * row.impulse - row.bias) * row.weight, -row.impulse);
            return change;
        });
        push_bodies(step, i, change);
        keep_out(step, i);
    }
}

/// The impulse of row i, against the bodies that it touches.
void Spook::push_bodies(SubStep& step, std::uint32_t i, float impulse) {
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const WallContact& contact = step.contacts[c];
        step.push_solid(c, contact.normal * (contact.slope * impulse));
    }
}

void Spook::keep_out(SubStep& step, std::uint32_t i) {
    u_[i] = u_[i] + keep_out_.push(step, i, u_[i] * root_[i]) * root_[i];
}

}  // namespace millrace
