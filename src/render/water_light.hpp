#pragma once

#include <epoxy/gl.h>

#include <functional>
#include <string>

#include "render/gl_objects.hpp"
#include "render/gl_program.hpp"
#include "render/solid_scene.hpp"

namespace millrace {

/// What water does to the light of the sun on its way to walls, bodies and the ground: it dims it,
/// and waves gather and spread it (caustics).
class WaterLight {
  public:
    /// `configured` gives a shader the numbers that it shares with the program.
    explicit WaterLight(const std::function<std::string(const std::string&)>& configured);

    /// Gives a program of the water's vertices its uniforms, for a view and a projection.
    using SetWater = std::function<void(const GlProgram&, const Matrix&, const Matrix&)>;

    /// After the shadows of the solids; `absorption` in the programs' uniforms [1/m].
    void draw(const SolidScene& solids, const Mesh& water, const SetWater& set_water) const;

    /// Gives a light pass the results as textures `unit` and the next.
    void set(const GlProgram& program, int unit) const;

  private:
    void draw_depth(const SolidScene& solids, const Mesh& water, const SetWater& set_water) const;
    void draw_front(const SolidScene& solids, const Mesh& water, const SetWater& set_water) const;
    void draw_caustics(const SolidScene& solids) const;

    GlProgram depth_, front_, photon_;
    Mesh photons_{};
    GLuint depth_map_, front_map_, front_depth_, caustic_map_;
    GLuint depth_target_, front_target_, caustic_target_;
};

}  // namespace millrace
