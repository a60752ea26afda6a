#include "timestep/metropolis.hpp"

#include <algorithm>
#include <cmath>

#include "math/portable.hpp"

namespace millrace {

namespace {

/// A step shorter than this part of the uncut one was cut.
constexpr double k_whole = 0.999;
/// Weight of what was measured before when the accepted step is measured again.
constexpr double k_reference_memory = 0.5;
/// Where the solver fails in steps shorter than this part of the limit, shorter ones do not help.
constexpr double k_least_part = 0.05;

/// The n-th number of a stream, well mixed (the finalizer of SplitMix64, Steele et al. 2014).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t n) {
    std::uint64_t x = seed * 0xd1342543de82ef95u + (n + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace

double metropolis_temperature(double acceptance, double improving, double worsening, double loss) {
    const double all = improving + worsening;
    const double z = all > 0 ? improving / all : 1;
    return z < acceptance ? loss / portable::log((1 - z) / (acceptance - z)) : 0;
}

MetropolisSearch::MetropolisSearch(const TimeStep& settings, std::uint64_t seed)
    : settings_(settings), seed_(seed), model_(settings.cost_constant, settings.cost_iteration) {}

/// Of a proposal, relative to the step (S1 Eq. 3.82).
double MetropolisSearch::deviation() const {
    return settings_.sigma * std::sqrt(static_cast<double>(settings_.episode));
}

double MetropolisSearch::random() {
    const std::uint64_t bits = mixed(seed_, static_cast<std::uint64_t>(draws_));
    draws_ += 1;
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// The sum of twelve uniform numbers has the variance 1 and is close enough to a Gaussian; unlike
/// others, it takes no function whose last bit depends on the library.
double MetropolisSearch::normal() {
    double sum = -6;
    for (int k = 0; k < 12; ++k)
        sum += random();
    return sum;
}

/// Around the accepted step (S1 Eq. 3.82), as likely longer as shorter by the same ratio. One
/// beyond the limit is thrown back by the ratio that it is too long.
double MetropolisSearch::draw_proposal() {
    const double from = std::min(dt_, limit_);
    const double x = deviation() * normal();
    double dt = x >= 0 ? from * (1 + x) : from / (1 - x);
    if (dt > limit_)
        dt = limit_ * (limit_ / dt);
    return std::max(dt, settings_.min);
}

double MetropolisSearch::step(double limit) {
    limit_ = limit;
    if (dt_ == 0)
        dt_ = settings_.initial > 0 ? std::min(std::max(settings_.initial, settings_.min), limit)
                                    : limit;
    if (proposing_ != 0 && proposal_ == 0)
        proposal_ = draw_proposal();
    return std::min(proposing_ != 0 ? proposal_ : dt_, limit);
}

void MetropolisSearch::observe(const StepReport& report, double uncut) {
    model_.observe(report);
    const double kept = portable::exp(-report.dt / settings_.horizon);
    improving_ *= kept;
    worsening_ *= kept;
    losses_ *= kept;
    if (report.dt < k_whole * uncut)
        return observe_cut(report.dt);
    cut_steps_ = longest_cut_ = 0;
    if (!report.converged)
        return observe_failure();
    episode_.add(report);
    if (episode_.steps >= settings_.episode)
        end_episode();
}

/// Where every step is cut, as between the frames of a game, nothing can be learnt from longer
/// ones: those that are taken become the accepted ones.
void MetropolisSearch::observe_cut(double dt) {
    cut_steps_ += 1;
    longest_cut_ = std::max(longest_cut_, dt);
    if (cut_steps_ < 2 * settings_.episode)
        return;
    dt_ = std::min(dt_, longest_cut_);
    reference_ = {};
    cut_steps_ = longest_cut_ = 0;
    start_episode(false);
}

/// A proposal at which the solver fails is rejected at once and says nothing about losses. An
/// accepted step at which it fails is shortened at once.
void MetropolisSearch::observe_failure() {
    if (proposing_ == 0) {
        dt_ = std::min(dt_,
                       std::max(std::min(dt_, limit_) / (1 + deviation()), k_least_part * limit_));
        reference_ = {};
    }
    start_episode(false);
}

void MetropolisSearch::start_episode(bool proposing) {
    episode_ = {};
    proposal_ = 0;
    proposing_ = proposing;
}

void MetropolisSearch::end_episode() {
    if (proposing_ == 0) {
        reference_.steps = k_reference_memory * reference_.steps + episode_.steps;
        reference_.seconds = k_reference_memory * reference_.seconds + episode_.seconds;
        reference_.iterations = k_reference_memory * reference_.iterations + episode_.iterations;
        return start_episode(true);
    }
    // Eq. 3.81 for both, with the costs as they are known now
    const double before = model_.performance(reference_), now = model_.performance(episode_);
    const double loss = before > 0 ? 1 - now / before : 0;
    if (now > before) {
        improving_ += 1;
    } else {
        worsening_ += 1;
        losses_ += loss;
    }
    const double t = temperature();
    const bool accepted =
        now > before || (t > 0 && random() < portable::exp(-loss / t));  // Eq. 3.78
    if (accepted) {
        dt_ = proposal_;
        reference_ = episode_;
    }
    start_episode(accepted);
}

double MetropolisSearch::temperature() const {
    return metropolis_temperature(settings_.acceptance, improving_, worsening_,
                                  worsening_ > 0 ? losses_ / worsening_ : 0);
}

}  // namespace millrace
