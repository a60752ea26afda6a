#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "analysis/experiment.hpp"

namespace millrace {

/// The way of a piston back and forth.
struct PistonMotion {
    double stroke = 0;               ///< from end to end [m]
    int turns = 0;                   ///< whole ones: from middle to middle, forwards
    std::size_t begin = 0, end = 0;  ///< steps at which the first of these begins, the last ends
};
/// Of its places along the axis, step by step [m].
PistonMotion piston_motion(const std::vector<double>& places);

/// Counts what passes a horizontal line upwards, less what comes back.
class OutletCounter {
  public:
    /// The line is `width` [m] wide about its middle.
    OutletCounter(const Vector& middle, double width) : middle_(middle), width_(width) {}
    /// Two numbers a particle in `positions`.
    void look(std::span<const float> positions, std::span<const std::uint32_t> ids);
    double passed() const { return passed_; }

  private:
    Vector middle_;
    double width_, passed_ = 0;
    std::unordered_map<std::uint32_t, float> heights_;
};

/// `part`: of what the piston swept, pumped in `turns` turns.
Claim pump_claim(int turns, double part);

ExperimentReport run_s2_pump(const ExperimentOptions& options);

}  // namespace millrace
