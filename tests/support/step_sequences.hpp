#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "support/seed.hpp"

namespace millrace {

/// Lengths of steps that no engine is made for: neighbours that differ by up to a factor of 10^4,
/// as frames, probes and events cut them.
class StepSequence {
  public:
    enum class Kind { even, random, alternating, geometric };

    /// From `shortest` to `longest` [s]; even ones are all `longest`.
    StepSequence(Kind kind, double shortest, double longest)
        : kind_(kind),
          shortest_(shortest),
          longest_(longest),
          next_(shortest),
          random_(test_seed()) {}

    double next() {
        ++count_;
        switch (kind_) {
            case Kind::random: {  // as many from 1 to 10 us as from 1 to 10 ms
                std::uniform_real_distribution<double> part(0, 1);
                return shortest_ * std::pow(longest_ / shortest_, part(random_));
            }
            case Kind::alternating:  // long ones, and between them short ones of four lengths
                return count_ % 2 ? longest_ : shortest_ * std::pow(10.0, count_ / 2 % 4);
            case Kind::geometric: {  // each half as long again as the last one, and back
                const double step = next_;
                next_ *= grows_ ? 1.5 : 1 / 1.5;
                if (next_ > longest_ || next_ < shortest_) {
                    grows_ = !grows_;
                    next_ = grows_ ? shortest_ : longest_;
                }
                return step;
            }
            default:
                return longest_;
        }
    }

    /// Calls step(dt) until the time is over.
    template <class Step>
    void run(double time, const Step& step) {
        for (double t = 0; t < time;) {
            const double dt = next();
            step(dt);
            t += dt;
        }
    }

  private:
    Kind kind_;
    double shortest_, longest_, next_;
    bool grows_ = true;
    int count_ = 0;
    std::mt19937_64 random_;
};

inline std::string name_of(StepSequence::Kind kind) {
    const char* names[]{"even", "random", "alternating", "geometric"};
    return names[static_cast<int>(kind)];
}

}  // namespace millrace
