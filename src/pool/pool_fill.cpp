#include <algorithm>
#include <cmath>
#include <numbers>

#include "pool/pool_impl.hpp"

// How particles come into a pool.
namespace millrace {

namespace {

constexpr float k_room = 0.7f;        ///< least distance of a new particle to others, in spacings
constexpr float k_wall_room = 0.25f;  ///< and to solids
constexpr float k_jitter = 0.01f;     ///< of a lattice, in spacings, so that it need not stay one

/// From -1 to 1, the same for the same number.
float noise(std::uint32_t n) {
    n = (n ^ 61u) ^ (n >> 16);
    n *= 9;
    n ^= n >> 4;
    n *= 0x27d4eb2du;
    n ^= n >> 15;
    return static_cast<float>(n) * (2.0f / 4294967295.0f) - 1;
}

/// Places that are taken, in cells of a spacing.
class Taken {
  public:
    Taken(float room, Point2 min, Point2 max)
        : room_(room),
          min_(to_vec(min)),
          columns_(static_cast<int>((max.x - min.x) / room) + 3),
          rows_(static_cast<int>((max.y - min.y) / room) + 3),
          first_(static_cast<std::size_t>(columns_) * rows_, -1) {}

    void add(const Vec2& x) {
        const int c = column(x), r = row(x);
        if (c < 0 || r < 0 || c >= columns_ || r >= rows_)
            return;
        next_.push_back(first_[c + std::size_t(r) * columns_]);
        first_[c + std::size_t(r) * columns_] = static_cast<int>(places_.size());
        places_.push_back(x);
    }
    bool is_near(const Vec2& x) const {
        const int c = column(x), r = row(x);
        for (int a = std::max(0, c - 1); a <= std::min(columns_ - 1, c + 1); ++a)
            for (int b = std::max(0, r - 1); b <= std::min(rows_ - 1, r + 1); ++b)
                for (int k = first_[a + std::size_t(b) * columns_]; k >= 0; k = next_[k])
                    if (squared_norm(places_[k] - x) < room_ * room_)
                        return true;
        return false;
    }

  private:
    int column(const Vec2& x) const {
        return static_cast<int>(std::floor((x[0] - min_[0]) / room_)) + 1;
    }
    int row(const Vec2& x) const {
        return static_cast<int>(std::floor((x[1] - min_[1]) / room_)) + 1;
    }
    float room_;
    Vec2 min_;
    int columns_, rows_;
    std::vector<int> first_, next_;
    std::vector<Vec2> places_;
};

struct Extent {
    Point2 min{3e38f, 3e38f}, max{-3e38f, -3e38f};
};

Extent extent_of(const Shape2& shape) {
    Extent e;
    for (const Point2& p : shape.points) {
        e.min = {std::min(e.min.x, p.x - shape.radius), std::min(e.min.y, p.y - shape.radius)};
        e.max = {std::max(e.max.x, p.x + shape.radius), std::max(e.max.y, p.y + shape.radius)};
    }
    return e;
}

/// Rows of a hexagonal lattice that fill a rectangle: as many particles as its area asks for.
struct Lattice {
    int in_row = 0, rows = 0;

    Lattice(double width, double height, double spacing) {
        const double target = width * height / (spacing * spacing);
        double best = 1e300;
        const int about = static_cast<int>(width / spacing / 1.0746);
        for (int n = std::max(1, about - 1); n <= about + 2; ++n) {
            const double row = spacing * spacing / (width / n);
            const int m = std::max(1, static_cast<int>(std::lround(height / row)));
            const double miss = std::abs(double(n) * m - target);
            if (miss < best) {
                best = miss;
                in_row = n;
                rows = m;
            }
        }
    }
};

}  // namespace

bool Pool::Impl::add(const NewParticle& p) {
    if (!has_room())
        return false;
    particles.position.push_back(p.position);
    particles.velocity.push_back(p.velocity);
    particles.id.push_back(next_particle++);
    particles.fluid.push_back(p.fluid);
    particles.density.push_back(1);
    particles.pressure.push_back(0);
    particles.age.push_back(0);
    particles.lifetime.push_back(p.lifetime);
    particles.color.push_back(p.color ? *p.color : materials[p.fluid].color);
    particles.user_data.push_back(p.user_data);
    index_is_valid = false;
    return true;
}

double Pool::Impl::places_in(const Shape2& shape) const {
    const Extent e = extent_of(shape);
    return (double(e.max.x) - e.min.x) * (double(e.max.y) - e.min.y) / volume;
}

std::size_t Pool::Impl::fill(const Shape2& shape, const FillOptions& fill) {
    const float spacing = options.spacing;
    const Extent e = extent_of(shape);
    const FlatDistance inside({shape});
    const Point2 middle{0.5f * (e.min.x + e.max.x), 0.5f * (e.min.y + e.max.y)};
    Taken taken(k_room * spacing, e.min, e.max);
    for (const Point2& x : particles.position)
        taken.add(to_vec(x));
    const double width = double(e.max.x) - e.min.x, height = double(e.max.y) - e.min.y;
    const Lattice lattice(width, height, spacing);
    std::size_t added = 0;
    for (int r = 0; r < lattice.rows; ++r)
        for (int k = 0; k < lattice.in_row; ++k) {
            const double u = (k + (r % 2 == 0 ? 0.25 : 0.75)) / lattice.in_row;
            const double v = (r + 0.5) / lattice.rows;
            const Vec2 x{static_cast<float>(e.min.x + u * width) +
                             k_jitter * spacing * noise(2 * next_particle),
                         static_cast<float>(e.min.y + v * height) +
                             k_jitter * spacing * noise(2 * next_particle + 1)};
            if (!inside.holds(Vec2d::from(x)) || !is_within_bounds(to_point(x)) ||
                taken.is_near(x) || solids.distance(x) < k_wall_room * spacing)
                continue;
            const Point2 around{x[0] - middle.x, x[1] - middle.y};
            NewParticle p;
            p.position = to_point(x);
            p.velocity = {fill.velocity.x - fill.angular_velocity * around.y,
                          fill.velocity.y + fill.angular_velocity * around.x};
            p.fluid = fill.fluid;
            p.lifetime = fill.lifetime;
            p.user_data = fill.user_data;
            if (!add(p))
                return added;
            ++added;
        }
    return added;
}

std::size_t Pool::Impl::remove_inside(const Shape2& shape) {
    const FlatDistance inside({shape});
    return particles.remove_if([&](std::size_t i) {
        return inside.holds({particles.position[i].x, particles.position[i].y});
    });
}

/// Rows leave a nozzle one behind the other, shifted in turn, so that the jet is a lattice.
void Pool::Impl::emit(float dt, PoolReport& report) {
    const float spacing = options.spacing;
    for (auto& [name, emitter] : emitters) {
        const EmitterOptions& o = emitter.options;
        const int in_row = std::max(1, static_cast<int>(std::lround(o.width / spacing / 1.0746f)));
        const float row = volume / (o.width / static_cast<float>(in_row));
        emitter.travel += o.speed * dt;
        while (emitter.travel >= row) {
            emitter.travel -= row;
            emit_row(emitter, emitter.travel, in_row, report);
        }
    }
}

void Pool::Impl::emit_row(PoolEmitter& emitter, float ahead, int in_row, PoolReport& report) {
    const EmitterOptions& o = emitter.options;
    Vec2 position = to_vec(o.position), direction = normalized(to_vec(o.direction));
    const Solid* solid = o.solid ? solids.find(*o.solid) : nullptr;
    if (o.solid && !solid)
        return;  // what it rode on is gone
    if (solid) {
        position = solid->pose.to_world(position);
        direction = solid->pose.turn(direction);
    }
    const Vec2 across{-direction[1], direction[0]};
    const float room = k_room * options.spacing;
    // who stands near the nozzle
    std::vector<Vec2> near;
    const float reach = 0.5f * o.width + ahead + 2 * options.spacing;
    for (const Point2& p : particles.position)
        if (squared_norm(to_vec(p) - position) < reach * reach)
            near.push_back(to_vec(p));
    emitter.odd = !emitter.odd;
    for (int k = 0; k < in_row; ++k) {
        if (o.max_particles > 0 && emitter.emitted >= o.max_particles)
            return;
        const float u =
            (static_cast<float>(k) + (emitter.odd ? 0.75f : 0.25f)) / static_cast<float>(in_row) -
            0.5f;
        const Vec2 x = position + across * (u * o.width) + direction * ahead;
        const bool blocked = std::any_of(near.begin(), near.end(), [&](const Vec2& other) {
            return squared_norm(other - x) < room * room;
        });
        Vec2 v = direction * o.speed;
        if (solid)
            v = v + solid->velocity_at(x);
        NewParticle p;
        p.position = to_point(x);
        p.velocity = to_point(v);
        p.fluid = o.fluid;
        p.lifetime = o.lifetime;
        if (blocked || !add(p)) {
            ++report.refused;
            continue;
        }
        ++emitter.emitted;
        ++report.emitted;
    }
}

}  // namespace millrace
