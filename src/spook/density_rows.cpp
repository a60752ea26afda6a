#include "spook/density_rows.hpp"

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr float k_most_compression = 0.1f;  ///< that is undone at once
constexpr std::uint32_t k_group = 4;        ///< neighbours of a row come in whole groups
constexpr float k_closest = 0.25f;          ///< centres to surfaces, in spacings
/// Of the rate at which compression is undone: see k_least_rate of pool/spook.cpp.
constexpr float k_least_rate = 0.15f;

template <int D>
Vec3d in_space(const Vec<D>& v) {
    Vec3d x = Vec3d::all(0);
    for (int k = 0; k < D; ++k)
        x[k] = v[k];
    return x;
}

template <class Quad>
float sum(Quad q) {
    return (q[0] + q[1]) + (q[2] + q[3]);
}

template <class Quad, int D>
Quad to_quad(const Vec<D>& v) {
    Quad q{};
    for (int k = 0; k < D; ++k)
        q[k] = v[k];
    return q;
}

}  // namespace

template <int D>
DensityRows<D>::DensityRows(const DensitySettings& settings)
    : settings_(settings),
      volume_(portable::power(settings.spacing, D)),
      closest_(settings.boundary_field ? k_closest * settings.spacing : 0.5f * settings.support) {
    const double h = settings.support,
                 w0 = spook_constant<D>(settings.kernel) / portable::power(h, D);
    walls_ = WallField::of<D>([&](double r) { return w0 * spook_shape(settings.kernel, r / h); }, h,
                              volume_);
    scale_ = static_cast<float>(walls_.rest().scale * volume_ * w0);
}

template <int D>
float DensityRows<D>::reach() const {
    return std::max(walls_.reach(), 1.5f * closest_);
}

template <int D>
float DensityRows<D>::slope(float r) const {
    const float h = settings_.support, q = std::min(r / h, 1.0f);
    return settings_.kernel == SpookKernel::spiky ? 3 * scale_ / h * (1 - q) * (1 - q)
                                                  : 6 * scale_ / h * q * (1 - q * q) * (1 - q * q);
}

template <int D>
float DensityRows<D>::curvature(float r) const {
    const float h = settings_.support, q = std::min(r / h, 1.0f);
    const float c = 6 * scale_ / (h * h);
    return settings_.kernel == SpookKernel::spiky ? c * (1 - q)
                                                  : c * (1 - q * q) * std::max(5 * q * q - 1, 0.0f);
}

template <int D>
void DensityRows<D>::start(const FluidStep<D>& step, std::span<const Vec<D>> velocities,
                           std::span<const float> pressures) {
    const std::size_t n = step.positions.size();
    const RowFactors factors(settings_.relaxation, step.dt, step.natural);
    const float slower = std::max(k_least_rate, step.dt / step.natural);
    undo_ = slower * static_cast<float>(factors.undo);
    sigma_ = slower * static_cast<float>(factors.sigma);
    rows_.resize(n);
    u_.resize(n);
    root_.resize(n);
    density_.resize(n);
    block_of_.resize(n);
    storage_.resize(step.blocks.blocks().size());
    contact_impulse_.assign(step.contacts.size(), 0.0f);
    pushes_.assign(step.bodies.bodies().size(), {0, Vec3d::all(0), Vec3d::all(0)});
    step.workers.for_each(n, [&](std::size_t i) {
        root_[i] = std::sqrt(step.inverse_mass[i]);
        u_[i] = to_quad<Quad>(velocities[i]) * (1 / root_[i]);
    });
    step.workers.for_each(storage_.size(), [&](std::size_t b) {
        if (settings_.kernel == SpookKernel::spiky)
            build<SpookKernel::spiky>(step, b);
        else
            build<SpookKernel::poly6>(step, b);
    });
    at_bodies_.clear();
    for (std::uint32_t i = 0; i < n; ++i)
        if (rows_[i].touch == Touch::body)
            at_bodies_.push_back(i);
    if (!pressures.empty() && settings_.warm_start > 0)
        start_from_last(step, pressures);
}

template <int D>
template <SpookKernel kernel>
void DensityRows<D>::build(const FluidStep<D>& step, std::size_t b) {
    const auto& block = step.blocks.blocks()[b];
    BlockRows& out = storage_[b];
    out.neighbors.clear();
    out.gradients.clear();
    const float h2 = settings_.support * settings_.support;
    for (std::uint32_t p = 0; p < block.count; ++p)
        step.blocks.for_each_cell(
            block.pillars[p],
            [&](typename Blocks<D>::Run points, const typename Blocks<D>::Run* runs, int count) {
                std::size_t most = 0;
                for (int r = 0; r < count; ++r)
                    most += runs[r].end - runs[r].begin;
                out.near.resize(std::max(out.near.size(), most + 1));
                out.r2.resize(std::max(out.r2.size(), most + 1));
                for (std::uint32_t i = points.begin; i < points.end; ++i) {
                    const Vec<D> x = step.positions[i];
                    std::uint32_t near = 0;
                    for (int r = 0; r < count; ++r) {
                        const std::uint32_t begin = runs[r].begin, size = runs[r].end - begin;
                        const Vec<D>* const others = step.positions.data() + begin;
                        float* const r2 = out.r2.data();
                        for (std::uint32_t k = 0; k < size; ++k)
                            r2[k] = squared_norm(x - others[k]);
                        for (std::uint32_t k = 0; k < size; ++k) {
                            out.near[near] = begin + k;
                            near += r2[k] < h2 && begin + k != i ? 1 : 0;
                        }
                    }
                    block_of_[i] = static_cast<std::uint32_t>(b);
                    build_row<kernel>(step, i, near, out);
                }
            });
}

/// From the numbers of a particle's neighbours to its row.
template <int D>
template <SpookKernel kernel>
void DensityRows<D>::build_row(const FluidStep<D>& step, std::uint32_t i, std::uint32_t near,
                               BlockRows& out) {
    Row& row = rows_[i];
    const Vec<D> x = step.positions[i];
    const float h = settings_.support, inverse_h = 1 / h;
    const float slope = scale_ * inverse_h * (kernel == SpookKernel::spiky ? -3 : -6);
    row.first = static_cast<std::uint32_t>(out.neighbors.size());
    row.count = (near + k_group - 1) / k_group * k_group;
    out.neighbors.resize(row.first + row.count);
    out.gradients.resize(row.first + row.count);
    std::uint32_t* const neighbor = out.neighbors.data() + row.first;
    Quad* const gradient = out.gradients.data() + row.first;
    float w = 0;
    Quad self{}, squares{};
    for (std::uint32_t k = 0; k < near; ++k) {
        const std::uint32_t j = out.near[k];
        // W and its gradient W'(r) / r (x_i - x_j)
        const Quad d = to_quad<Quad>(x - step.positions[j]);
        const float r2 = std::max(sum(d * d), 1e-12f * h * h), r = std::sqrt(r2);
        const float q = r * inverse_h;
        const float s = kernel == SpookKernel::spiky ? 1 - q : 1 - q * q;
        w += s * s * s;
        const Quad g = d * (slope * s * s * (kernel == SpookKernel::spiky ? 1 / r : inverse_h));
        self += g;
        const Quad scaled = g * root_[j];
        squares += scaled * scaled;
        neighbor[k] = j;
        gradient[k] = scaled;
    }
    for (std::uint32_t k = near; k < row.count; ++k) {
        neighbor[k] = i;
        gradient[k] = Quad{};
    }
    row.self = self;
    row.touch = Touch::nothing;
    row.impulse = 0;
    float delta = scale_ * (1 + w), diagonal = sum(squares), drift = 0;
    add_solids(step, i, row, delta, diagonal, drift);
    diagonal += sum(row.self * row.self) * step.inverse_mass[i];
    row.self *= root_[i];
    const float phi = std::min(delta - 1, k_most_compression);
    row.bias = drift - (phi > 0 ? undo_ : 1 / step.natural) * phi;
    row.weight = diagonal > 0 ? settings_.over_relaxation / (diagonal + sigma_) : 0;
    density_[i] = delta;
}

/// What walls and bodies add to a row.
template <int D>
void DensityRows<D>::add_solids(const FluidStep<D>& step, std::uint32_t i, Row& row, float& delta,
                                float& diagonal, float& drift) const {
    for (const SolidContact<D>& contact : step.contacts_of(i)) {
        const SpookBody& body = step.bodies.bodies()[contact.body];
        const bool moves = body.inverse_mass > 0;
        row.touch = moves ? Touch::body : std::max(row.touch, Touch::wall);
        if (!settings_.boundary_field)
            continue;
        delta += contact.density;
        const Vec<D> g = contact.normal * contact.slope;
        row.self += to_quad<Quad>(g);
        const Vec3d place = in_space(step.positions[i]), along = in_space(g);
        if (moves)
            diagonal += static_cast<float>(body.mobility(place, along));
        else
            drift += static_cast<float>(dot(along, body.velocity_at(place)));
    }
}

/// Finds d delta/dt, asks `impulse` how much to add for it, and adds it to all velocities.
template <int D>
template <class Impulse>
inline void DensityRows<D>::relax(const BlockRows& block, Row& row, std::uint32_t i,
                                  const Impulse& impulse) {
    const std::uint32_t* const j = block.neighbors.data() + row.first;
    const Quad* const gradient = block.gradients.data() + row.first;
    Quad* const u = u_.data();
    const Quad own = u[i];
    Quad total[k_group] = {row.self * own, Quad{}, Quad{}, Quad{}};
    for (std::uint32_t k = 0; k < row.count; k += k_group)
        for (std::uint32_t m = 0; m < k_group; ++m)
            total[m] -= gradient[k + m] * u[j[k + m]];
    const float change = impulse(sum((total[0] + total[1]) + (total[2] + total[3])));
    if (change == 0)
        return;
    row.impulse += change;
    for (std::uint32_t k = 0; k < row.count; k += k_group)
        for (std::uint32_t m = 0; m < k_group; ++m)
            u[j[k + m]] += gradient[k + m] * change;
    u[i] = own - row.self * change;
}

template <int D>
float DensityRows<D>::change(const Row& row, float rate) const {
    return std::max((rate - sigma_ * row.impulse - row.bias) * row.weight, -row.impulse);
}

template <int D>
void DensityRows<D>::start_from_last(const FluidStep<D>& step, std::span<const float> pressures) {
    const float to_impulse =
        settings_.warm_start * volume_ * step.dt / static_cast<float>(walls_.rest().stiffness);
    for (int color = 0; color < Blocks<D>::k_colors; ++color) {
        const std::vector<std::uint32_t>& blocks = step.blocks.of_color(color);
        step.workers.for_each(blocks.size(), [&](std::size_t b) {
            const auto& block = step.blocks.blocks()[blocks[b]];
            for (std::uint32_t p = 0; p < block.count; ++p) {
                const auto run = step.blocks.pillar(block.pillars[p]);
                for (std::uint32_t i = run.begin; i < run.end; ++i)
                    if (rows_[i].touch != Touch::body)
                        relax(storage_[blocks[b]], rows_[i], i,
                              [&](float) { return to_impulse * pressures[i]; });
            }
        });
    }
    for (const std::uint32_t i : at_bodies_) {
        const float start = to_impulse * pressures[i];
        relax(block_of(i), rows_[i], i, [&](float) { return start; });
        push_bodies(step, i, start);
    }
}

template <int D>
void DensityRows<D>::sweep(const FluidStep<D>& step, bool upwards) {
    for (int color = 0; color < Blocks<D>::k_colors; ++color) {
        const std::vector<std::uint32_t>& blocks = step.blocks.of_color(color);
        step.workers.for_each(blocks.size(),
                              [&](std::size_t b) { sweep_block(step, blocks[b], upwards); });
    }
    sweep_bodies(step, upwards);
}

template <int D>
void DensityRows<D>::sweep_block(const FluidStep<D>& step, std::size_t b, bool upwards) {
    const auto& block = step.blocks.blocks()[b];
    for (std::uint32_t p = 0; p < block.count; ++p) {
        const auto run = step.blocks.pillar(block.pillars[p]);
        for (std::uint32_t k = 0; k < run.end - run.begin; ++k) {
            const std::uint32_t i = upwards ? run.begin + k : run.end - 1 - k;
            Row& row = rows_[i];
            if (row.touch == Touch::body)
                continue;
            relax(storage_[b], row, i, [&](float rate) { return change(row, rate); });
            if (row.touch == Touch::wall)
                keep_out(step, i);
        }
    }
}

/// Bodies are shared by many rows: these are swept by one thread, in their order.
template <int D>
void DensityRows<D>::sweep_bodies(const FluidStep<D>& step, bool upwards) {
    const std::size_t n = at_bodies_.size();
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint32_t i = at_bodies_[upwards ? k : n - 1 - k];
        Row& row = rows_[i];
        float found = 0;
        relax(block_of(i), row, i,
              [&](float rate) { return found = change(row, rate - rate_of_bodies(step, i)); });
        push_bodies(step, i, found);
        keep_out(step, i);
    }
}

template <int D>
float DensityRows<D>::rate_of_bodies(const FluidStep<D>& step, std::uint32_t i) const {
    if (!settings_.boundary_field)
        return 0;
    float rate = 0;
    for (const SolidContact<D>& contact : step.contacts_of(i)) {
        const SpookBody& body = step.bodies.bodies()[contact.body];
        if (body.inverse_mass > 0)
            rate += contact.slope *
                    static_cast<float>(dot(in_space(contact.normal),
                                           body.velocity_at(in_space(step.positions[i]))));
    }
    return rate;
}

/// The impulse of row i, against the bodies that it touches.
template <int D>
void DensityRows<D>::push_bodies(const FluidStep<D>& step, std::uint32_t i, float impulse) {
    if (!settings_.boundary_field)
        return;
    for (const SolidContact<D>& contact : step.contacts_of(i))
        if (step.bodies.bodies()[contact.body].inverse_mass > 0)
            push_body(step, contact.body, in_space(step.positions[i]),
                      in_space(contact.normal) * double(contact.slope * impulse));
}

template <int D>
void DensityRows<D>::push_body(const FluidStep<D>& step, std::uint32_t number, const Vec3d& place,
                               const Vec3d& impulse) {
    SpookBody& body = step.bodies.bodies()[number];
    body.push(place, impulse);
    pushes_[number].impulse += impulse;
    pushes_[number].turn += cross(place - body.center, impulse);
}

template <int D>
std::vector<typename DensityRows<D>::Push> DensityRows<D>::pushes() const {
    std::vector<Push> all;
    for (std::uint32_t b = 0; b < pushes_.size(); ++b)
        if (squared_norm(pushes_[b].impulse) > 0)
            all.push_back({b, pushes_[b].impulse, pushes_[b].turn});
    return all;
}

/// S2 Eq. 26-29: n . (v_i - v_b) >= (closest - d) / dt, by impulses that push and never pull. Where
/// d < closest, / natural.
template <int D>
void DensityRows<D>::keep_out(const FluidStep<D>& step, std::uint32_t i) {
    const Vec3d place = in_space(step.positions[i]);
    for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
        const SolidContact<D>& contact = step.contacts[c];
        SpookBody& body = step.bodies.bodies()[contact.body];
        const Vec3d n = in_space(contact.normal);
        const float overlap = std::min(closest_ - contact.distance, 0.5f * closest_);
        const float least = overlap / (overlap > 0 ? step.natural : step.dt);
        const float rate = sum(u_[i] * to_quad<Quad>(contact.normal)) * root_[i] -
                           static_cast<float>(dot(n, body.velocity_at(place)));
        float mobility = step.inverse_mass[i];
        if (body.inverse_mass > 0)
            mobility += static_cast<float>(body.mobility(place, n));
        const float more = std::max((least - rate) / mobility, -contact_impulse_[c]);
        if (more == 0)
            continue;
        contact_impulse_[c] += more;
        u_[i] += to_quad<Quad>(contact.normal) * (more * root_[i]);
        if (body.inverse_mass > 0)
            push_body(step, contact.body, place, n * double(-more));
    }
}

template <int D>
void DensityRows<D>::finish(const FluidStep<D>& step, std::span<Vec<D>> velocities,
                            std::span<float> pressures) {
    const float to_pressure = static_cast<float>(walls_.rest().stiffness) / (volume_ * step.dt);
    step.workers.for_each(velocities.size(), [&](std::size_t i) {
        for (int k = 0; k < D; ++k)
            velocities[i][k] = u_[i][k] * root_[i];
        // a mean over about a natural step: a blow in a short one is no pressure to start from
        const float now = rows_[i].impulse * to_pressure;
        pressures[i] = step.dt < step.natural
                           ? pressures[i] + step.dt / step.natural * (now - pressures[i])
                           : now;
    });
}

template <int D>
float DensityRows<D>::rate(const FluidStep<D>& step, std::uint32_t i) const {
    const Row& row = rows_[i];
    const BlockRows& block = block_of(i);
    Quad rate = row.self * u_[i];
    for (std::uint32_t k = 0; k < row.count; ++k)
        rate -= block.gradients[row.first + k] * u_[block.neighbors[row.first + k]];
    return row.touch == Touch::body ? sum(rate) - rate_of_bodies(step, i) : sum(rate);
}

template <int D>
double DensityRows<D>::residual(const FluidStep<D>& step) const {
    double total = 0;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        float r = rate(step, i) - sigma_ * row.impulse - row.bias;
        if (row.weight > 0)  // what one-sided rows at their bound cannot change does not count
            r = std::max(r, -row.impulse * settings_.over_relaxation / row.weight);
        total += double(r) * r;
    }
    return rows_.empty() ? 0 : std::sqrt(total / static_cast<double>(rows_.size())) * step.dt;
}

template <int D>
std::size_t DensityRows<D>::bytes() const {
    std::size_t all = rows_.capacity() * sizeof(Row) + u_.capacity() * sizeof(Quad) +
                      (density_.capacity() + root_.capacity()) * sizeof(float);
    for (const BlockRows& block : storage_)
        all += block.neighbors.capacity() * sizeof(std::uint32_t) +
               block.gradients.capacity() * sizeof(Quad);
    return all;
}

template class DensityRows<2>;
template class DensityRows<3>;

}  // namespace millrace
