#include "particles/box_fill.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "math/portable.hpp"

namespace millrace {

namespace {

double steps_along(const Box& box, int axis, double spacing) {
    return std::floor((box.max[axis] - box.min[axis]) / spacing + 0.5);
}

// Normally distributed numbers by Box and Muller: the standard library's own differ from one
// implementation to another.
class Normal {
  public:
    explicit Normal(std::uint64_t seed) : random_(seed) {}
    double operator()() {
        const double u = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
        const double v = (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53;
        return std::sqrt(-2 * portable::log(u)) * portable::cos(2 * std::numbers::pi * v);
    }

  private:
    std::mt19937_64 random_;
};

}  // namespace

template <int D>
double count_box_fill(const Box& box, double spacing) {
    double count = 1;
    for (int k = 0; k < D; ++k)
        count *= steps_along(box, k, spacing);
    return count;
}

template <int D>
FillSamples<D> box_fill(const Box& box, double spacing, double jitter, std::uint64_t seed) {
    FillSamples<D> samples;
    int n[3] = {1, 1, 1};
    double step[D];
    samples.volume = 1;
    for (int k = 0; k < D; ++k) {
        n[k] = static_cast<int>(steps_along(box, k, spacing));
        if (n[k] == 0)
            return samples;
        step[k] = (box.max[k] - box.min[k]) / n[k];
        samples.volume *= step[k];
    }
    Normal normal(seed);
    samples.positions.reserve(static_cast<std::size_t>(count_box_fill<D>(box, spacing)));
    int at[3];
    for (at[2] = 0; at[2] < n[2]; ++at[2])
        for (at[1] = 0; at[1] < n[1]; ++at[1])
            for (at[0] = 0; at[0] < n[0]; ++at[0]) {
                Vec<D> x;
                for (int k = 0; k < D; ++k)
                    x[k] = static_cast<float>(box.min[k] + (at[k] + 0.5) * step[k] +
                                              jitter * spacing * normal());
                samples.positions.push_back(x);
            }
    return samples;
}

template double count_box_fill<2>(const Box&, double);
template double count_box_fill<3>(const Box&, double);
template FillSamples<2> box_fill<2>(const Box&, double, double, std::uint64_t);
template FillSamples<3> box_fill<3>(const Box&, double, double, std::uint64_t);

}  // namespace millrace
