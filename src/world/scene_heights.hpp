#pragma once

#include "geometry/solid.hpp"

namespace millrace {

/// Heights against gravity between which something lies [m]; nothing: `top` is below `bottom`.
struct HeightRange {
    double bottom = 1e300, top = -1e300;

    bool empty() const { return !(top >= bottom); }
    void include(double height);
    void include(const HeightRange& other);
};

/// Where the parts of a scene lie at the start. Half spaces have no height. Without gravity up is
/// along y.
struct SceneHeights {
    HeightRange fluid;  ///< of fills and emitters
    HeightRange walls;
    HeightRange bodies;
    HeightRange domain;

    /// How far fluid may fall: from its highest place to its lowest, or that of walls and domain.
    double drop() const;
};

template <int D>
SceneHeights scene_heights(const Scene& scene, const SceneSolids<D>& solids);
/// The same, where nobody has made the solids yet.
SceneHeights scene_heights(const Scene& scene);

/// The direction against gravity.
Vec3d up_direction(const Scene& scene);

}  // namespace millrace
