#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pool/displaced_places.hpp"
#include "pool/substep.hpp"

namespace millrace {

/// Springs between near particles of a fluid, whose rest lengths L flow (Clavet et al. 2005,
/// sections 5.1 and 5.2). Two particles that come closer than h get one with L = h.
///
///     r > L + gamma L:  L += dt alpha (r - L - gamma L)
///     r < L - gamma L:  L -= dt alpha (L - gamma L - r)
///     d_ij = dt^2 k_spring (1 - L / h) (L - r) r-hat
///
/// It ends where L > h. In place of dt^2 k_spring (1 - L / h) = s the factor s / (1 + s) is used,
/// and alpha likewise, which do not overshoot however stiff the spring is.
class ClavetSprings {
  public:
    struct Spring {
        ParticleId a, b;  ///< a < b
        float length;     ///< L [m]
    };

    /// Springs of the particles' places now, with rest lengths after dt. `runs` are those of the
    /// columns, three for every particle.
    void adjust(const SubStep& step, const DisplacedPlaces& places,
                const std::vector<Columns<2>::Run>& runs, float h);
    /// Moves particles by their springs.
    void relax(const SubStep& step, DisplacedPlaces& places, float h) const;

    void clear() { springs_.clear(); }
    const std::vector<Spring>& all() const { return springs_; }
    std::vector<std::byte> memory() const;
    bool remember(std::span<const std::byte> memory);

  private:
    static constexpr std::uint32_t k_nowhere = ~0u;
    /// The springs of a strip: those of its particles that have the smaller id.
    struct Link {
        std::uint32_t i, j;  ///< sorted places of a and b
        bool is_near;        ///< j is within the columns next to i's
    };
    struct StripSprings {
        std::vector<Spring> springs;
        std::vector<Link> links;
    };

    void find_places(const SubStep& step);
    std::uint32_t place_of(ParticleId id) const;
    void adjust_strip(const SubStep& step, const DisplacedPlaces& places,
                      const std::vector<Columns<2>::Run>& runs, float h,
                      const Columns<2>::Strip& strip, StripSprings& out) const;

    std::vector<Spring> springs_;  ///< those of one a side by side
    std::vector<StripSprings> strips_;
    // of the sub-step: where the springs of a particle begin, and a table of ids
    std::vector<std::uint32_t> first_;
    struct Slot {
        ParticleId id;
        std::uint32_t place;
    };
    std::vector<Slot> table_;
    int table_shift_ = 32;
};

}  // namespace millrace
