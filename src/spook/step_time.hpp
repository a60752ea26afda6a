#pragma once

namespace millrace {

/// The length of a step, and of the natural one that it is a part of. Errors are undone and
/// pressures forgotten in the time of a natural step: a short one does its part of that.
struct StepTime {
    float dt;       ///< [s]
    float natural;  ///< no shorter than dt [s]

    /// The part of what a natural step does that is for this one, at most 1.
    float part() const { return dt / natural; }
    /// A mean over about `natural`, after a step in which the value was `now`. What acts at once,
    /// as a blow does, is as large in a short step as that is short: not so its mean.
    float mean_with(float mean, float now) const {
        return dt < natural ? mean + part() * (now - mean) : now;
    }
};

}  // namespace millrace
