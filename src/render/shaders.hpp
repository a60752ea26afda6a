#pragma once

// The stages of a picture, in order: particles and solid triangles write their depth, normal and
// material; the occlusion pass darkens corners and contacts; the light pass turns all that into
// colours; glass is laid over it.
namespace millrace::shaders {

/// Common to the passes that look back from a pixel to the point in space (eye coordinates).
constexpr const char* k_common = R"glsl(#version 330 core
uniform mat4 projection;
uniform sampler2D depth_map;   // 1: nothing there
// the normal from 0 to 1; the fourth, times 255: the number of its colour in Paints
uniform sampler2D normal_map;

vec3 eye_position(vec2 uv, float depth) {
    vec3 ndc = 2.0 * vec3(uv, depth) - 1.0;
    float z = (projection[3][2] - ndc.z * projection[3][3]) /
              (ndc.z * projection[2][3] - projection[2][2]);
    float w = projection[2][3] * z + projection[3][3];
    return vec3(ndc.x * w / projection[0][0], ndc.y * w / projection[1][1], z);
}

vec3 normal_of(vec4 texel) { return normalize(2.0 * texel.xyz - 1.0); }
)glsl";

/// A triangle that covers the picture.
constexpr const char* k_screen_vertex = R"glsl(#version 330 core
out vec2 uv;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    uv = corner;
    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
)glsl";

/// A particle is a square that faces the eye and is just large enough for its sphere.
constexpr const char* k_particle_vertex = R"glsl(#version 330 core
layout(location = 0) in vec4 particle;  // position and value, once a particle
uniform mat4 view;
uniform mat4 projection;
uniform float radius;
flat out vec3 center;
flat out float value;
out vec3 point;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    center = (view * vec4(particle.xyz, 1.0)).xyz;
    value = particle.w;
    float d = length(center);
    vec3 ahead = center / d;
    vec3 right = normalize(cross(ahead, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, ahead);
    // rays that touch the sphere pass its centre at more than the radius
    float size = radius * d / sqrt(max(d * d - radius * radius, 0.01 * radius * radius));
    point = center + size * (corner.x * right + corner.y * up);
    gl_Position = projection * vec4(point, 1.0);
}
)glsl";

/// Where the ray of a pixel meets the sphere, so that spheres cut each other as they should.
constexpr const char* k_particle_fragment = R"glsl(#version 330 core
uniform mat4 projection;
uniform float radius;
uniform int levels;  // colours of the values
flat in vec3 center;
flat in float value;
in vec3 point;
layout(location = 0) out vec4 surface;
void main() {
    vec3 ray = normalize(point);
    vec3 nearest = ray * dot(ray, center);  // to the centre
    vec3 off = nearest - center;
    float inside = radius * radius - dot(off, off);
    if (inside < 0.0) discard;
    vec3 hit = nearest - ray * sqrt(inside);
    float z = projection[2][2] * hit.z + projection[3][2];
    float w = projection[2][3] * hit.z + projection[3][3];
    gl_FragDepth = 0.5 * z / w + 0.5;
    surface = vec4(0.5 * (hit - center) / radius + 0.5,
                   value * float(levels - 1) / 255.0);
}
)glsl";

constexpr const char* k_solid_vertex = R"glsl(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float paint;
uniform mat4 model_view;
uniform mat4 projection;
out vec3 eye_normal;
out vec3 eye_point;
flat out float code;
void main() {
    eye_normal = mat3(model_view) * normal;
    eye_point = (model_view * vec4(position, 1.0)).xyz;
    code = paint;
    gl_Position = projection * vec4(eye_point, 1.0);
}
)glsl";

/// Both sides of a triangle are lit alike: the normal is turned to the side that is seen.
constexpr const char* k_solid_fragment = R"glsl(#version 330 core
in vec3 eye_normal;
in vec3 eye_point;
flat in float code;
layout(location = 0) out vec4 surface;
void main() {
    vec3 n = normalize(eye_normal);
    vec3 side = cross(dFdx(eye_point), dFdy(eye_point));
    if (dot(side, n) * dot(side, eye_point) > 0.0) n = -n;
    surface = vec4(0.5 * n + 0.5, code / 255.0);
}
)glsl";

/// Depth seen from the light; a disc is enough for a particle, and triangles are not round.
constexpr const char* k_shadow_vertex = R"glsl(#version 330 core
layout(location = 0) in vec4 particle;
uniform mat4 light;
uniform float point_size;
void main() {
    gl_Position = light * vec4(particle.xyz, 1.0);
    gl_PointSize = point_size;
}
)glsl";

constexpr const char* k_shadow_fragment = R"glsl(#version 330 core
uniform int round;
void main() {
    vec2 c = 2.0 * gl_PointCoord - 1.0;
    if (round == 1 && dot(c, c) > 1.0) discard;
}
)glsl";

/// Ambient obscurance after McGuire, Osman, Bukowski and Hennessy 2011, "The Alchemy
/// screen-space ambient obscurance algorithm", Eq. 10, with a smooth end at the radius.
constexpr const char* k_occlusion_fragment = R"glsl(
in vec2 uv;
uniform vec2 taps[TAPS];  // in the unit disc
uniform float radius;     // [m]
uniform sampler2DShadow shadow_map;
uniform mat4 eye_to_light;  // to the clip space of the light
uniform float shadow_bias;  // [m]
out vec4 openness;          // to the sky, to the light, and the distance [m]

float lit(vec3 p, vec3 normal) {
    vec3 at = 0.5 * (eye_to_light * vec4(p + normal * shadow_bias, 1.0)).xyz + 0.5;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
    float sum = 0.0;
    for (int i = 0; i < 4; ++i)
        sum += texture(shadow_map, vec3(at.xy + texel * (vec2(i & 1, i >> 1) * 2.4 - 1.2), at.z));
    return 0.25 * sum;
}

void main() {
    ivec2 size = textureSize(depth_map, 0);
    ivec2 pixel = ivec2(gl_FragCoord.xy) * SCALE;
    float depth = texelFetch(depth_map, pixel, 0).r;
    vec3 p = eye_position(uv, depth);
    openness = vec4(1.0, 1.0, p.z, 0.0);
    if (depth == 1.0) return;
    vec3 n = normal_of(texelFetch(normal_map, pixel, 0));
    // a turn for each pixel of a 4 x 4 tile, which the blur evens out
    ivec2 tile = ivec2(gl_FragCoord.xy) & 3;
    float angle = 6.2831853 * float((tile.x * 4 + tile.y * 11 + (tile.x ^ tile.y) * 5) & 15) / 16.0;
    mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
    float w = projection[2][3] * p.z + projection[3][3];
    vec2 reach = 0.5 * radius * vec2(projection[0][0], projection[1][1]) / w;
    float sum = 0.0;
    for (int i = 0; i < TAPS; ++i) {
        vec2 q_uv = uv + turn * taps[i] * reach;
        ivec2 q_pixel = clamp(ivec2(q_uv * vec2(size)), ivec2(0), size - 1);
        vec3 v = eye_position(q_uv, texelFetch(depth_map, q_pixel, 0).r) - p;
        float vv = dot(v, v);
        float fade = max(1.0 - vv / (radius * radius), 0.0);
        sum += fade * fade * max(dot(v, n) - 0.02 * radius, 0.0) / (vv + 0.01 * radius * radius);
    }
    openness.x = clamp(1.0 - 0.9 * radius * sum / float(TAPS), 0.0, 1.0);
    openness.y = lit(p, n);
}
)glsl";

/// The average over a 4 x 4 tile, without looking across edges of the depth.
constexpr const char* k_blur_fragment = R"glsl(
in vec2 uv;
uniform sampler2D open_map;
uniform float radius;
out vec2 openness;

void main() {
    ivec2 last = textureSize(open_map, 0) - 1;
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float z = texelFetch(open_map, pixel, 0).z;
    vec3 sum = vec3(0.0);  // of both, and of the weights
    for (int i = 0; i < 16; ++i) {
        ivec2 q = clamp(pixel + ivec2(i & 3, i >> 2) - 2, ivec2(0), last);
        vec3 texel = texelFetch(open_map, q, 0).xyz;
        sum += abs(texel.z - z) < radius ? vec3(texel.xy, 1.0) : vec3(0.0);
    }
    openness = sum.xy / sum.z;
}
)glsl";

/// Dark, with a soft glow behind the scene. Needs a picture-covering triangle.
constexpr const char* k_background = R"glsl(
in vec2 uv;

// Less than a step of the 256: it hides the bands that a slow gradient has otherwise.
float grain() {
    ivec2 p = ivec2(gl_FragCoord.xy) & 7;
    int mixed = ((p.x ^ p.y) & 1) * 32 + (p.y & 1) * 16 + ((p.x ^ p.y) & 2) * 4 + (p.y & 2) * 2 +
                ((p.x ^ p.y) & 4) / 2 + (p.y & 4) / 4;
    return (float(mixed) / 64.0 - 0.5) * 2.0 / 255.0;
}

vec3 background() {
    float glow = 1.0 - smoothstep(0.0, 0.9, length((uv - vec2(0.5, 0.5)) * vec2(1.0, 0.9)));
    vec3 shade = mix(vec3(0.055, 0.070, 0.095), vec3(0.150, 0.185, 0.235), glow);
    return shade + grain();
}
)glsl";

/// What the light passes share: the surface of a pixel and the light that it sends to the eye.
constexpr const char* k_lit = R"glsl(
uniform sampler2D open_map;
uniform sampler2D palette;
uniform mat4 eye_to_world;
uniform vec3 to_light;       // eye coordinates
uniform vec3 up;             // eye coordinates
uniform vec3 ground_center;  // world
uniform float ground_size;
uniform int levels;  // colours of the particles; the others are those of walls and bodies
const int k_ground = 254;

// A gamma of 2 is near enough to that of the screen, and quick.
vec3 linear(vec3 screen) { return screen * screen; }
vec3 encoded(vec3 light) { return sqrt(light); }
vec3 tone(vec3 light) { return min(1.22 * light / (1.0 + 0.30 * light), vec3(1.0)); }

vec3 albedo_of(int code, vec3 ground) {
    vec3 albedo = code == k_ground ? ground : linear(texelFetch(palette, ivec2(code, 0), 0).rgb);
    // broad surfaces look too bright otherwise
    return code >= levels && code < k_ground ? 0.75 * albedo : albedo;
}

// Key light with shadow, light of the sky and the ground; openness: to the sky and to the light.
vec3 lit(vec3 albedo, vec3 n, vec3 to_eye, vec2 openness, vec3 key_color) {
    float open = openness.x;
    float key = max(dot(n, to_light), 0.0) * openness.y;
    float sky = 0.5 + 0.5 * dot(n, up);
    return albedo * (1.10 * key * key_color * mix(1.0, open, 0.35)
                     + open * mix(vec3(0.22, 0.24, 0.28), vec3(0.50, 0.56, 0.64), sky)
                     + 0.16 * open * max(dot(n, to_eye), 0.0));
}

float distance_on_ground(vec3 p) {
    return length((eye_to_world * vec4(p, 1.0)).xyz - ground_center) / ground_size;
}
)glsl";

/// Colours of everything: what is lit, the particles with a glint and a rim, and the background.
constexpr const char* k_light_fragment = R"glsl(
out vec4 color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float depth = texelFetch(depth_map, pixel, 0).r;
    color = vec4(background(), 1.0);
    if (depth == 1.0) return;
    vec4 texel = texelFetch(normal_map, pixel, 0);
    vec3 p = eye_position(uv, depth);
    vec3 n = normal_of(texel);
    int code = int(texel.a * 255.0 + 0.5);
    vec2 openness = texture(open_map, uv).rg;
    vec3 to_eye = normalize(-p);
    vec3 albedo = albedo_of(code, linear(vec3(0.20, 0.235, 0.285)));
    vec3 sum = lit(albedo, n, to_eye, openness, vec3(1.0, 0.98, 0.95));
    if (code < levels) {
        vec3 middle = normalize(to_light + to_eye);
        float glint = max(dot(n, middle), 0.0);
        for (int i = 0; i < 5; ++i) glint *= glint;
        sum += 0.20 * openness.y * glint;
        float rim = 1.0 - max(dot(n, to_eye), 0.0);
        sum += 0.10 * openness.x * rim * rim * rim * vec3(0.8, 0.9, 1.0);
    }
    vec3 result = encoded(tone(sum));  // soft highlights
    if (code >= levels) result += grain();
    if (code == k_ground)
        result = mix(result, color.rgb, smoothstep(0.25, 1.0, distance_on_ground(p)));
    color.rgb = result;
}
)glsl";

constexpr const char* k_glass_vertex = R"glsl(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 paint;
uniform mat4 view;
uniform mat4 projection;
out vec4 mixed;
void main() {
    mixed = paint;
    gl_Position = projection * (view * vec4(position, 1.0));
}
)glsl";

/// Walls of round or other tanks: clear where one looks straight through, brighter at the rim.
constexpr const char* k_round_glass_fragment = R"glsl(#version 330 core
in vec3 eye_normal;
in vec3 eye_point;
out vec4 color;
void main() {
    float rim = 1.0 - abs(dot(normalize(eye_normal), normalize(eye_point)));
    color = vec4(0.78, 0.86, 0.93, 0.05 + 0.35 * rim * rim * rim);
}
)glsl";

constexpr const char* k_glass_fragment = R"glsl(#version 330 core
in vec4 mixed;
out vec4 color;
void main() { color = mixed; }
)glsl";

}  // namespace millrace::shaders
