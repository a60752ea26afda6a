#include "render/water_light.hpp"

#include <cmath>

#include "render/water_light_shaders.hpp"
#include "render/water_shaders.hpp"

namespace millrace {
namespace {

constexpr int k_size = SolidScene::k_shadow_size;
constexpr int k_photons = k_size / 2;  // a side
constexpr Matrix k_identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/// From the near to the far plane of the light [m].
double range_of(const Matrix& light) {
    return 2 / std::hypot(light[2], std::hypot(light[6], light[10]));
}

/// The depth of the shadow map itself, not how it compares; leaves it so until `compare_again`.
void set_shadow_depth(const GlProgram& program, int unit, const SolidScene& solids) {
    program.set_texture("shadow_depth_map", unit, solids.shadow_depth());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
}

void compare_again(const SolidScene& solids) {
    glBindTexture(GL_TEXTURE_2D, solids.shadow_depth());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}

void begin_sum(GLuint target, int size) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, size, size);
    glDisable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
}

}  // namespace

WaterLight::WaterLight(const std::function<std::string(const std::string&)>& configured)
    : depth_(configured(shaders::k_water_vertex), configured(shaders::k_light_depth_fragment)),
      front_(configured(shaders::k_water_vertex), configured(shaders::k_water_front_fragment)),
      photon_(shaders::k_photon_vertex, shaders::k_photon_fragment) {
    depth_map_ = make_texture(GL_RGBA32F, k_size, k_size, GL_RGBA, GL_FLOAT);
    smooth(depth_map_);
    front_map_ = make_texture(GL_RGBA16F, k_size, k_size, GL_RGBA, GL_FLOAT);
    front_depth_ =
        make_texture(GL_DEPTH_COMPONENT24, k_size, k_size, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    caustic_map_ = make_texture(GL_R16F, k_size, k_size, GL_RED, GL_FLOAT);
    smooth(caustic_map_);
    depth_target_ = make_target({depth_map_}, 0);
    front_target_ = make_target({front_map_}, front_depth_);
    caustic_target_ = make_target({caustic_map_}, 0);
}

void WaterLight::draw(const SolidScene& solids, const Mesh& water,
                      const SetWater& set_water) const {
    draw_depth(solids, water, set_water);
    draw_front(solids, water, set_water);
    draw_caustics(solids);
}

void WaterLight::draw_depth(const SolidScene& solids, const Mesh& water,
                            const SetWater& set_water) const {
    begin_sum(depth_target_, k_size);
    glEnable(GL_DEPTH_CLAMP);
    set_water(depth_, solids.light_space(), k_identity);
    depth_.set("range", range_of(solids.light_space()));
    set_shadow_depth(depth_, 0, solids);
    water.draw(GL_TRIANGLES);
    compare_again(solids);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_CLAMP);
}

void WaterLight::draw_front(const SolidScene& solids, const Mesh& water,
                            const SetWater& set_water) const {
    glBindFramebuffer(GL_FRAMEBUFFER, front_target_);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    // the light's axes in metres: a rotation, so that normals stay normals; clip space is
    // left-handed
    const Matrix& light = solids.light_space();
    Matrix rotation = k_identity, scale = k_identity;
    for (int row = 0; row < 3; ++row) {
        const float size = std::hypot(light[row], std::hypot(light[4 + row], light[8 + row])) *
                           (row == 2 ? -1.f : 1.f);
        for (int column = 0; column < 4; ++column)
            rotation[4 * column + row] = light[4 * column + row] / size;
        scale[5 * row] = size;
    }
    set_water(front_, rotation, scale);
    front_.set("pixel", 0.0);
    water.draw(GL_TRIANGLES);
}

void WaterLight::draw_caustics(const SolidScene& solids) const {
    begin_sum(caustic_target_, k_size);
    photon_.use();
    const Matrix& light = solids.light_space();
    Vec3d size, up = turned(light, solids.view().up);
    for (int row = 0; row < 3; ++row) {
        size[row] = 2 / std::hypot(light[row], std::hypot(light[4 + row], light[8 + row]));
        up[row] *= size[row] / 2;
    }
    up[2] = -up[2];
    photon_.set("size", size);
    photon_.set("up", up);
    photon_.set("side", k_photons);
    photon_.set_texture("front_map", 0, front_map_);
    photon_.set_texture("front_depth_map", 1, front_depth_);
    set_shadow_depth(photon_, 2, solids);
    photons_.draw(GL_POINTS, k_photons * k_photons);
    compare_again(solids);
    glDisable(GL_BLEND);
}

void WaterLight::set(const GlProgram& program, int unit) const {
    program.set_texture("light_depth_map", unit, depth_map_);
    program.set_texture("caustic_map", unit + 1, caustic_map_);
}

}  // namespace millrace
