#pragma once

// The stages of a picture with water that come before everything is put together
// (water_composite_shaders.hpp): the sky as a map, the light on walls and bodies, the front of the
// water, and how much water lies along a ray.
namespace millrace::shaders {

/// The sky above, as a picture of the half sphere: the direction d, with its height along y, is at
/// d.xz / (1 + d.y) of the unit disc. Made once.
constexpr const char* k_sky_fragment = R"glsl(#version 330 core
in vec2 uv;
uniform vec3 sun;  // of the same axes
out vec4 color;

float hash(ivec2 p) {
    uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return float((h ^ (h >> 16)) & 65535u) / 65535.0;
}

float noise(vec2 p) {
    ivec2 i = ivec2(floor(p));
    vec2 f = p - floor(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + ivec2(1, 0)), f.x),
               mix(hash(i + ivec2(0, 1)), hash(i + ivec2(1, 1)), f.x), f.y);
}

float clouds(vec2 p) {
    float sum = 0.0, size = 0.5;
    for (int i = 0; i < 6; ++i) {
        sum += size * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.3;
        size *= 0.5;
    }
    return sum;
}

void main() {
    vec2 q = 2.0 * uv - 1.0;
    float qq = dot(q, q);
    vec3 d = vec3(2.0 * q.x, 1.0 - qq, 2.0 * q.y) / (1.0 + qq);
    float height = clamp(d.y, 0.0, 1.0);
    vec3 shade = mix(vec3(0.62, 0.76, 0.90), vec3(0.11, 0.27, 0.60), pow(height, 0.5));
    // a layer of clouds overhead, lost in the haze of the horizon
    vec2 place = d.xz / (height + 0.12);
    float cover = smoothstep(0.46, 0.80, clouds(1.3 * place + 3.1)) * smoothstep(0.0, 0.25, height);
    shade = mix(shade, vec3(0.92, 0.94, 0.97), 0.85 * cover);
    float near = max(dot(d, sun), 0.0);
    shade += vec3(1.0, 0.93, 0.80) * (0.22 * pow(near, 8.0) + 0.8 * pow(near, 90.0));
    color = vec4(shade, 1.0);
}
)glsl";

/// Looks up the sky; below the horizon there is hazy ground. Eye coordinates.
constexpr const char* k_sky = R"glsl(
uniform sampler2D sky_map;
uniform vec3 east, north;  // eye coordinates, at right angles to `up`
const vec3 k_far_ground = vec3(0.44, 0.49, 0.53);
const vec3 k_sun = 1.25 * vec3(1.0, 0.96, 0.88);
const vec3 k_sky_light = vec3(0.50, 0.56, 0.64);

vec3 sky(vec3 d) {
    float height = dot(d, up);
    vec2 q = vec2(dot(d, east), dot(d, north));
    q *= min(1.0, 0.985 * inversesqrt(max(dot(q, q), 1e-12)));  // below the horizon: its rim
    vec3 above = texture(sky_map, 0.5 + 0.5 * q / (1.0 + max(height, 0.0))).rgb;
    return mix(above, k_far_ground, smoothstep(0.0, -0.5, height));
}

// Less than a step of the 256, the same for all samples of a pixel: it hides the bands that a slow
// gradient has otherwise.
float grain() {
    ivec2 p = (ivec2(gl_FragCoord.xy) / SCALE) & 7;
    int mixed = ((p.x ^ p.y) & 1) * 32 + (p.y & 1) * 16 + ((p.x ^ p.y) & 2) * 4 + (p.y & 2) * 2 +
                ((p.x ^ p.y) & 4) / 2 + (p.y & 4) / 4;
    return (float(mixed) / 64.0 - 0.5) / 255.0;
}
)glsl";

/// The light of everything but the water, linear. Under water both the light of the sun and of the
/// sky are dimmed on their way through it (Beer-Lambert); the sky's as if it came from the sun.
constexpr const char* k_daylight_fragment = R"glsl(
in vec2 uv;
uniform sampler2D light_depth_map;  // optical depth of the water, seen from the light
uniform sampler2D caustic_map;      // light of the sun under water against that without waves
uniform sampler2D way_map;          // the optical depth, seen from the eye
uniform mat4 eye_to_light;
out vec4 color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float depth = texelFetch(depth_map, pixel, 0).r;
    vec3 ray = normalize(eye_position(uv, 0.5));
    color = vec4(sky(ray), 1.0);
    if (depth == 1.0) return;
    vec4 texel = texelFetch(normal_map, pixel, 0);
    vec3 p = eye_position(uv, depth);
    int code = int(texel.a * 255.0 + 0.5);
    vec3 albedo = albedo_of(code, vec3(0.36, 0.34, 0.31));
    vec2 openness = texture(open_map, uv).rg;
    // the surface of the water is taken as level
    vec3 sky_way = max(texelFetch(way_map, pixel, 0).rgb, 0.0) * abs(dot(ray, up)) / dot(to_light, up);
    vec3 at = 0.5 * (eye_to_light * vec4(p, 1.0)).xyz + 0.5;
    vec3 sun_way = vec3(0.0);
    if (all(greaterThan(at, vec3(0.0))) && all(lessThan(at, vec3(1.0))))
        sun_way = max(texture(light_depth_map, at.xy).rgb, 0.0);
    vec3 passed = exp(-sky_way), sun_passed = exp(-sun_way);
    if (sky_way == vec3(0.0))  // a shadow of water on dry ground is pale
        sun_passed = vec3(mix(0.4, 1.0, sun_passed.g));
    else
        sun_passed *= mix(1.0, min(texture(caustic_map, at.xy).r, 3.0), 0.55 * smoothstep(0.0, 0.05, sun_way.r));
    vec3 n = normal_of(texel);
    vec3 shade = lit(albedo, n, -ray, vec2(openness.x, 0.0), vec3(0.0));
    vec3 bright = lit(albedo, n, -ray, openness, k_sun);
    vec3 light = shade * passed + (bright - shade) * sun_passed;
    if (code == k_ground) light = mix(light, color.rgb, smoothstep(0.2, 1.0, distance_on_ground(p)));
    color.rgb = light;
}
)glsl";

/// A vertex of the surface. The mesh ends on the walls, with normals of the free surface at its
/// rim; `on_wall` is 1 there and on the wall.
constexpr const char* k_water_vertex = R"glsl(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float fluid;
layout(location = 3) in float speed;  // [m/s]
uniform mat4 view;
uniform mat4 projection;
uniform vec4 walls[WALLS];  // normal out of the tank, and its product with a point of the wall
uniform int wall_count;
uniform float reach;  // so near to a wall a vertex lies on it [m]
uniform vec3 up;      // world
out vec3 eye_point;
out vec3 eye_normal;
out vec3 place;  // world
out float swing;  // [m/s]
out float rim;    // 1 where the surface meets an upright wall
out float on_wall;
flat out int which;
void main() {
    rim = 0.0;
    on_wall = 0.0;
    for (int i = 0; i < wall_count; ++i) {
        if (abs(walls[i].w - dot(walls[i].xyz, position)) > reach) continue;
        on_wall = 1.0;
        if (abs(dot(walls[i].xyz, up)) < 0.5 && dot(normal, up) > 0.2) rim = 1.0;
    }
    eye_point = (view * vec4(position, 1.0)).xyz;
    eye_normal = mat3(view) * normal;
    place = position;
    swing = speed;
    which = int(fluid);
    gl_Position = projection * vec4(eye_point, 1.0);
}
)glsl";

/// The nearest surface of the water: its normal towards the eye, and the number of the fluid
/// counted from 1, negative where the eye is in the water, plus half of the rim at a wall. Ripples
/// finer than the mesh run over moving water: waves of random directions with the slope
/// RIPPLE cos(k x - omega t), omega^2 = g k (deep water); still water has none.
constexpr const char* k_water_front_fragment = R"glsl(#version 330 core
in vec3 eye_point;
in vec3 eye_normal;
in vec3 place;
in float swing;
in float rim;
in float on_wall;
flat in int which;
uniform mat4 view;
uniform vec3 up, east, north;  // world
uniform vec3 ripples[RIPPLES];  // two components of k [1/m] and omega t
uniform float ripple_speed;     // of water that has all of them [m/s]
uniform float pixel;            // size of a pixel at the distance 1
layout(location = 0) out vec4 front;
void main() {
    vec3 n = gl_FrontFacing ? eye_normal : -eye_normal;
    float size = length(n);
    if (!(size > 1e-6) || on_wall > 0.999) {  // against a wall the triangles are flat
        n = cross(dFdx(eye_point), dFdy(eye_point));
        if (dot(n, eye_point) > 0.0) n = -n;
        size = max(length(n), 1e-30);
    }
    n /= size;
    float level = smoothstep(0.6, 0.95, dot(n, mat3(view) * up)) * min(swing / ripple_speed, 1.0);
    if (level > 0.0) {
        vec2 at = vec2(dot(place, east), dot(place, north)), slope = vec2(0.0);
        for (int i = 0; i < RIPPLES; ++i) {
            float k = length(ripples[i].xy);
            float seen = clamp(2.0 - k * pixel * length(eye_point), 0.0, 1.0);
            slope += seen * ripples[i].xy / k * cos(dot(ripples[i].xy, at) - ripples[i].z);
        }
        slope *= RIPPLE * level;
        n = normalize(n - mat3(view) * (slope.x * east + slope.y * north));
    }
    front = vec4(n, (float(which + 1) + 0.49 * smoothstep(0.6, 1.0, rim)) * (gl_FrontFacing ? 1.0 : -1.0));
}
)glsl";

/// Added up over all triangles: the way through the water as far as the solid scene, in the fourth
/// [m], and its optical depth in the three colours.
constexpr const char* k_water_depth_fragment = R"glsl(
in vec3 eye_point;
flat in int which;
uniform vec3 absorption[FLUIDS];  // [1/m]
layout(location = 0) out vec4 way;
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec2 uv = gl_FragCoord.xy / vec2(textureSize(depth_map, 0));
    float solid = length(eye_position(uv, texelFetch(depth_map, pixel, 0).r));
    float d = min(length(eye_point), solid) * (gl_FrontFacing ? -1.0 : 1.0);
    way = vec4(d * absorption[which], d);
}
)glsl";

}  // namespace millrace::shaders
