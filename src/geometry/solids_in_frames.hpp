#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geometry/solid.hpp"
#include "math/quaternion.hpp"
#include "millrace/simulation.hpp"

namespace millrace {

/// A part of a wall or a body where it is at one time. The SolidsInFrames must outlive it.
struct PlacedSolid {
    const SignedDistance<3>* solid = nullptr;
    Quaterniond rotation = Quaterniond::identity();  ///< from its frame to the world's
    Vec3d position = Vec3d::all(0);
    bool moves = false;
    Vec3 min, max;  ///< a box around it, in the world [m]

    SignedDistance<3>::Sample at(const Vec3& place) const;
    bool may_hold(const Vec3& place, float margin = 0) const;
};

/// The solids of a run, for what is made of its frames.
struct RunSolids {
    std::vector<Solid<3>> walls, bodies;
};

/// The surfaces are the meshes of the scene's solids in its order, as meshes/NAME.ply has them
/// (docs/running.md), since the files that the scene names may be gone; empty where there is none
/// or the shape is known without it.
RunSolids solids_of_run(const Scene& scene, const std::vector<TriangleMesh>& walls,
                        const std::vector<TriangleMesh>& bodies);

/// The walls and bodies of a 3D scene as signed distances.
class SolidsInFrames {
  public:
    SolidsInFrames() = default;  ///< none
    /// Surfaces as in solids_of_run. Tanks have walls of `thickness`; distances are right up to
    /// `reach` [m].
    SolidsInFrames(const Scene& scene, const std::vector<TriangleMesh>& walls,
                   const std::vector<TriangleMesh>& bodies, double thickness, double reach);

    /// Those that are somewhere: bodies and scripted walls only where they are named.
    std::vector<PlacedSolid> placed(const std::vector<BodyView>& bodies,
                                    const std::vector<BodyView>& moving_walls) const;

  private:
    struct Part {
        std::unique_ptr<SignedDistance<3>> solid;
        std::string owner;
        bool is_body, moves;
    };
    std::vector<Part> parts_;
};

}  // namespace millrace
