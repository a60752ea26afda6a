#pragma once

// Water seen from the light.
namespace millrace::shaders {

/// Added up over all triangles, along parallel rays of the light: the way through the water as far
/// as the solid scene, in the fourth [m], and its optical depth in the three colours.
constexpr const char* k_light_depth_fragment = R"glsl(#version 330 core
flat in int which;
uniform sampler2D shadow_depth_map;
uniform float range;              // from the near to the far plane of the light [m]
uniform vec3 absorption[FLUIDS];  // [1/m]
layout(location = 0) out vec4 way;
void main() {
    float solid = texelFetch(shadow_depth_map, ivec2(gl_FragCoord.xy), 0).r;
    float d = range * min(gl_FragCoord.z, solid) * (gl_FrontFacing ? -1.0 : 1.0);
    way = vec4(d * absorption[which], d);
}
)glsl";

/// A ray of light for every other texel each way of the light's map: where it meets the solid scene
/// after it was refracted by the water. Axes of the light in metres; it shines along -z.
constexpr const char* k_photon_vertex = R"glsl(#version 330 core
uniform sampler2D front_map;
uniform sampler2D front_depth_map;
uniform sampler2D shadow_depth_map;
uniform vec3 size;  // of what the light's map holds [m]
uniform int side;   // rays a side
uniform vec3 up;
flat out float part;

vec2 slope_below(vec3 n) {
    vec3 bent = refract(vec3(0.0, 0.0, -1.0), n, 1.0 / 1.333);
    return bent.xy / max(-bent.z, 0.1);
}

void main() {
    ivec2 cell = ivec2(gl_VertexID % side, gl_VertexID / side);
    vec2 at = (vec2(cell) + 0.5) / float(side);
    vec4 front = textureLod(front_map, at, 0.0);
    float depth = textureLod(front_depth_map, at, 0.0).r;
    float solid = textureLod(shadow_depth_map, at, 0.0).r;
    gl_PointSize = 4.0;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside
    part = 0.0;
    if (front.w <= 0.0 || solid <= depth) return;
    // only what waves do: below a level surface light goes on straight, as the shadows do
    float wave = smoothstep(0.6, 0.8, dot(front.xyz, up));
    vec2 slope = wave * (slope_below(front.xyz) - slope_below(up));
    vec2 hit = at;
    for (int i = 0; i < 2; ++i) {
        float way = size.z * max(textureLod(shadow_depth_map, hit, 0.0).r - depth, 0.0);
        hit = at + slope * way / size.xy;
    }
    part = 1.0;
    gl_Position = vec4(2.0 * hit - 1.0, 0.0, 1.0);
}
)glsl";

/// The parts of the rays of a level surface add up to 1: a smooth bump of four texels each way, two
/// texels from the next.
constexpr const char* k_photon_fragment = R"glsl(#version 330 core
flat in float part;
layout(location = 0) out float light;
void main() {
    vec2 w = 0.5 - 0.5 * cos(6.2831853 * gl_PointCoord);
    light = part * w.x * w.y;
}
)glsl";

}  // namespace millrace::shaders
