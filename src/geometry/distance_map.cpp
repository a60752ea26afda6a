#include "geometry/distance_map.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/shape_distances.hpp"

namespace millrace {

namespace {

constexpr int k_nodes = 9;            // on a side of a tile
constexpr float k_error = 0.02f;      // of the bilinear distance in the middle of a cell, in cells
constexpr double k_alignment = 0.97;  // least cosine between the normals of a cell
constexpr float k_most_cells = 1 << 30;  // from the origin, so that numbers of cells are integers

}  // namespace

DistanceMap::DistanceMap(std::vector<Shape2> shapes, float cell, float reach)
    : shapes_(std::move(shapes)),
      index_(shapes_),
      cell_(cell),
      reach_(reach),
      per_cell_(1 / cell),
      slots_(16) {
    static_assert(k_nodes == k_side + 1);
    if (index_.box().min[0] > index_.box().max[0]) {  // no shapes: everything is outside
        min_ = Vec2::all(1);
        return;
    }
    // A little more, so that nothing within reach is lost to rounding.
    const float most = k_most_cells * cell;
    for (int k = 0; k < 2; ++k) {
        const double low = index_.box().min[k], high = index_.box().max[k];
        const double more = reach + 1e-6 * (std::abs(low) + std::abs(high) + reach);
        min_[k] = static_cast<float>(std::max<double>(low - more, -most));
        max_[k] = static_cast<float>(std::min<double>(high + more, most));
    }
}

bool DistanceMap::outside(const Vec<2>& x) const {
    return !(x[0] >= min_[0] && x[0] <= max_[0] && x[1] >= min_[1] && x[1] <= max_[1]);
}

// Where a tile is in the hash table, or the empty slot where it belongs.
std::size_t DistanceMap::slot_of(std::int32_t x, std::int32_t y) const {
    const std::uint64_t key = std::uint64_t(std::uint32_t(x)) << 32 | std::uint32_t(y);
    std::size_t slot = key * 0x9e3779b97f4a7c15u >> hash_shift_;
    while (slots_[slot].tile != k_none && (slots_[slot].x != x || slots_[slot].y != y))
        slot = (slot + 1) & (slots_.size() - 1);
    return slot;
}

void DistanceMap::insert(std::int32_t x, std::int32_t y, std::uint32_t tile) {
    if (2 * ++made_ > slots_.size()) {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        --hash_shift_;
        for (const Slot& s : old)
            if (s.tile != k_none)
                slots_[slot_of(s.x, s.y)] = s;
    }
    slots_[slot_of(x, y)] = {x, y, tile};
}

std::uint32_t DistanceMap::make_tile(std::int32_t x, std::int32_t y) {
    const double side = double(cell_) * k_side;
    const Vec2d corner{{x * side, y * side}}, middle = corner + Vec2d::all(side / 2);
    const double radius = side * std::sqrt(0.5);
    if (index_.sample(middle).distance > reach_ + radius)
        return k_far;
    const std::vector<std::uint32_t> deciders = index_.deciding(middle, radius);
    const auto sample = [&](double i, double j) {
        return index_.sample(corner + Vec2d{{i, j}} * double(cell_), deciders);
    };
    Tile tile{};
    std::array<Vec2d, k_nodes * k_nodes> normal;
    for (int j = 0; j < k_nodes; ++j)
        for (int i = 0; i < k_nodes; ++i) {
            const FlatDistance::Exact exact = sample(i, j);
            tile.distance[j * k_nodes + i] = static_cast<float>(exact.distance);
            normal[j * k_nodes + i] = exact.normal;
        }
    for (int j = 0; j < k_side; ++j)
        for (int i = 0; i < k_side; ++i) {
            const FlatDistance::Exact exact = sample(i + 0.5, j + 0.5);
            float mean = 0;
            bool smooth = true;
            for (int node : {0, 1, k_nodes, k_nodes + 1}) {
                node += j * k_nodes + i;
                mean += 0.25f * tile.distance[node];
                smooth = smooth && dot(normal[node], exact.normal) > k_alignment;
            }
            if (!smooth || std::abs(mean - exact.distance) > k_error * cell_)
                tile.exact |= std::uint64_t(1) << (j * k_side + i);
        }
    if (tile.exact != 0) {
        tile.first_decider = static_cast<std::uint32_t>(deciders_.size());
        tile.deciders = static_cast<std::uint32_t>(deciders.size());
        deciders_.insert(deciders_.end(), deciders.begin(), deciders.end());
    }
    tiles_.push_back(tile);
    return static_cast<std::uint32_t>(tiles_.size() - 1);
}

void DistanceMap::prepare(const Vec<2>* points, std::size_t count) {
    std::int32_t last_x = 0, last_y = 0;
    bool first = true;
    for (const Vec<2>* p = points; p != points + count; ++p) {
        if (outside(*p))
            continue;
        const auto x = static_cast<std::int32_t>(std::floor((*p)[0] * per_cell_)) >> 3;
        const auto y = static_cast<std::int32_t>(std::floor((*p)[1] * per_cell_)) >> 3;
        if (!first && x == last_x && y == last_y)
            continue;
        first = false;
        last_x = x;
        last_y = y;
        if (slots_[slot_of(x, y)].tile == k_none)
            insert(x, y, make_tile(x, y));
    }
}

bool DistanceMap::is_prepared(const Vec<2>& x) const {
    if (outside(x))
        return true;
    const auto i = static_cast<std::int32_t>(std::floor(x[0] * per_cell_)) >> 3;
    const auto j = static_cast<std::int32_t>(std::floor(x[1] * per_cell_)) >> 3;
    return slots_[slot_of(i, j)].tile != k_none;
}

SignedDistance<2>::Sample DistanceMap::at(const Vec<2>& x) const {
    if (outside(x))
        return {reach_, {}};
    static_assert(k_side == 8);
    const float cx = x[0] * per_cell_, cy = x[1] * per_cell_;
    const float floor_x = std::floor(cx), floor_y = std::floor(cy);
    const auto i = static_cast<std::int32_t>(floor_x), j = static_cast<std::int32_t>(floor_y);
    const std::uint32_t found = slots_[slot_of(i >> 3, j >> 3)].tile;
    if (found == k_far)
        return {reach_, {}};
    if (found == k_none)
        return index_.at(x);
    const Tile& tile = tiles_[found];
    const int column = i & 7, row = j & 7;
    if (tile.exact >> (row * k_side + column) & 1) {
        const FlatDistance::Exact exact =
            index_.sample(Vec2d::from(x), {deciders_.data() + tile.first_decider, tile.deciders});
        return to_sample(exact.distance, exact.normal);
    }
    const float* d = &tile.distance[row * k_nodes + column];
    const float u = cx - floor_x, v = cy - floor_y;
    const float below = d[0] + u * (d[1] - d[0]);
    const float above = d[k_nodes] + u * (d[k_nodes + 1] - d[k_nodes]);
    const float left = d[k_nodes] - d[0], right = d[k_nodes + 1] - d[1];
    const Vec2 slope{{d[1] - d[0] + v * (right - left), left + u * (right - left)}};
    return {below + v * (above - below), normalized(slope)};
}

float DistanceMap::first_hit(const Vec<2>& a, const Vec<2>& b) const {
    // What lies further than the way is long is not met. The bilinear form of a distance errs by
    // less than the distance to the nodes, in the mean of which it is; that is at most cell /
    // 2^0.5.
    if (!outside(a) && at(a).distance > norm(b - a) + 0.75f * cell_)
        return 1;
    const double t = index_.first_hit(Vec2d::from(a), Vec2d::from(b));
    if (t > 1)
        return 1;
    const float before = std::min(static_cast<float>(t), std::nextafter(1.0f, 0.0f));
    return before > t ? std::nextafter(before, 0.0f) : before;
}

std::size_t DistanceMap::bytes() const {
    std::size_t points = 0;
    for (const Shape2& shape : shapes_)
        points += sizeof(Shape2) + shape.points.capacity() * sizeof(Point2);
    return sizeof(*this) - sizeof(index_) + points + index_.bytes() +
           tiles_.capacity() * sizeof(Tile) + deciders_.capacity() * sizeof(deciders_[0]) +
           slots_.capacity() * sizeof(Slot);
}

}  // namespace millrace
