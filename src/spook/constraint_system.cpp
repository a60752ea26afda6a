#include "spook/constraint_system.hpp"

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"

namespace millrace {

namespace {

/// Sigma of bounded rows that are solved with the equalities, in their diagonals.
constexpr double k_soft = 1e-9;

}  // namespace

void ConstraintSystem::clear() {
    rows_.clear();
    blocks_.clear();
    groups_.clear();
    by_color_.clear();
    color_start_.assign(1, 0);
}

std::uint32_t ConstraintSystem::add(const Row& row, std::span<const SpookBlock> blocks) {
    const auto k = static_cast<std::uint32_t>(rows_.size());
    Held held;
    held.row = row;
    held.first = static_cast<std::uint32_t>(blocks_.size());
    held.count = static_cast<std::uint32_t>(blocks.size());
    rows_.push_back(held);
    blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
    groups_.push_back({k, k + 1});
    return k;
}

void ConstraintSystem::add_friction(std::uint32_t normal, double coefficient, FrictionShape shape,
                                    const Row rows[2], std::span<const SpookBlock> first,
                                    std::span<const SpookBlock> second) {
    const std::uint32_t k = add(rows[0], first);
    add(rows[1], second);
    for (std::uint32_t m = k; m < k + 2; ++m) {
        rows_[m].normal = static_cast<int>(normal);
        rows_[m].coefficient = coefficient;
    }
    rows_[k].cone = shape == FrictionShape::cone;
    // the friction of a contact is swept with its normal row, after it
    groups_.resize(groups_.size() - 2);
    if (normal + 1 == k)
        groups_.back().end = k + 2;
    else
        groups_.push_back({k, k + 2});
}

double ConstraintSystem::rate(const Held& held) const {
    double sum = 0;
    for (std::uint32_t b = held.first; b < held.first + held.count; ++b) {
        const SpookBody& body = bodies_[blocks_[b].body];
        sum +=
            dot(blocks_[b].linear, body.velocity) + dot(blocks_[b].angular, body.angular_velocity);
    }
    return sum;
}

void ConstraintSystem::push(const Held& held, double impulse) {
    for (std::uint32_t b = held.first; b < held.first + held.count; ++b) {
        SpookBody& body = bodies_[blocks_[b].body];
        if (body.inverse_mass == 0)
            continue;
        body.velocity += blocks_[b].linear * (impulse * body.inverse_mass);
        body.angular_velocity += body.inverse_inertia * (blocks_[b].angular * impulse);
    }
}

void ConstraintSystem::start() {
    for (Held& held : rows_) {
        held.diagonal = held.row.sigma;
        for (std::uint32_t b = held.first; b < held.first + held.count; ++b) {
            const SpookBody& body = bodies_[blocks_[b].body];
            if (body.inverse_mass == 0)
                continue;
            held.diagonal += body.inverse_mass * squared_norm(blocks_[b].linear) +
                             dot(blocks_[b].angular, body.inverse_inertia * blocks_[b].angular);
        }
        // rows that ask for two speeds at once must have a solution, too
        if (held.row.with_equalities &&
            (held.row.least != -k_unbounded || held.row.most != k_unbounded)) {
            held.row.sigma += k_soft * held.diagonal;
            held.diagonal *= 1 + k_soft;
        }
        if (held.row.impulse != 0)
            push(held, held.row.impulse);
    }
    find_colors();
}

/// Greedy: every group takes the first colour that none of its movable bodies has yet.
void ConstraintSystem::find_colors() {
    constexpr std::uint32_t k_colors = 64;  // more share the last, which one thread sweeps
    std::vector<std::uint64_t> taken(bodies_.size(), 0);
    std::vector<std::uint32_t> color(groups_.size()), count(k_colors + 1, 0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        std::uint64_t used = 0;
        for (std::uint32_t k = groups_[g].begin; k < groups_[g].end; ++k)
            for (std::uint32_t b = rows_[k].first; b < rows_[k].first + rows_[k].count; ++b)
                if (bodies_[blocks_[b].body].inverse_mass > 0)
                    used |= taken[blocks_[b].body];
        std::uint32_t c = 0;
        while (c < k_colors - 1 && (used >> c & 1))
            ++c;
        color[g] = c;
        ++count[c + 1];
        for (std::uint32_t k = groups_[g].begin; k < groups_[g].end; ++k)
            for (std::uint32_t b = rows_[k].first; b < rows_[k].first + rows_[k].count; ++b)
                taken[blocks_[b].body] |= std::uint64_t(1) << c;
    }
    for (std::uint32_t c = 0; c < k_colors; ++c)
        count[c + 1] += count[c];
    color_start_.assign(count.begin(), count.end());
    by_color_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
        by_color_[count[color[g]]++] = groups_[g];
    while (color_start_.size() > 2 && color_start_[color_start_.size() - 2] == color_start_.back())
        color_start_.pop_back();
}

int ConstraintSystem::color(std::uint32_t k) const {
    std::size_t g = 0;
    while (k < by_color_[g].begin || k >= by_color_[g].end)
        ++g;
    return static_cast<int>(std::upper_bound(color_start_.begin(), color_start_.end(), g) -
                            color_start_.begin()) -
           1;
}

/// mu times the normal impulse.
double ConstraintSystem::friction_limit(const Held& held) const {
    return held.coefficient *
           std::max(0.0, rows_[static_cast<std::size_t>(held.normal)].row.impulse);
}

/// z of 0 <= D (z - lambda) + r  _|_  z within its bounds, of one row (S2 Eq. 34).
double ConstraintSystem::relaxed(const Held& held) const {
    double least = held.row.least, most = held.row.most;
    if (held.normal >= 0) {
        most = friction_limit(held);
        least = -most;
    }
    const double r = rate(held) + held.row.sigma * held.row.impulse - held.row.target;
    return std::clamp(held.row.impulse - r / held.diagonal, least, most);
}

/// The same of both rows of a friction cone, back onto the disc. Both are divided by the larger
/// diagonal: with one of its own each, friction would not be opposed to the slip.
ConstraintSystem::Pair ConstraintSystem::relaxed_cone(std::size_t k) const {
    const Held* pair[2] = {&rows_[k], &rows_[k + 1]};
    const double diagonal = std::max(pair[0]->diagonal, pair[1]->diagonal);
    double next[2];
    for (int t = 0; t < 2; ++t) {
        const Row& row = pair[t]->row;
        const double r = rate(*pair[t]) + row.sigma * row.impulse - row.target;
        next[t] = row.impulse - r / diagonal;
    }
    const double length = portable::hypot(next[0], next[1]), most = friction_limit(*pair[0]);
    const double scale = length > most ? most / length : 1;
    return {next[0] * scale, next[1] * scale};
}

void ConstraintSystem::change_impulse(Held& held, double impulse) {
    const double change = impulse - held.row.impulse;
    if (change == 0)
        return;
    held.row.impulse = impulse;
    push(held, change);
}

void ConstraintSystem::relax(std::size_t k) {
    if (rows_[k].cone) {
        if (!(rows_[k].diagonal > 0) || !(rows_[k + 1].diagonal > 0))
            return;
        const Pair next = relaxed_cone(k);
        change_impulse(rows_[k], next.first);
        change_impulse(rows_[k + 1], next.second);
    } else if (rows_[k].diagonal > 0) {
        change_impulse(rows_[k], relaxed(rows_[k]));
    }
}

void ConstraintSystem::sweep(const Workers& workers, bool forwards) {
    constexpr std::size_t k_few = 64;  // groups that are not worth waking threads for
    const auto visit = [&](const Group& group) {
        for (std::uint32_t k = group.begin; k < group.end; k += rows_[k].cone ? 2 : 1)
            relax(k);
    };
    const std::size_t n = color_start_.size() - 1;
    for (std::size_t s = 0; s < n; ++s) {
        const std::size_t c = forwards ? s : n - 1 - s;
        const std::uint32_t begin = color_start_[c], end = color_start_[c + 1];
        if (end - begin < k_few || c == 63) {
            for (std::uint32_t g = 0; g < end - begin; ++g)
                visit(by_color_[forwards ? begin + g : end - 1 - g]);
        } else {
            workers.for_each(end - begin, [&](std::size_t g) { visit(by_color_[begin + g]); });
        }
    }
}

double ConstraintSystem::residual() const {
    double sum = 0;
    std::size_t count = 0;
    const auto add = [&](const Held& held, double next, double diagonal) {
        const double r = (held.row.impulse - next) * diagonal;
        sum += r * r;
        ++count;
    };
    for (std::size_t k = 0; k < rows_.size(); k += rows_[k].cone ? 2 : 1) {
        if (!rows_[k].cone && rows_[k].diagonal > 0) {
            add(rows_[k], relaxed(rows_[k]), rows_[k].diagonal);
        } else if (rows_[k].cone && rows_[k].diagonal > 0 && rows_[k + 1].diagonal > 0) {
            const Pair next = relaxed_cone(k);
            const double diagonal = std::max(rows_[k].diagonal, rows_[k + 1].diagonal);
            add(rows_[k], next.first, diagonal);
            add(rows_[k + 1], next.second, diagonal);
        }
    }
    return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

/// Whether a row is without bounds, or would stay within them by itself.
bool ConstraintSystem::joins(const Held& held) const {
    if (held.normal >= 0 || !(held.diagonal > 0))
        return false;
    if (held.row.least == -k_unbounded && held.row.most == k_unbounded)
        return true;
    if (!held.row.with_equalities)
        return false;
    const double r = rate(held) + held.row.sigma * held.row.impulse - held.row.target;
    const double next = held.row.impulse - r / held.diagonal;
    return next > held.row.least && next < held.row.most;
}

/// Rows that left their bounds go back and are no longer among the others. False: there were none.
bool ConstraintSystem::bring_back() {
    bool any = false;
    std::size_t kept = 0;
    for (const std::uint32_t k : equalities_) {
        Held& held = rows_[k];
        const double back = std::clamp(held.row.impulse, held.row.least, held.row.most);
        if (back == held.row.impulse) {
            equalities_[kept++] = k;
            continue;
        }
        push(held, back - held.row.impulse);
        held.row.impulse = back;
        any = true;
    }
    equalities_.resize(kept);
    return any;
}

int ConstraintSystem::solve_equalities(int most, double tolerance, std::vector<double>* residuals) {
    constexpr int k_rounds = 3;
    equalities_.clear();
    for (std::uint32_t k = 0; k < rows_.size(); ++k)
        if (joins(rows_[k]))
            equalities_.push_back(k);
    int iterations = 0;
    for (int round = 0; round < k_rounds; ++round) {
        iterations += iterate_equalities(most, tolerance, residuals);
        if (!bring_back())
            break;
    }
    return iterations;
}

/// (G M^-1 G^T + Sigma) x = -r over these rows, preconditioned by the diagonal; the velocities
/// follow the impulses.
int ConstraintSystem::iterate_equalities(int most, double tolerance,
                                         std::vector<double>* residuals) {
    const std::size_t n = equalities_.size();
    if (n == 0)
        return 0;
    r_.resize(n);
    p_.resize(n);
    z_.resize(n);
    q_.resize(n);
    double rz = 0;
    for (std::size_t e = 0; e < n; ++e) {
        const Held& held = rows_[equalities_[e]];
        r_[e] = held.row.target - rate(held) - held.row.sigma * held.row.impulse;
        z_[e] = r_[e] / held.diagonal;
        p_[e] = z_[e];
        rz += r_[e] * z_[e];
    }
    const double enough = tolerance * tolerance * rz;
    int iteration = 0;
    for (; iteration < most && rz > enough && rz > 0; ++iteration) {
        // q = S p: push copies of the bodies that stand still, and look how they move
        moved_ = bodies_;
        for (SpookBody& body : bodies_)
            body.velocity = body.angular_velocity = Vec3d::all(0);
        for (std::size_t e = 0; e < n; ++e)
            push(rows_[equalities_[e]], p_[e]);
        double pq = 0;
        for (std::size_t e = 0; e < n; ++e) {
            const Held& held = rows_[equalities_[e]];
            q_[e] = rate(held) + held.row.sigma * p_[e];
            pq += p_[e] * q_[e];
        }
        bodies_.swap(moved_);
        if (!(pq > 0))
            break;
        const double alpha = rz / pq;
        double next = 0;
        for (std::size_t e = 0; e < n; ++e) {
            Held& held = rows_[equalities_[e]];
            held.row.impulse += alpha * p_[e];
            push(held, alpha * p_[e]);
            r_[e] -= alpha * q_[e];
            z_[e] = r_[e] / held.diagonal;
            next += r_[e] * z_[e];
        }
        for (std::size_t e = 0; e < n; ++e)
            p_[e] = z_[e] + next / rz * p_[e];
        rz = next;
        if (residuals)
            residuals->push_back(residual());
    }
    return iteration;
}

}  // namespace millrace
