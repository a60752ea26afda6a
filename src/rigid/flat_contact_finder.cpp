#include <algorithm>
#include <tuple>

#include "rigid/contact_finder.hpp"
#include "rigid/contact_owners.hpp"
#include "rigid/flat_touch.hpp"

namespace millrace {
namespace {

/// Contacts of a pair that are nearer to each other than this are one, in reaches.
constexpr double k_same_place = 1e-3;
constexpr double k_same_direction = 1e-3;  // [rad]

class FlatContactFinder final : public ContactFinder {
  public:
    FlatContactFinder(const RigidDescription& description, double reach)
        : reach_(reach), joined_(description) {
        for (std::size_t i = 0; i < description.bodies.size(); ++i)
            add(static_cast<int>(i), true, flat_pieces(description.bodies[i]));
        for (std::size_t w = 0; w < description.walls.size(); ++w) {
            const WallDescription& wall = description.walls[w];
            const std::size_t first = parts_.size();
            add(wall_number(w), wall.moves(), flat_pieces(wall, description.bodies));
            for (std::size_t i = first; i < parts_.size(); ++i)
                move(i, wall.state);
        }
    }

    std::span<const BodyContact> find(std::span<const BodyState> bodies,
                                      std::span<const BodyState> walls) override {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (parts_[i].moves)
                move(i, frame_of(parts_[i].owner, bodies, walls));
        contacts_.clear();
        sweep_.for_pairs(bounds_,
                         [this](std::size_t i, std::size_t j) { look_at(parts_[i], parts_[j]); });
        std::ranges::stable_sort(
            contacts_, {}, [](const BodyContact& c) { return std::tuple(c.a, c.b, c.feature); });
        drop_repeated();
        return contacts_;
    }

  private:
    /// A piece of a body or a wall.
    struct Part {
        int owner;             ///< as in BodyContact
        bool moves;            ///< or else stands as it was placed first
        std::uint32_t number;  ///< of the owner's pieces
        std::uint32_t count;   ///< of the owner's pieces
        FlatPiece piece;       ///< in the owner's frame
        FlatPiece placed;
    };

    void add(int owner, bool moves, std::vector<FlatPiece> pieces) {
        const auto count = static_cast<std::uint32_t>(pieces.size());
        for (std::uint32_t k = 0; k < count; ++k) {
            most_corners_ =
                std::max(most_corners_, static_cast<std::uint32_t>(pieces[k].corners.size()));
            parts_.push_back({owner, moves, k, count, pieces[k], pieces[k]});
            bounds_.emplace_back();
        }
    }

    void move(std::size_t i, const BodyState& frame) {
        place(parts_[i].piece, frame, parts_[i].placed);
        bounds_[i] = bounds_of(parts_[i].placed);
        bounds_[i].low -= Vec2d::all(reach_ / 2);
        bounds_[i].high += Vec2d::all(reach_ / 2);
    }

    void look_at(const Part& p, const Part& q) {
        const bool p_first = comes_first(p.owner, q.owner);
        const Part &a = p_first ? p : q, &b = p_first ? q : p;
        if (a.owner == b.owner || a.owner < 0 || joined_.holds(a.owner, b.owner))
            return;
        touches_.clear();
        find_touches(a.placed, b.placed, reach_, touches_);
        for (const FlatTouch& touch : touches_)
            contacts_.push_back({a.owner,
                                 b.owner,
                                 {{touch.point[0], touch.point[1], 0}},
                                 {{touch.normal[0], touch.normal[1], 0}},
                                 touch.gap,
                                 (a.number * b.count + b.number) * 2 * most_corners_ +
                                     static_cast<std::uint32_t>(touch.corner)});
    }

    bool are_same(const BodyContact& x, const BodyContact& y) const {
        return x.a == y.a && x.b == y.b && norm(x.point - y.point) <= k_same_place * reach_ &&
               norm(x.normal - y.normal) <= k_same_direction;
    }

    /// Pieces that share a corner both tell of it.
    void drop_repeated() {
        std::size_t kept = 0;
        for (const BodyContact& contact : contacts_) {
            bool is_new = true;
            for (std::size_t k = kept;
                 is_new && k-- > 0 && contacts_[k].a == contact.a && contacts_[k].b == contact.b;)
                is_new = !are_same(contacts_[k], contact);
            if (is_new)
                contacts_[kept++] = contact;
        }
        contacts_.resize(kept);
    }

    double reach_;
    JoinedBodies joined_;
    std::vector<Part> parts_;
    std::uint32_t most_corners_ = 1;
    std::vector<SweepBounds<2>> bounds_;  ///< of the parts, grown by half the reach
    Sweep sweep_;
    std::vector<FlatTouch> touches_;
    std::vector<BodyContact> contacts_;
};

}  // namespace

std::unique_ptr<ContactFinder> make_flat_contact_finder(const RigidDescription& description,
                                                        double reach) {
    return std::make_unique<FlatContactFinder>(description, reach);
}

}  // namespace millrace
