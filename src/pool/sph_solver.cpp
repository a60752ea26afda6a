#include "pool/sph_solver.hpp"

#include <algorithm>
#include <cstring>

#include "fluid/density.hpp"
#include "pool/wall_sample.hpp"

namespace millrace {

namespace {

constexpr float k_support = 2;    ///< of the kernel, in spacings
constexpr int k_iterations = 50;  ///< at most; shallow water needs far fewer
// of a natural sub-step; a short one does its part of it
constexpr float k_correction = 0.5f;        ///< part of a compression that is undone
constexpr float k_most_compression = 0.1f;  ///< that is undone at once
constexpr std::uint32_t k_nothing = 0xffffffff;

bool moves(const SolidMotion& solid) {
    return solid.is_pushed() || squared_norm(solid.velocity) > 0 || solid.spin != 0;
}

float support_of(const PoolMethod& settings, float spacing) {
    constexpr double k_middle = 0.5 * CubicSpline<2>::k_constant;  // W(0) H^2
    return settings.self_contribution > 0
               ? smoothing_length(settings.self_contribution, k_middle, spacing * spacing)
               : k_support * spacing;
}

PressureSettings pressure_settings(const PoolMethod& settings, float spacing) {
    PressureSettings result;
    result.stop.max_iterations = settings.iterations > 0 ? settings.iterations : k_iterations;
    result.stop.min_iterations = std::min(2, result.stop.max_iterations);
    result.stop.max_error = 0.01;
    result.warm_start = settings.warm_start;
    result.linear_solver = LinearSolver::nncg;
    result.divergence_iterations = result.stop.max_iterations;
    // where it ends sooner, the pressures of the last step stay at the surface, which then boils
    result.divergence_error = 0.0001;
    // Jacobi bears the less, the more neighbours there are: docs/methods/pressure-iterations.md
    const float wider = std::max(1.0f, support_of(settings, spacing) / (2 * spacing));
    result.relaxation = 0.5f / (wider * wider);
    return result;
}

}  // namespace

SphSolver::SphSolver(const PoolMethod& settings, float spacing)
    : kernel_(support_of(settings, spacing)),
      coupling_(Device::cpu(1)),
      keep_out_(KeepOut::in_pools(spacing)),
      device_(Device::cpu(1)) {
    const double area = double(spacing) * spacing;
    const auto w = [&](double r) { return double(kernel_.w(static_cast<float>(r * r))); };
    walls_ = WallField::of<2>(w, kernel_.support(), area);
    volume_ = static_cast<float>(walls_.rest().scale * area);
    pressure_ =
        make_pressure_solver<2>(settings.name, device_, pressure_settings(settings, spacing));
}

int SphSolver::solve(SubStep& step) {
    if (step.count() == 0)
        return 0;
    if (device_.threads() != step.workers.threads)
        device_ = Device::cpu(step.workers.threads);
    find_neighbors(step);
    place_walls(step);
    load(step);
    couple(step);
    const FluidView<2> fluid = view(step);
    compute_density(device_, fluid);
    const float part = step.part();
    const StepLength length{.dt = step.dt,
                            .share = part,
                            .most = part * k_most_compression,
                            .undone = k_correction,
                            .freedom = part};
    const PressureResult result = pressure_->solve(device_, fluid, velocity_.view(), length);
    push_solids(step);
    store(step);
    keep_out(step);
    return result.iterations + result.divergence_iterations;
}

/// The runs of the columns, without what is out of reach at their ends: they are read many times.
void SphSolver::find_neighbors(const SubStep& step) {
    const Columns<2>& columns = step.columns;
    runs_.resize(3 * std::size_t{step.count()});
    run_counts_.resize(step.count());
    columns.for_each_strip(step.workers, [&](std::size_t s) {
        columns.for_each_in(columns.strips()[s], [&](std::uint32_t i, const Columns<2>::Run* runs) {
            const auto is_near = [&](std::uint32_t j) {
                return squared_norm(columns.position(i) - columns.position(j)) <
                       support() * support();
            };
            Run* const mine = runs_.data() + 3 * std::size_t{i};
            std::uint32_t count = 0;
            for (int k = 0; k < 3; ++k) {
                auto [begin, end] = runs[k];
                while (begin < end && !is_near(begin))
                    ++begin;
                while (begin < end && !is_near(end - 1))
                    --end;
                if (begin < end)
                    mine[count++] = {begin, end};
            }
            run_counts_.data()[i] = count;
        });
    });
}

/// A sample for every contact, in the order of the contacts.
void SphSolver::place_walls(const SubStep& step) {
    wall_runs_.resize(step.count());
    wall_run_counts_.resize(step.count());
    wall_position_.resize(step.contacts.size());
    wall_volume_.resize(step.contacts.size());
    const VectorView<2> position = wall_position_.view();
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const Columns<2>::Strip& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            const Run run{step.contact_start[i], step.contact_start[i + 1]};
            wall_runs_.data()[i] = run;
            wall_run_counts_.data()[i] = run.begin < run.end ? 1 : 0;
            for (std::uint32_t c = run.begin; c < run.end; ++c) {
                const SolidContact<2>& contact = step.contacts[c];
                const WallSample sample = wall_sample(kernel_, contact.density, contact.slope);
                position.set(c, step.columns.position(i) - contact.normal * sample.distance);
                wall_volume_.data()[c] = sample.volume;
            }
        }
    });
}

/// What the pressure solver reads of the particles. Of a particle that took the place of another
/// in the pool only the whole pressure is known: it counts as that of the flow.
void SphSolver::load(const SubStep& step) {
    const std::uint32_t n = step.count();
    velocity_.resize(n);
    for (Buffer<float>* buffer : {&volumes_, &rest_density_, &divergence_pressure_})
        buffer->resize(n);
    const VectorView<2> velocity = velocity_.view();
    const std::vector<std::uint32_t>& order = step.columns.order();
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const Columns<2>::Strip& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            velocity.set(i, step.velocity[i]);
            volumes_.data()[i] = volume_;
            rest_density_.data()[i] = 1 / (step.inverse_mass[i] * volume_);
            const std::uint32_t k = order[i];
            const bool known = k < last_.size() && last_[k].id == step.id[i];
            divergence_pressure_.data()[i] =
                known ? last_[k].divergence_pressure : step.pressure[i];
        }
    });
}

/// The contacts with solids that move, one for every particle and solid.
void SphSolver::couple(const SubStep& step) {
    object_of_.assign(step.solids.size(), k_nothing);
    solid_of_.clear();
    contacts_.clear();
    offset_.assign(1, 0);
    if (std::none_of(step.solids.begin(), step.solids.end(), moves))
        return;
    for (std::uint32_t i = 0; i < step.count(); ++i) {
        for (std::uint32_t c = step.contact_start[i]; c < step.contact_start[i + 1]; ++c) {
            const SolidContact<2>& contact = step.contacts[c];
            const SolidMotion& solid = step.solids[contact.solid];
            if (!moves(solid))
                continue;
            std::uint32_t& object = object_of_[contact.solid];
            if (object == k_nothing) {
                object = static_cast<std::uint32_t>(solid_of_.size());
                solid_of_.push_back(contact.solid);
            }
            const Vec2 x = step.columns.position(i), x_ik = x - wall_position_.view().get(c);
            const Vec2 force =
                x_ik * (wall_volume_.data()[c] * kernel_.gradient_factor(squared_norm(x_ik)));
            const Spin<2> torque = moment(x - solid.center, force);
            const auto mine = contacts_.begin() + offset_.back();
            const auto same = std::find_if(mine, contacts_.end(),
                                           [&](const Contact<2>& k) { return k.object == object; });
            if (same == contacts_.end()) {
                contacts_.push_back({{force, torque}, 0, i, object});
            } else {
                same->push.force += force;
                same->push.torque += torque;
            }
        }
        offset_.push_back(static_cast<std::uint32_t>(contacts_.size()));
    }
    if (contacts_.empty())
        return;
    std::vector<Twist<2>> twists;
    std::vector<ObjectResponse<2>> responses;
    for (const std::uint32_t s : solid_of_) {
        const SolidMotion& solid = step.solids[s];
        twists.push_back({solid.velocity, {solid.spin}});
        ObjectResponse<2>& response = responses.emplace_back();
        response.r[0][0] = response.r[1][1] = solid.inverse_mass;
        response.r[2][2] = solid.inverse_inertia;
    }
    coupling_.set_contacts(device_, contacts_, offset_, solid_of_.size());
    coupling_.start(device_, twists, responses);
}

FluidView<2> SphSolver::view(SubStep& step) {
    const VectorView<2> positions = step.columns.positions();
    const NeighborView<2> fluid{positions, support(), run_counts_.data(), runs_.data(), 3,
                                nullptr,   nullptr};
    const NeighborView<2> walls{wall_position_.view(),
                                support(),
                                wall_run_counts_.data(),
                                wall_runs_.data(),
                                1,
                                nullptr,
                                nullptr};
    const bool any = !contacts_.empty();
    return {step.count(),
            step.spacing,
            kernel_,
            fluid,
            walls,
            positions,
            velocity_.view(),
            volumes_.data(),
            wall_volume_.data(),
            step.pressure.data(),
            divergence_pressure_.data(),
            step.density.data(),
            rest_density_.data(),
            nullptr,
            nullptr,
            any ? coupling_.view() : CouplingView<2>(),
            any ? &coupling_ : nullptr};
}

/// Velocities, and the pressures for the next start.
void SphSolver::store(SubStep& step) {
    const VectorView<2> velocity = velocity_.view();
    const std::vector<std::uint32_t>& order = step.columns.order();
    last_.resize(step.count());
    step.columns.for_each_strip(step.workers, [&](std::size_t s) {
        const Columns<2>::Strip& strip = step.columns.strips()[s];
        for (std::uint32_t i = strip.begin; i < strip.end; ++i) {
            step.velocity[i] = velocity.get(i);
            last_[order[i]] = {step.id[i], divergence_pressure_.data()[i]};
        }
    });
}

void SphSolver::push_solids(SubStep& step) const {
    if (contacts_.empty())
        return;
    const std::vector<Push<2, double>> impulses = coupling_.impulses();
    for (std::size_t k = 0; k < solid_of_.size(); ++k) {
        SolidMotion& solid = step.solids[solid_of_[k]];
        if (!solid.is_pushed())
            continue;
        const Vec2 impulse = Vec2::from(impulses[k].force);
        const float turn = static_cast<float>(impulses[k].torque[0]);
        solid.velocity += impulse * solid.inverse_mass;
        solid.spin += turn * solid.inverse_inertia;
        solid.impulse += impulse;
        solid.angular_impulse += turn;
    }
    // what came through every single contact: its part of the force of pressure
    for (std::uint32_t c = 0; c < step.contacts.size(); ++c) {
        const SolidContact<2>& contact = step.contacts[c];
        if (!step.solids[contact.solid].is_pushed())
            continue;
        const Vec2 x_ik = step.columns.position(contact.particle) - wall_position_.view().get(c);
        const float slope = wall_volume_.data()[c] * kernel_.gradient_factor(squared_norm(x_ik)) *
                            dot(x_ik, contact.normal);
        step.felt[c] = -step.dt * step.volume * step.pressure[contact.particle] * slope;
    }
}

void SphSolver::keep_out(SubStep& step) {
    keep_out_.start(step);
    for (std::uint32_t i = 0; i < step.count(); ++i)
        step.velocity[i] += keep_out_.push(step, i, step.velocity[i]) * step.inverse_mass[i];
}

std::vector<std::byte> SphSolver::memory() const {
    std::vector<std::byte> bytes(last_.size() * sizeof(Remembered));
    if (!last_.empty())
        std::memcpy(bytes.data(), last_.data(), bytes.size());
    return bytes;
}

bool SphSolver::remember(std::span<const std::byte> memory) {
    if (memory.size() % sizeof(Remembered) != 0)
        return false;
    last_.resize(memory.size() / sizeof(Remembered));
    if (!last_.empty())
        std::memcpy(last_.data(), memory.data(), memory.size());
    return true;
}

}  // namespace millrace
