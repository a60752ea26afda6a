#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "exec/workers.hpp"
#include "math/mat.hpp"

namespace millrace {

/// A body as a solver for velocities sees it: a particle, where it has no inertia, or a rigid body.
struct SpookBody {
    Vec3d velocity = Vec3d::all(0);          ///< of the centre of mass [m/s]
    Vec3d angular_velocity = Vec3d::all(0);  ///< [rad/s]
    double inverse_mass = 0;                 ///< [1/kg]; 0: nothing moves it
    Mat3d inverse_inertia = Mat3d::zero();   ///< in the world's axes [1/(kg m^2)]
    Vec3d center = Vec3d::all(0);            ///< of mass [m]

    Vec3d velocity_at(const Vec3d& place) const {
        return velocity + cross(angular_velocity, place - center);
    }
    /// n . M^-1 n of an impulse along n at the place.
    double mobility(const Vec3d& place, const Vec3d& n) const {
        const Vec3d turn = cross(place - center, n);
        return inverse_mass * squared_norm(n) + dot(turn, inverse_inertia * turn);
    }
    void push(const Vec3d& place, const Vec3d& impulse) {
        velocity += impulse * inverse_mass;
        angular_velocity += inverse_inertia * cross(place - center, impulse);
    }
};

/// The part of a row that belongs to one body: G_kb.
struct SpookBlock {
    std::uint32_t body;
    Vec3d linear = Vec3d::all(0), angular = Vec3d::all(0);
};

/// How the impulses along two directions of friction are bounded by mu times the normal impulse.
enum class FrictionShape { box, cone };

/// Bodies, and rows G v + Sigma lambda = target on their velocities with bounds for the impulses
/// lambda: a mixed linear complementarity problem (S2 Eq. 16), solved by projected Gauss-Seidel
/// without a matrix (S2 Algorithm VII.1). Rows that share no body that can move have one colour and
/// are swept at once: the result does not depend on the number of threads.
class ConstraintSystem {
  public:
    static constexpr double k_unbounded = std::numeric_limits<double>::infinity();

    struct Row {
        double target = 0;  ///< what G v shall be
        double sigma = 0;
        double least = -k_unbounded, most = k_unbounded;  ///< of the impulse
        double impulse = 0;                               ///< at first: to start from
        /// Solved with the rows without bounds as long as its impulse is within its own.
        bool with_equalities = false;
    };

    std::vector<SpookBody>& bodies() { return bodies_; }
    const std::vector<SpookBody>& bodies() const { return bodies_; }

    /// Forgets all rows; the bodies stay.
    void clear();
    /// Adds a row and returns its number.
    std::uint32_t add(const Row& row, std::span<const SpookBlock> blocks);
    /// Adds two rows of friction for the normal row, along two directions at right angles.
    void add_friction(std::uint32_t normal, double coefficient, FrictionShape shape,
                      const Row rows[2], std::span<const SpookBlock> first,
                      std::span<const SpookBlock> second);
    std::size_t size() const { return rows_.size(); }
    const Row& row(std::uint32_t k) const { return rows_[k].row; }

    /// Finds diagonals and colours, and applies the impulses to start from.
    void start();
    /// One sweep over all rows, in their order or against it.
    void sweep(const Workers& workers, bool forwards);
    /// Solves the rows that have no bounds, together and with what the others do as it is, by
    /// conjugate gradients (S2 section X): where long chains or uneven masses make sweeps slow.
    /// Rows `with_equalities` are among them while they are not at a bound.
    /// Stops at a residual below `tolerance` of the first one. Returns the iterations, and appends
    /// residual() after each of them to `residuals`, where it is given.
    int solve_equalities(int most, double tolerance, std::vector<double>* residuals = nullptr);
    /// The root of the mean square of what is left: G v + Sigma lambda - target, of rows at a bound
    /// only as far as they could change it.
    double residual() const;
    int colors() const { return static_cast<int>(color_start_.size()) - 1; }
    /// The colour of a row, after start().
    int color(std::uint32_t k) const;

    /// G v of a row.
    double rate(std::uint32_t k) const { return rate(rows_[k]); }

  private:
    struct Held {
        Row row;
        std::uint32_t first, count;  ///< blocks
        double diagonal = 0;         ///< G M^-1 G^T + Sigma
        int normal = -1;             ///< of friction: the row that bounds it
        double coefficient = 0;
        bool cone = false;  ///< with the next row
    };
    struct Pair {
        double first, second;
    };
    double rate(const Held& held) const;
    double friction_limit(const Held& held) const;
    double relaxed(const Held& held) const;
    Pair relaxed_cone(std::size_t k) const;
    void change_impulse(Held& held, double impulse);
    void push(const Held& held, double impulse);
    void relax(std::size_t k);
    void find_colors();
    bool joins(const Held& held) const;
    bool bring_back();
    int iterate_equalities(int most, double tolerance, std::vector<double>* residuals);

    std::vector<SpookBody> bodies_;
    std::vector<Held> rows_;
    std::vector<SpookBlock> blocks_;
    /// Rows that stand together: one of no friction, or the rows of a contact.
    struct Group {
        std::uint32_t begin, end;
    };
    std::vector<Group> groups_, by_color_;
    std::vector<std::uint32_t> color_start_{0};
    // of conjugate gradients
    std::vector<std::uint32_t> equalities_;
    std::vector<double> r_, p_, z_, q_;
    std::vector<SpookBody> moved_;
};

}  // namespace millrace
