#pragma once

// Pictures of 2D scenes. Particles are discs, or together the surface of a liquid: each adds a bump
// to a field, and where the sum is above a half there is liquid.
namespace millrace::shaders {

/// A square around a particle.
constexpr const char* k_flat_particle_vertex = R"glsl(#version 330 core
layout(location = 0) in vec2 position;  // these three once a particle
layout(location = 1) in vec3 color;
layout(location = 2) in vec2 detail;  // speed, from 0 to 1: fast; a random number from 0 to 1
uniform mat4 view;
uniform mat4 projection;
uniform float radius;
out vec2 corner;
flat out vec3 paint;
flat out vec2 extra;
void main() {
    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    paint = color;
    extra = detail;
    gl_Position = projection * (view * vec4(position + radius * corner, 0.0, 1.0));
}
)glsl";

/// A gently rounded disc; discs cut each other as spheres would.
constexpr const char* k_disc_fragment = R"glsl(#version 330 core
in vec2 corner;
flat in vec3 paint;
out vec4 color;
void main() {
    float q = dot(corner, corner);
    if (q > 1.0) discard;
    float height = sqrt(1.0 - q);
    gl_FragDepth = 0.9 - 0.8 * height;
    color = vec4(paint * sqrt(0.55 + 0.50 * height), 1.0);
}
)glsl";

/// A bump of a particle: W = 3 / (pi R^2) (1 - r^2 / R^2)^2, times the area of a particle. Its sum
/// is 1 in the liquid and a half at an even surface, half a spacing from the first particles. A
/// bump of half the radius lets a single particle be a drop of 0.44 spacings.
constexpr const char* k_splat_fragment = R"glsl(#version 330 core
in vec2 corner;
flat in vec3 paint;
flat in vec2 extra;
uniform float height;  // of the bump
layout(location = 0) out vec4 sum;     // colour times bump, bump
layout(location = 1) out vec4 detail;  // speed and random number times bump, bump of the drop
void main() {
    float q = dot(corner, corner);
    if (q > 1.0) discard;
    float bump = height * (1.0 - q) * (1.0 - q);
    float inner = max(1.0 - 4.0 * q, 0.0);
    sum = vec4(paint * bump, bump);
    detail = vec4(extra * bump, 0.864 * inner * inner, 0.0);
}
)glsl";

constexpr const char* k_white_fragment = R"glsl(#version 330 core
out vec4 color;
void main() { color = vec4(1.0); }
)glsl";

/// One direction of a Gaussian blur.
constexpr const char* k_gauss_fragment = R"glsl(#version 330 core
in vec2 uv;
uniform sampler2D map;
uniform int axis;
uniform float sigma;  // [texels]
out float value;
void main() {
    vec2 size = vec2(textureSize(map, 0));
    vec2 step = axis == 0 ? vec2(1.0 / size.x, 0.0) : vec2(0.0, 1.0 / size.y);
    int reach = int(ceil(3.0 * sigma));
    float sum = 0.0, weights = 0.0;
    for (int i = -reach; i <= reach; ++i) {
        float w = exp(-0.5 * float(i * i) / (sigma * sigma));
        sum += w * texture(map, uv + float(i) * step).r;
        weights += w;
    }
    value = sum / weights;
}
)glsl";

/// What liquid and solids fill.
constexpr const char* k_filled_fragment = R"glsl(#version 330 core
in vec2 uv;
uniform sampler2D sum_map;
uniform sampler2D solid_map;
out float value;
void main() { value = min(texture(sum_map, uv).a + texture(solid_map, uv).r, 1.0); }
)glsl";

/// The liquid: its own colour, deeper away from the free surface, with a line of foam along it.
constexpr const char* k_liquid_fragment = R"glsl(#version 330 core
in vec2 uv;
uniform sampler2D sum_map;
uniform sampler2D detail_map;
uniform sampler2D solid_map;   // solids, blurred as the liquid is
uniform sampler2D filled_map;  // liquid and solids, blurred much more
uniform float pixel;           // a pixel, in spacings
uniform int shaded;            // 0: the colours as they are
out vec4 color;

float smooth_max(float a, float b) {
    const float k = 0.08;
    float h = max(k - abs(a - b), 0.0) / k;
    return max(a, b) + 0.25 * k * h * h;
}

// How far a pixel is on the side above a half [pixels].
float distance_inside(float field) {
    return (field - 0.5) / max(length(vec2(dFdx(field), dFdy(field))), 1e-5);
}

void main() {
    vec4 sum = texture(sum_map, uv);
    vec4 detail = texture(detail_map, uv);
    float solid = texture(solid_map, uv).r;
    // half of the bumps at a wall are missing: the liquid reaches it all the same
    float liquid = smooth_max(sum.a / max(1.0 - solid, 0.25), detail.b);
    float cover = clamp(distance_inside(liquid) + 0.5, 0.0, 1.0);
    // a wall is no free surface
    float depth = pixel * distance_inside(sum.a + solid);
    float bumps = max(sum.a, 1e-6);
    vec3 base = sum.rgb / bumps;
    float fast = smoothstep(0.3, 1.0, detail.r / bumps);
    float patches = smoothstep(0.40, 0.56, detail.g / bumps);
    vec3 water = base;
    float foam = 0.0;
    if (shaded == 1) {
        float deep = smoothstep(0.55, 1.0, texture(filled_map, uv).r);
        water = mix(mix(base, vec3(1.0), 0.08), base * vec3(0.50, 0.58, 0.72), deep);
        float line = 0.55 * (1.0 - smoothstep(0.20, 0.50, depth));
        float broad = 0.95 * (1.0 - smoothstep(0.70, 2.00, depth));
        foam = max(line * (1.0 - 0.6 * fast * (1.0 - patches)), broad * fast * patches);
    }
    color = vec4(mix(water, vec3(0.95, 0.98, 1.0), foam), cover);
}
)glsl";

}  // namespace millrace::shaders
