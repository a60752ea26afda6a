#pragma once

#include "fluid/fluid_view.hpp"
#include "pressure/pressure_solver.hpp"
#include "world/scene_heights.hpp"

// What the solvers of particle fluids are told of a scene.
namespace millrace {

Materials scene_materials(const Scene& scene);
PressureSettings pressure_settings(const Scene& scene, const SceneHeights& heights);

}  // namespace millrace
