#include "pool/film.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace millrace {

namespace {

constexpr float k_piece = 0.5f;  ///< of the outline, in spacings
/// Of the pressure of a film. With all of it, bodies somewhat heavier than water come to rest on
/// the layer under them; with half of it, bodies somewhat lighter stay on the floor.
constexpr float k_film = 0.6f;
constexpr float k_lag = 0.1f;   ///< of the pressure in a gap [s]
constexpr float k_near = 1.5f;  ///< of particles to the piece that they press, in spacings

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
            const Vec2 n{std::cos(a), std::sin(a)};
            const Vec2 x = Vec2{shape.points[0].x, shape.points[0].y} + n * shape.radius;
            pieces_.push_back({solid.pose.to_world(x), solid.pose.turn(n),
                               around / static_cast<float>(count), 0, false, 0, 0});
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
                               length / static_cast<float>(count), 0, false, 0, 0});
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
                if (x[0] < map->min()[0] || x[0] > map->max()[0] || x[1] < map->min()[1] ||
                    x[1] > map->max()[1])
                    continue;
                const DistanceMap::Sample other_side = map->at(x);
                if (s == body)
                    piece.is_inner = piece.is_inner || other_side.distance < 0.01f * spacing;
                else if (dot(piece.normal, other.pose.turn(other_side.normal)) < k_facing)
                    piece.share =
                        std::max(piece.share, 1 - room_in_gap(other_side.distance / spacing));
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

void FilmPressure::apply(Solids& solids, const Columns& columns, const std::vector<float>& pressure,
                         std::vector<SolidMotion>& motions, float spacing, float dt) {
    const float near2 = k_near * k_near * spacing * spacing;
    for (std::size_t s = 0; s < motions.size(); ++s) {
        Solid& solid = solids.all()[s];
        if (!motions[s].is_pushed() || solid.push.contacts == 0)
            continue;
        solid.film.resize(solid.parts.size());
        for (std::size_t p = 0; p < solid.parts.size(); ++p) {
            outline(solid, *solid.parts[p], spacing);
            measure(solids, s, *solid.parts[p], spacing);
            const bool any = std::any_of(pieces_.begin(), pieces_.end(),
                                         [](const Piece& piece) { return piece.share > 0; });
            if (!any) {
                solid.film[p].clear();
                continue;
            }
            for (const WallContact& contact : solids.contacts()) {
                if (contact.solid != s)
                    continue;
                const Vec2 x = columns.position(contact.particle);
                for (Piece& piece : pieces_) {
                    const float r2 = squared_norm(piece.x - x);
                    if (r2 >= near2)
                        continue;
                    const float w = 1 - r2 / near2;
                    piece.pressure += w * pressure[contact.particle];
                    piece.weight += w;
                }
            }
            std::vector<float>& last = solid.film[p];
            last.resize(pieces_.size(), 0.0f);
            const float part_of_new = std::min(1.0f, dt / k_lag);
            for (std::size_t k = 0; k < pieces_.size(); ++k) {
                Piece& piece = pieces_[k];
                const float now = piece.weight > 0 ? piece.pressure / piece.weight : 0;
                last[k] += part_of_new * (now - last[k]);
                piece.pressure = last[k];
            }
            interpolate();
            for (const Piece& piece : pieces_)
                if (piece.share > 0 && !piece.is_inner)
                    motions[s].push(piece.x, piece.normal * (-k_film * piece.share *
                                                             piece.pressure * piece.length * dt));
        }
    }
}

}  // namespace millrace
