#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.hpp"
#include "millrace/pool.hpp"

namespace millrace {

inline Vec2 to_vec(Point2 p) {
    return {p.x, p.y};
}
inline Point2 to_point(const Vec2& v) {
    return {v[0], v[1]};
}

/// The particles of a pool, in the order in which users see them.
struct PoolParticles {
    std::vector<Point2> position, velocity;
    std::vector<ParticleId> id;
    std::vector<std::uint8_t> fluid;
    std::vector<float> density, pressure, age, lifetime;
    std::vector<std::uint32_t> color;
    std::vector<std::uint64_t> user_data;

    std::size_t size() const { return position.size(); }

    /// Calls f(array) for every array.
    template <class Self, class F>
    static void for_each_array(Self& self, const F& f) {
        f(self.position), f(self.velocity), f(self.id), f(self.fluid), f(self.density);
        f(self.pressure), f(self.age), f(self.lifetime), f(self.color), f(self.user_data);
    }

    /// The last one takes the place of the one removed.
    void remove(std::size_t index) {
        for_each_array(*this, [&](auto& array) {
            array[index] = array.back();
            array.pop_back();
        });
    }

    /// Removes those for which gone(index) holds; returns how many.
    template <class Gone>
    std::size_t remove_if(const Gone& gone) {
        const std::size_t before = size();
        for (std::size_t i = size(); i-- > 0;)
            if (gone(i))
                remove(i);
        return before - size();
    }
};

}  // namespace millrace
