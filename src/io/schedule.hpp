#pragma once

#include <vector>

#include "millrace/scene.hpp"

namespace millrace {

/// The times 1/rate, 2/rate, ... [s]. A time that misses one of them by less than a millionth of
/// the period stands for it: 3 * 0.1 s and 9 / 30 s are the same time, though not the same number.
class Ticks {
  public:
    explicit Ticks(double rate) : rate_(rate) {}

    bool passed(double before, double now) const { return count(now) > count(before); }
    double next(double time) const { return (count(time) + 1) / rate_; }
    /// Whether both times are the same to these ticks.
    bool same(double a, double b) const;

  private:
    double count(double time) const;

    double rate_;
};

/// When a run writes what; steps end on all these times. It depends on the scene alone, so that an
/// interrupted and resumed run takes the steps of one that was not.
class Schedule {
  public:
    /// Throws InputError, without a file name, where a period is too short to count.
    explicit Schedule(const Scene& scene);

    /// The next time after `time` at which something is written; no later than the end.
    double next(double time) const;
    bool ended(double time) const { return time >= end_; }
    /// Whether a frame is written after a step between these times; the last one is at the end.
    bool frame(double before, double now) const {
        return frames_.passed(before, now) || ended(now);
    }
    /// The same of a value of a probe; one without an interval goes with the frames.
    bool probe(std::size_t number, double before, double now) const;

  private:
    double end_;
    Ticks frames_;
    std::vector<double> intervals_;
};

}  // namespace millrace
