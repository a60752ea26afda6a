#pragma once

#include <memory>
#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "millrace/scene.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// The walls and bodies at which diffuse particles end; of 3D scenes.
class Obstacles {
  public:
    Obstacles();  ///< none
    /// `wall_surfaces` and `body_surfaces`: the meshes of the scene's objects in its order, as
    /// meshes/NAME.ply has them (docs/running.md); empty where there is none or the shape is known
    /// without it.
    Obstacles(const Scene& scene, const std::vector<TriangleMesh>& wall_surfaces,
              const std::vector<TriangleMesh>& body_surfaces);
    ~Obstacles();
    Obstacles(Obstacles&&) noexcept;
    Obstacles& operator=(Obstacles&&) noexcept;

    /// Where the moving ones are at the end of the step (bodies.jsonl); where they were at the last
    /// call is the start of it. So it is called for the first frame of a pass too, stopped or not.
    /// Bodies are nowhere before the first call.
    void place(const std::vector<BodyView>& bodies, const std::vector<BodyView>& moving_walls);

    /// Whether the way of a point during the step starts or ends in one of them or passes through
    /// it, as seen from the obstacle, which moves too. What comes within a 20th of a spacing
    /// counts.
    bool blocks(const Vec3& from, const Vec3& to) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
