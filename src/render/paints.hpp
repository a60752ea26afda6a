#pragma once

#include <vector>

#include "millrace/scene.hpp"
#include "render/image.hpp"

namespace millrace {

/// The colours of everything in a scene as numbers from 0 to 254, as the shaders know them: first
/// the colours of the particles' values, then those of walls and bodies, last the ground.
class Paints {
  public:
    explicit Paints(const Scene& scene);

    /// How many colours the values of the particles have.
    int levels() const { return k_ground - static_cast<int>(objects_.size()); }
    /// The number of a wall's or a body's colour; the nearest where a scene has very many.
    int code(const Vector& color) const;
    /// By their numbers, without the ground.
    std::vector<Color> all() const;

    static constexpr int k_ground = 254;

  private:
    std::vector<Vector> objects_;
};

}  // namespace millrace
