#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/signed_distance.hpp"
#include "math/mat.hpp"

// Exact distances to simple shapes. Computed in double: far from the origin floats are too coarse.
namespace millrace {

/// Farther than anything in a scene [m].
constexpr float k_far_away = 1e9f;

template <int D>
typename SignedDistance<D>::Sample to_sample(double distance, const Vec<D, double>& normal) {
    return {static_cast<float>(distance), Vec<D>::from(normal)};
}

/// The box from low to high in floats, none of which cuts something off.
template <int D>
void round_outwards(const Vec<D, double>& low, const Vec<D, double>& high, Vec<D>& min,
                    Vec<D>& max) {
    constexpr float k_infinity = std::numeric_limits<float>::infinity();
    for (int k = 0; k < D; ++k) {
        min[k] = std::nextafter(static_cast<float>(low[k]), -k_infinity);
        max[k] = std::nextafter(static_cast<float>(high[k]), k_infinity);
    }
}

/// How far a place is from faces at right angles to each other that are all in the way outwards,
/// from how far it is before each. Before more than one, the corner between them is the nearest.
template <int K>
double distance_to_corner(const Vec<K, double>& before, Vec<K, double>& gradient) {
    const int nearest = static_cast<int>(std::max_element(before.c, before.c + K) - before.c);
    gradient = Vec<K, double>::all(0);
    gradient[nearest] = 1;
    if (before[nearest] <= 0)
        return before[nearest];
    for (int k = 0; k < K; ++k)
        gradient[k] = std::max(0.0, before[k]);
    const double distance = norm(gradient);
    gradient = gradient / distance;
    return distance;
}

template <int D>
class BoxDistance : public SignedDistance<D> {
  public:
    using typename SignedDistance<D>::Sample;
    using Place = Vec<D, double>;

    /// half: half its size [m], along the axes before the rotation
    BoxDistance(const Place& center, const Place& half, const Mat<D, double>& rotation)
        : center_(center), half_(half), rotation_(rotation), back_(transpose(rotation)) {}

    Sample at(const Vec<D>& place) const override {
        const Place x = back_ * (Place::from(place) - center_);
        Place before, gradient;
        for (int k = 0; k < D; ++k)
            before[k] = std::abs(x[k]) - half_[k];
        const double distance = distance_to_corner(before, gradient);
        for (int k = 0; k < D; ++k)
            gradient[k] = std::copysign(gradient[k], x[k]);
        return to_sample(distance, rotation_ * gradient);
    }
    void bounds(Vec<D>& min, Vec<D>& max) const override {
        Place reach = Place::all(0);
        for (int k = 0; k < D; ++k)
            for (int l = 0; l < D; ++l)
                reach[k] += std::abs(rotation_(k, l)) * half_[l];
        round_outwards(center_ - reach, center_ + reach, min, max);
    }
    std::size_t bytes() const override { return sizeof(*this); }

  private:
    Place center_, half_;
    Mat<D, double> rotation_, back_;
};

template <int D>
class HalfSpaceDistance : public SignedDistance<D> {
  public:
    using typename SignedDistance<D>::Sample;
    using Place = Vec<D, double>;

    /// normal: out of the solid, of length 1
    HalfSpaceDistance(const Place& point, const Place& normal) : point_(point), normal_(normal) {}

    Sample at(const Vec<D>& place) const override {
        return to_sample(dot(Place::from(place) - point_, normal_), normal_);
    }
    /// Without an end, except along an axis that is the normal.
    void bounds(Vec<D>& min, Vec<D>& max) const override {
        constexpr double k_along = 1 - 1e-14;
        Place low = Place::all(-k_far_away), high = Place::all(k_far_away);
        for (int k = 0; k < D; ++k)
            if (std::abs(normal_[k]) > k_along)
                (normal_[k] > 0 ? high[k] : low[k]) = point_[k];
        round_outwards(low, high, min, max);
    }
    std::size_t bytes() const override { return sizeof(*this); }

  private:
    Place point_, normal_;
};

/// With flat ends.
class CylinderDistance : public SignedDistance<3> {
  public:
    CylinderDistance(const Vec3d& from, const Vec3d& to, double radius)
        : center_((from + to) * 0.5),
          axis_(normalized(to - from)),
          half_length_(norm(to - from) / 2),
          radius_(radius) {}

    Sample at(const Vec3& place) const override {
        const Vec3d x = Vec3d::from(place) - center_;
        const double along = dot(x, axis_);
        const Vec3d radial = x - axis_ * along;
        const double off_axis = norm(radial);
        Vec2d gradient;
        const double distance =
            distance_to_corner(Vec2d{off_axis - radius_, std::abs(along) - half_length_}, gradient);
        const Vec3d outwards = off_axis > 0 ? radial / off_axis : any_across();
        return to_sample(distance,
                         outwards * gradient[0] + axis_ * std::copysign(gradient[1], along));
    }
    void bounds(Vec3& min, Vec3& max) const override {
        Vec3d reach;
        for (int k = 0; k < 3; ++k)
            reach[k] = std::abs(axis_[k]) * half_length_ +
                       radius_ * std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k]));
        round_outwards(center_ - reach, center_ + reach, min, max);
    }
    std::size_t bytes() const override { return sizeof(*this); }

  private:
    Vec3d any_across() const {
        const Vec3d other = std::abs(axis_[0]) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        return normalized(cross(axis_, other));
    }

    Vec3d center_, axis_;
    double half_length_, radius_;
};

/// What lies outside of a shape, up to a thickness from its box: the walls of a tank.
template <int D>
class OutsideDistance : public SignedDistance<D> {
  public:
    using typename SignedDistance<D>::Sample;

    OutsideDistance(std::unique_ptr<SignedDistance<D>> shape, double thickness)
        : shape_(std::move(shape)) {
        shape_->bounds(min_, max_);
        for (int k = 0; k < D; ++k) {
            min_[k] -= static_cast<float>(thickness);
            max_[k] += static_cast<float>(thickness);
        }
    }

    Sample at(const Vec<D>& place) const override {
        const Sample sample = shape_->at(place);
        for (int k = 0; k < D; ++k)
            if (place[k] < min_[k] || place[k] > max_[k])
                return {k_far_away, sample.normal};
        return {-sample.distance, -sample.normal};
    }
    void bounds(Vec<D>& min, Vec<D>& max) const override {
        min = min_;
        max = max_;
    }
    std::size_t bytes() const override { return sizeof(*this) + shape_->bytes(); }

  private:
    std::unique_ptr<SignedDistance<D>> shape_;
    Vec<D> min_, max_;
};

}  // namespace millrace
