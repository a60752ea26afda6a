#include "render/liquid.hpp"

#include <algorithm>
#include <cmath>

#include "render/flat_shaders.hpp"
#include "render/shaders.hpp"

namespace millrace {
namespace {

// in spacings
constexpr double k_bump_radius = 1.8;
constexpr double k_deep = 4;         // standard deviation of the blur that tells deep water
constexpr double k_most_texels = 6;  // of the field in a spacing
// Smooth things need not be drawn as finely as the field.
constexpr int k_solid_part = 2, k_deep_part = 4;

/// Standard deviation of a bump along an axis: the blur that treats solids alike.
constexpr double k_bump_sigma = 0.3536 * k_bump_radius;

}  // namespace

Layer::Layer(GLint format, GLenum layout, int width, int height)
    : width(width), height(height), texture(make_texture(format, width, height, layout, GL_FLOAT)) {
    smooth(texture);
    target = make_target({texture}, 0);
}

void Layer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, width, height);
}

Liquid::Size Liquid::size_of_field(const View& view, double spacing, int width, int height) {
    const double metres = 2 / view.projection[5];  // the height of the picture
    const double texel = std::max(metres / height, spacing / k_most_texels);
    const double part = metres / height / texel;
    const auto texels = [&](int pixels) {
        return std::max(k_deep_part, static_cast<int>(std::lround(part * pixels)));
    };
    return {texel, texels(width), texels(height)};
}

Liquid::Liquid(const View& view, double spacing, int width, int height)
    : Liquid(view, spacing, size_of_field(view, spacing, width, height)) {}

Liquid::Liquid(const View& view, double spacing, const Size& size)
    : view_(view),
      spacing_(spacing),
      size_(size),
      splat_(shaders::k_flat_particle_vertex, shaders::k_splat_fragment),
      white_(shaders::k_glass_vertex, shaders::k_white_fragment),
      gauss_(shaders::k_screen_vertex, shaders::k_gauss_fragment),
      filled_(shaders::k_screen_vertex, shaders::k_filled_fragment),
      liquid_(shaders::k_screen_vertex, shaders::k_liquid_fragment),
      sum_(GL_RGBA32F, GL_RGBA, size.width, size.height),
      detail_(GL_RGBA32F, GL_RGBA, size.width, size.height),
      solid_(GL_R32F, GL_RED, size.width / k_solid_part, size.height / k_solid_part),
      deep_(GL_R32F, GL_RED, size.width / k_deep_part, size.height / k_deep_part),
      half_blurred_solid_(GL_R32F, GL_RED, solid_.width, solid_.height),
      half_blurred_deep_(GL_R32F, GL_RED, deep_.width, deep_.height),
      field_target_(make_target({sum_.texture, detail_.texture}, 0)) {}

void Liquid::blur(const Layer& from, const Layer& between, const Layer& to, double sigma) {
    const Layer* steps[] = {&from, &between, &to};
    gauss_.use();
    gauss_.set("sigma", sigma);
    for (int axis = 0; axis < 2; ++axis) {
        steps[axis + 1]->bind();
        gauss_.set("axis", axis);
        gauss_.set_texture("map", 0, steps[axis]->texture);
        screen_.draw(GL_TRIANGLES, 3);
    }
}

double Liquid::reach_of_ground(double spacing) {
    return 3 * k_deep * spacing;
}

void Liquid::fill(const Mesh& instances, int count, const Mesh& solids, const Mesh& ground) {
    glDisable(GL_DEPTH_TEST);
    glClearColor(0, 0, 0, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, field_target_);
    glViewport(0, 0, size_.width, size_.height);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    splat_.use();
    splat_.set("view", view_.view);
    splat_.set("projection", view_.projection);
    splat_.set("radius", k_bump_radius * spacing_);
    splat_.set("height", 3 / (M_PI * k_bump_radius * k_bump_radius));
    instances.draw_instances(4, count);
    glDisable(GL_BLEND);

    solid_.bind();
    glClear(GL_COLOR_BUFFER_BIT);
    white_.use();
    white_.set("view", view_.view);
    white_.set("projection", view_.projection);
    solids.draw(GL_TRIANGLES);
    blur(solid_, half_blurred_solid_, solid_, k_bump_sigma * spacing_ / size_.texel / k_solid_part);

    deep_.bind();
    filled_.use();
    filled_.set_texture("sum_map", 0, sum_.texture);
    filled_.set_texture("solid_map", 1, solid_.texture);
    screen_.draw(GL_TRIANGLES, 3);
    white_.use();
    ground.draw(GL_TRIANGLES);
    blur(deep_, half_blurred_deep_, deep_, k_deep * spacing_ / size_.texel / k_deep_part);
}

void Liquid::draw(double pixel, bool shaded) {
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    liquid_.use();
    liquid_.set("pixel", pixel / spacing_);
    liquid_.set("shaded", shaded ? 1 : 0);
    liquid_.set_texture("sum_map", 0, sum_.texture);
    liquid_.set_texture("detail_map", 1, detail_.texture);
    liquid_.set_texture("solid_map", 2, solid_.texture);
    liquid_.set_texture("filled_map", 3, deep_.texture);
    screen_.draw(GL_TRIANGLES, 3);
    glDisable(GL_BLEND);
}

}  // namespace millrace
