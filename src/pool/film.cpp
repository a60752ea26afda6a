#include "pool/film.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/portable.hpp"

namespace millrace {

namespace {

constexpr float k_piece = 0.5f;  ///< of the outline, in spacings
constexpr float k_lag = 0.1f;    ///< over which a pressure is smoothed [s]
constexpr float k_near = 1.5f;   ///< of pieces to a particle that presses them, in spacings
constexpr float k_dry = 2;  ///< of the outline, in spacings: where so much is dry the water ends
constexpr float k_blend = 0.2f;  ///< of room_in_gap, from the open to a film

}  // namespace

/// The outline of a part as pieces, counterclockwise. A chain has none.
void FilmPressure::outline(const Solid& solid, const DistanceMap& part, float spacing) {
    pieces_.clear();
    const Shape2& shape = part.shapes()[0];
    const float longest = k_piece * spacing;
    if (shape.kind == Shape2::Kind::circle) {
        const float around = 2 * std::numbers::pi_v<float> * shape.radius;
        const int count = std::max(8, static_cast<int>(std::ceil(around / longest)));
        for (int k = 0; k < count; ++k) {
            const float a = 2 * std::numbers::pi_v<float> * (static_cast<float>(k) + 0.5f) /
                            static_cast<float>(count);
            const Vec2 n{portable::cos(a), portable::sin(a)};
            const Vec2 x = Vec2{shape.points[0].x, shape.points[0].y} + n * shape.radius;
            pieces_.push_back(
                {solid.pose.to_world(x), solid.pose.turn(n), around / static_cast<float>(count)});
        }
        return;
    }
    if (shape.kind != Shape2::Kind::polygon)
        return;
    const std::size_t n = shape.points.size();
    double area = 0;
    for (std::size_t k = 0; k < n; ++k)
        area += double(shape.points[k].x) * shape.points[(k + 1) % n].y -
                double(shape.points[k].y) * shape.points[(k + 1) % n].x;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t at = area > 0 ? k : n - 1 - k, to = area > 0 ? k + 1 : n - 2 - k + n;
        const Vec2 a{shape.points[at].x, shape.points[at].y};
        const Vec2 b{shape.points[to % n].x, shape.points[to % n].y};
        const float length = norm(b - a);
        if (length <= 0)
            continue;
        const Vec2 along = (b - a) * (1 / length);
        const Vec2 normal{along[1], -along[0]};
        const int count = std::max(1, static_cast<int>(std::ceil(length / longest)));
        for (int m = 0; m < count; ++m) {
            const float part_way = (static_cast<float>(m) + 0.5f) / static_cast<float>(count);
            const Vec2 x = a + (b - a) * part_way + normal * shape.radius;
            pieces_.push_back({solid.pose.to_world(x), solid.pose.turn(normal),
                               length / static_cast<float>(count)});
        }
    }
}

/// Which pieces lie in gaps or within the body itself.
void FilmPressure::measure(const Solids& solids, std::size_t body, const DistanceMap& part,
                           float spacing) {
    for (std::size_t s = 0; s < solids.all().size(); ++s) {
        const Solid& other = solids.all()[s];
        for (const auto& map : other.parts) {
            if (map.get() == &part)
                continue;
            for (Piece& piece : pieces_) {
                const Vec2 x = other.pose.to_local(piece.x);
                const float wide = k_loose * spacing;
                if (x[0] < map->min()[0] - wide || x[0] > map->max()[0] + wide ||
                    x[1] < map->min()[1] - wide || x[1] > map->max()[1] + wide)
                    continue;
                const DistanceMap::Sample other_side = map->exact().at(x);
                if (s == body)
                    piece.is_inner = piece.is_inner || other_side.distance < 0.01f * spacing;
                else if (dot(piece.normal, other.pose.turn(other_side.normal)) < k_facing)
                    piece.share =
                        std::clamp((1 - room_in_gap(other_side.distance / spacing)) / k_blend,
                                   piece.share, 1.0f);
            }
        }
    }
}

/// The pressure of pieces in gaps, from the pieces at both ends of a gap.
void FilmPressure::interpolate() {
    const std::size_t n = pieces_.size();
    const auto open = std::find_if(pieces_.begin(), pieces_.end(),
                                   [](const Piece& p) { return !(p.share > 0) && !p.is_inner; });
    if (open == pieces_.end()) {
        for (Piece& piece : pieces_)
            piece.pressure = 0;
        return;
    }
    const auto first = static_cast<std::size_t>(open - pieces_.begin());
    for (std::size_t k = 1; k < n;) {
        if (!(pieces_[(first + k) % n].share > 0)) {
            ++k;
            continue;
        }
        std::size_t end = k;
        float way = 0;
        while (end < n && pieces_[(first + end) % n].share > 0)
            way += pieces_[(first + end++) % n].length;
        const Piece &before = pieces_[(first + k - 1) % n], &after = pieces_[(first + end) % n];
        const float from = before.is_inner ? after.pressure : before.pressure;
        const float to = after.is_inner ? before.pressure : after.pressure;
        float gone = 0;
        for (; k < end; ++k) {
            Piece& piece = pieces_[(first + k) % n];
            piece.pressure = from + (to - from) * (gone + 0.5f * piece.length) / way;
            gone += piece.length;
        }
    }
}

/// What the body feels on the open pieces from an end on, as if at the height of the end: the mean
/// over the wet pieces on that half of the open outline. The pressure above a body that lies on the
/// floor counts as much as that beside it, so that both sides of it know the same water: the lift
/// is a small difference of the two, and pieces beside the gap alone, where the flow into and out
/// of it is felt, would throw the body up again.
float FilmPressure::pressure_at_end(const Solid& solid, const std::vector<float>& felt,
                                    std::size_t end, bool forward, const Vec2& gravity,
                                    float spacing) const {
    const std::size_t n = pieces_.size();
    const auto at = [&](std::size_t m) { return (forward ? end + m : end + n - m) % n; };
    float open = 0;
    for (std::size_t m = 0; m < n && !(pieces_[at(m)].share > 0 || pieces_[at(m)].is_inner); ++m)
        open += pieces_[at(m)].length;
    float sum = 0, wet = 0, dry = 0, way = 0;
    for (std::size_t m = 0; m < n && way < 0.5f * open && dry < k_dry * spacing; ++m) {
        const Piece& piece = pieces_[at(m)];
        way += piece.length;
        if (!(felt[at(m)] > 0)) {
            dry += piece.length;
            continue;
        }
        dry = 0;
        wet += piece.length;
        sum += piece.length *
               (felt[at(m)] + solid.fluid_density * dot(gravity, pieces_[end].x - piece.x));
    }
    return wet > 0 ? std::max(0.0f, sum / wet) * std::min(1.0f, wet / spacing) : 0;
}

void FilmPressure::apply(Solids& solids, const Vec2& gravity, float spacing, float dt) {
    for (std::size_t s = 0; s < solids.all().size(); ++s) {
        Solid& solid = solids.all()[s];
        SolidMotion& motion = solids.motions()[s];
        if (!motion.is_pushed() || solid.push.contacts == 0) {
            solid.felt.clear();
            continue;
        }
        solid.felt.resize(solid.parts.size());
        for (std::size_t p = 0; p < solid.parts.size(); ++p) {
            outline(solid, *solid.parts[p], spacing);
            measure(solids, s, *solid.parts[p], spacing);
            std::vector<float>& felt = solid.felt[p];
            const std::size_t n = pieces_.size();
            if (std::none_of(pieces_.begin(), pieces_.end(),
                             [](const Piece& piece) { return piece.share > 0; })) {
                felt.clear();
                continue;
            }
            if (felt.size() != n) {  // from the next sub-step on
                felt.assign(n, -1.0f);
                continue;
            }
            for (std::size_t k = 0; k < n; ++k) {
                if (pieces_[k].share > 0 || pieces_[k].is_inner)
                    continue;
                if (pieces_[(k + n - 1) % n].share > 0)
                    pieces_[k].pressure = pressure_at_end(solid, felt, k, true, gravity, spacing);
                else if (pieces_[(k + 1) % n].share > 0)
                    pieces_[k].pressure = pressure_at_end(solid, felt, k, false, gravity, spacing);
            }
            interpolate();
            for (std::size_t k = 0; k < n; ++k) {
                const Piece& piece = pieces_[k];
                if (!(piece.share > 0) || piece.is_inner)
                    continue;
                const float film = std::max(piece.pressure - felt[k], -piece.pressure);
                motion.push(piece.x, piece.normal * (-piece.share * film * piece.length * dt));
            }
        }
    }
}

void FilmPressure::learn(const SubStep& step, Solids& solids) {
    const float near2 = k_near * k_near * step.spacing * step.spacing;
    for (std::size_t s = 0; s < solids.all().size(); ++s) {
        Solid& solid = solids.all()[s];
        for (std::size_t p = 0; p < solid.felt.size(); ++p) {
            std::vector<float>& felt = solid.felt[p];
            if (felt.empty())
                continue;
            outline(solid, *solid.parts[p], step.spacing);
            now_.assign(pieces_.size(), 0.0f);
            float mass = 0;
            std::uint32_t count = 0;
            for (std::size_t c = 0; c < step.contacts.size(); ++c) {
                const SolidContact<2>& contact = step.contacts[c];
                if (contact.solid != s)
                    continue;
                mass += 1 / step.inverse_mass[contact.particle];
                ++count;
                const Vec2 x =
                    step.columns.position(contact.particle) - contact.normal * contact.distance;
                float sum = 0;
                for (Piece& piece : pieces_) {
                    const float r2 = squared_norm(piece.x - x);
                    const bool is_pressed =
                        r2 < near2 && dot(piece.normal, contact.normal) > -k_facing;
                    piece.weight = is_pressed ? 1 - r2 / near2 : 0;
                    sum += piece.weight * piece.length;
                }
                if (sum > 0)
                    for (std::size_t k = 0; k < pieces_.size(); ++k)
                        now_[k] += pieces_[k].weight / sum * step.felt[c] / step.dt;
            }
            if (count > 0)
                solid.fluid_density = mass / (static_cast<float>(count) * step.volume);
            const float part_of_new = std::min(1.0f, step.dt / k_lag);
            for (std::size_t k = 0; k < felt.size(); ++k) {
                const float now = std::max(0.0f, now_[k]);
                felt[k] =
                    felt[k] < 0 ? step.mean_with(0, now) : felt[k] + part_of_new * (now - felt[k]);
            }
        }
    }
}

}  // namespace millrace
