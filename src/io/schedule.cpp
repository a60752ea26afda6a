#include "io/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "millrace/error.hpp"

namespace millrace {

namespace {

constexpr double k_tolerance = 1e-6;  ///< [periods]
/// Up to here a count of periods is exact to much less than the tolerance.
constexpr double k_most_ticks = 1e9;

}  // namespace

double Ticks::count(double time) const {
    return std::floor(time * rate_ + k_tolerance);
}

bool Ticks::same(double a, double b) const {
    return std::abs(a - b) * rate_ < k_tolerance;
}

Schedule::Schedule(const Scene& scene) : end_(scene.end), frames_(scene.output.fps) {
    if (scene.output.fps * end_ > k_most_ticks)
        throw InputError(
            "output.fps: too large, there would be more than 1e9 frames until the end");
    for (std::size_t i = 0; i < scene.probes.size(); ++i) {
        const double interval = scene.probes[i].interval;
        if (interval > 0 && end_ / interval > k_most_ticks)
            throw InputError("probes[" + std::to_string(i) +
                             "].interval: too short, there would be more than 1e9 values until "
                             "the end");
        intervals_.push_back(interval);
    }
}

double Schedule::next(double time) const {
    double earliest = end_;
    const auto consider = [&](const Ticks& ticks) {
        const double tick = ticks.next(time);
        if (!ticks.same(tick, end_))  // the end stands for it
            earliest = std::min(earliest, tick);
    };
    consider(frames_);
    for (const double interval : intervals_)
        if (interval > 0)
            consider(Ticks(1 / interval));
    return earliest;
}

bool Schedule::probe(std::size_t number, double before, double now) const {
    const double interval = intervals_[number];
    return interval > 0 ? Ticks(1 / interval).passed(before, now) : frame(before, now);
}

}  // namespace millrace
