#include "diffuse/sorted_fluid.hpp"

#include <cmath>

#include "exec/parallel.hpp"

namespace millrace {
namespace {

constexpr float k_fastest = 1e9f;  // [m/s]; squares and their sums stay finite

Vec3 vector_at(std::span<const float> values, std::size_t i) {
    return {{values[3 * i], values[3 * i + 1], values[3 * i + 2]}};
}

bool is_sound(const Vec3& velocity) {
    return squared_norm(velocity) < k_fastest * k_fastest;  // false for a NaN
}

}  // namespace

SortedFluid::SortedFluid(const Device& device, const FluidFrame& frame, double spacing)
    : support_(static_cast<float>(2 * spacing)),
      grid_(device),
      positions_(device),
      velocities_(device) {
    const std::size_t n = frame.positions.size() / 3;
    VectorBuffer<3> unsorted(device, n);
    const VectorView<3> place = unsorted.view();
    for_each(device, n, [&](std::uint32_t i) {
        const bool sound = is_sound(vector_at(frame.velocities, i));
        place.set(i, sound ? vector_at(frame.positions, i) : Vec3::all(k_nowhere));
    });
    count_ = grid_.build(device, place, n, support_, cell_budget(n));
    positions_.resize(count_);
    velocities_.resize(count_);
    position_ = positions_.view();
    velocity_ = velocities_.view();
    for_each(device, count_, [&](std::uint32_t p) {
        position_.set(p, place.get(original(p)));
        velocity_.set(p, vector_at(frame.velocities, original(p)));
    });
}

}  // namespace millrace
