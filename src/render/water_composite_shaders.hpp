#pragma once

// Foam, and the last stage of a picture with water: what is reflected, what is seen through the
// water, foam, and the tone of the whole.
namespace millrace::shaders {

/// A soft point of foam: spray in the air, foam on the surface, bubbles below it. What is seen of
/// it is found at its middle, so that no point is cut.
constexpr const char* k_foam_vertex = R"glsl(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in float kind;      // 0: spray, 1: foam, 2: bubble
layout(location = 2) in float strength;  // 0 to 1, by its age
layout(location = 3) in float scale;     // of its radius
uniform mat4 view;
uniform mat4 projection;
uniform sampler2D depth_map;        // of the solid scene
uniform sampler2D water_depth_map;  // of that and the water
uniform vec2 size;                  // of the picture [pixels]
uniform float spacing;              // [m]
flat out vec4 amount;  // of spray, foam, bubbles, and these times their way under water [m]

// along the eye's axis [m]
float eye_depth(float depth) {
    float z = 2.0 * depth - 1.0;
    return (projection[3][2] - z * projection[3][3]) / (z * projection[2][3] - projection[2][2]);
}

void main() {
    vec3 p = (view * vec4(position, 1.0)).xyz;
    gl_Position = projection * vec4(p, 1.0);
    vec2 at = 0.5 + 0.5 * gl_Position.xy / max(gl_Position.w, 1e-6);
    float below = textureLod(water_depth_map, at, 0.0).r == 1.0 ? -1e9 :
                  eye_depth(textureLod(water_depth_map, at, 0.0).r) - p.z;
    bool hidden = eye_depth(textureLod(depth_map, at, 0.0).r) > p.z + 0.5 * spacing &&
                  textureLod(depth_map, at, 0.0).r < 1.0;
    float radius = scale * spacing * (kind == 0.0 ? SPRAY_RADIUS : kind == 1.0 ? FOAM_RADIUS : BUBBLE_RADIUS);
    float diameter = size.y * projection[1][1] * radius / max(gl_Position.w, 1e-6);
    float drawn = clamp(diameter, 1.5, 64.0);
    float thin = strength * min(diameter * diameter / (drawn * drawn), 1.0);
    if (hidden || gl_Position.w <= 0.0) thin = 0.0;
    amount = vec4(0.0);
    if (kind == 0.0) {
        amount.x = below < 0.5 * spacing ? thin : 0.0;
    } else if (below < (kind == 1.0 ? 1.5 : 0.3) * spacing) {
        amount.y = kind == 1.0 ? thin : 0.5 * thin;
    } else {
        float way = below * length(p) / max(-p.z, 1e-6);
        amount.zw = thin * vec2(1.0, way);
    }
    gl_PointSize = drawn;
    if (thin == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside
}
)glsl";

constexpr const char* k_foam_fragment = R"glsl(#version 330 core
flat in vec4 amount;
layout(location = 0) out vec4 foam;
void main() {
    vec2 c = 2.0 * gl_PointCoord - 1.0;
    float part = max(1.0 - dot(c, c), 0.0);
    foam = amount * part * part;
}
)glsl";

/// Glass before or behind the water: `side` 0: what is not before it, 1: what is.
constexpr const char* k_behind_or_before = R"glsl(#version 330 core
uniform sampler2D front_map;
uniform sampler2D water_depth_map;
uniform int side;
bool left_out() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    bool before = texelFetch(front_map, pixel, 0).w != 0.0 &&
                  gl_FragCoord.z <= texelFetch(water_depth_map, pixel, 0).r;
    return before != (side == 1);
}
// what is behind is mixed as light, not as colours of the screen
vec4 mixed_in(vec4 paint) { return side == 1 ? paint : vec4(paint.rgb * paint.rgb, paint.a); }
)glsl";

constexpr const char* k_water_glass_fragment = R"glsl(
in vec4 mixed;
out vec4 color;
void main() {
    if (left_out()) discard;
    color = mixed_in(mixed);
}
)glsl";

constexpr const char* k_water_round_glass_fragment = R"glsl(
in vec3 eye_normal;
in vec3 eye_point;
out vec4 color;
void main() {
    if (left_out()) discard;
    float rim = 1.0 - abs(dot(normalize(eye_normal), normalize(eye_point)));
    color = mixed_in(vec4(0.78, 0.86, 0.93, 0.05 + 0.35 * rim * rim * rim));
}
)glsl";

/// Reflection and what is seen through the water, mixed by Fresnel's share after Schlick 1994:
/// F = F0 + (1 - F0) (1 - cos)^5; light through a way d of water is dimmed to exp(-sigma d)
/// (Beer-Lambert).
constexpr const char* k_composite_fragment = R"glsl(
in vec2 uv;
uniform sampler2D scene_map;  // light of everything but the water
uniform sampler2D front_map;
uniform sampler2D water_depth_map;
uniform sampler2D way_map;
uniform sampler2D foam_map;
uniform sampler2DShadow shadow_map;
uniform mat4 eye_to_light;
uniform mat4 view;
uniform vec4 walls[WALLS];          // of tanks: normal out of it, product with a point of the wall
uniform int wall_count;
uniform float spacing;              // [m]
uniform float growth;               // of the steps of a reflected ray
uniform float reach;                // of reflections [m]
uniform vec3 scattered[FLUIDS];     // light that deep water sends back
uniform vec3 absorption[FLUIDS];    // [1/m]
out vec4 color;
const float k_index = 1.333;

float sun_at(vec3 p) {
    vec3 at = 0.5 * (eye_to_light * vec4(p, 1.0)).xyz + 0.5;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
    float sum = 0.0;
    for (int i = 0; i < 4; ++i)
        sum += texture(shadow_map, vec3(at.xy + texel * (vec2(i & 1, i >> 1) * 2.4 - 1.2), at.z));
    return 0.25 * sum;
}

vec2 on_screen(vec3 p) {
    float w = projection[2][3] * p.z + projection[3][3];
    return 0.5 + 0.5 * vec2(projection[0][0] * p.x, projection[1][1] * p.y) / max(w, 1e-6);
}

vec3 solid_at(vec2 at) { return eye_position(at, textureLod(depth_map, at, 0.0).r); }

// What a reflected ray meets: the scene as far as it is in the picture, else the sky.
vec3 reflected(vec3 p, vec3 ray, vec3 n, vec3 deep) {
    vec3 result = sky(ray);
    if (dot(ray, up) < 0.0)  // it meets water again, or the ground before a tank
        result = mix(result, mix(result, deep + 0.1 * k_sky_light, max(dot(n, up), 0.0)),
                     smoothstep(0.0, -0.1, dot(ray, up)));
    float t = 0.75 * spacing, last = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        vec3 q = p + t * ray;
        if (q.z > -1e-3) break;
        vec2 at = on_screen(q);
        if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) break;
        float depth = textureLod(depth_map, at, 0.0).r;
        float behind = eye_position(at, depth).z - q.z;
        if (depth < 1.0 && behind > 0.0 && behind < 1.5 * (t - last) + spacing) {
            vec2 rim = min(at, 1.0 - at);
            return mix(result, textureLod(scene_map, at, 0.0).rgb,
                       smoothstep(0.0, 0.08, min(rim.x, rim.y)));
        }
        last = t;
        t *= growth;
        if (t > reach) break;
    }
    return result;
}

// Whether there is water at a place, as far as the straight way through it tells; world.
bool in_water(vec3 x) {
    vec3 p = (view * vec4(x, 1.0)).xyz;
    vec2 at = on_screen(p);
    if (p.z > -1e-3 || textureLod(front_map, at, 0.0).w == 0.0) return false;
    float front = length(eye_position(at, textureLod(water_depth_map, at, 0.0).r));
    float back = front + textureLod(way_map, at, 0.0).a + 0.5 * spacing;
    if (back > length(solid_at(at))) back = 1e9;  // a body in the water hides how far it goes
    return length(p) > front - 0.5 * spacing && length(p) < back;
}

// From within, the upright walls of a tank are mirrors beyond the critical angle of 48.6 degrees:
// the floor is seen in them. Gives where that is in the picture, and the way there; `way`: to the
// wall, about [m]. Nothing: a way of -1. `wet`: how much of the light comes through water; behind a
// drop or a film on the glass there is none.
vec3 mirrored_floor(vec3 p, vec3 bent, float way, out float wet) {
    wet = 0.0;
    vec3 from = (eye_to_world * vec4(p, 1.0)).xyz, ray = mat3(eye_to_world) * bent;
    float to_floor = 1e9, to_wall = 1e9;
    vec4 wall = vec4(0.0);
    for (int i = 0; i < wall_count; ++i) {
        float along = dot(walls[i].xyz, ray);
        float t = (walls[i].w - dot(walls[i].xyz, from)) / max(along, 1e-4);
        if (along < 1e-3 || t < -spacing) continue;
        if (dot(mat3(view) * walls[i].xyz, up) < -0.9) {
            to_floor = min(to_floor, t);
        } else if (t < to_wall) {
            to_wall = t;
            wall = walls[i];
        }
    }
    if (to_floor > 1e8 || to_wall > min(to_floor, 1.3 * way + 2.0 * spacing) ||
        dot(wall.xyz, ray) > 0.70)
        return vec3(0.0, 0.0, -1.0);
    vec3 from_wall = from + to_wall * ray, onward = reflect(ray, wall.xyz);
    for (int i = 1; i <= 4; ++i)
        wet += 0.25 * float(in_water(from_wall + min(1.5 * float(i) * spacing, to_floor - to_wall) * onward));
    if (wet == 0.0) return vec3(0.0, 0.0, -1.0);
    vec3 q = from + to_floor * ray;
    q -= 2.0 * (dot(wall.xyz, q) - wall.w) * wall.xyz;
    vec3 seen = (view * vec4(q, 1.0)).xyz;
    if (seen.z > -1e-3) return vec3(0.0, 0.0, -1.0);
    return vec3(clamp(on_screen(seen), vec2(0.0), vec2(1.0)), to_floor);
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 front = texelFetch(front_map, pixel, 0);
    vec4 foam = texture(foam_map, uv);
    vec3 light = texelFetch(scene_map, pixel, 0).rgb;
    vec3 white = 0.62 * (0.75 * k_sun + k_sky_light);
    if (front.w != 0.0) {
        vec3 p = eye_position(uv, texelFetch(water_depth_map, pixel, 0).r);
        vec3 ray = normalize(p);
        vec3 n = front.xyz;
        float facing = -dot(ray, n);
        if (facing < 0.02) n = normalize(n - ray * (0.02 - facing));
        facing = clamp(-dot(ray, n), 0.0, 1.0);
        int fluid = int(abs(front.w)) - 1;
        bool inside = front.w < 0.0;
        float sun = sun_at(p + spacing * n);
        vec4 way = max(texelFetch(way_map, pixel, 0), 0.0);
        vec3 sigma = way.a > 1e-9 ? way.rgb / way.a : absorption[fluid];

        // where the refracted ray meets the scene: the straight way is a first guess of its length
        vec3 bent = refract(ray, n, inside ? k_index : 1.0 / k_index);
        float fresnel = 0.0204 + 0.9796 * pow(1.0 - facing, 5.0);
        if (dot(bent, bent) < 0.5) {  // total reflection
            bent = ray;
            fresnel = 1.0;
        }
        float t = way.a;
        vec2 at = uv;
        for (int i = 0; i < 3; ++i) {
            at = clamp(on_screen(p + t * bent), vec2(0.0), vec2(1.0));
            t = clamp(dot(solid_at(at) - p, bent), 0.0, way.a);
        }
        // drops and sheets in the air are lenses: what is far behind them is moved more
        float gap = length(solid_at(uv)) - length(p) - way.a, thin = 0.0;
        vec3 mirrored = vec3(0.0, 0.0, -1.0);
        float wet = 0.0;
        if (gap > spacing) {
            thin = 1.0 - smoothstep(2.0, 5.0, way.a / spacing);
            float lever = way.a + thin * min(gap, 10.0 * spacing);
            at = clamp(on_screen(p + lever * bent), vec2(0.0), vec2(1.0));
            if (!inside) mirrored = mirrored_floor(p, bent, way.a, wet);
        }
        if (solid_at(at).z > p.z + spacing) {  // something before the water
            at = uv;
            t = way.a;
        }
        vec3 passed = exp(-sigma * t);
        vec3 lamp = (0.35 + 0.25 * sun) * k_sun + 0.8 * k_sky_light;
        vec3 deep = scattered[fluid] * lamp;
        vec3 behind = textureLod(scene_map, at, 0.0).rgb;
        if (thin > 0.0)
            behind = mix(behind, sky(normalize(ray + 1.8 * (bent - ray))),
                         0.7 * thin * smoothstep(10.0, 30.0, gap / spacing));
        vec3 through = behind * passed + deep * (1.0 - passed);
        if (mirrored.z > 0.0) {
            vec3 left = exp(-sigma * mirrored.z);
            through = mix(through, textureLod(scene_map, mirrored.xy, 0.0).rgb * left +
                                       deep * (1.0 - left), wet);
        }
        if (foam.b > 0.0) {  // bubbles, dimmed by the water above them
            float cover = 0.85 * (1.0 - exp(-BUBBLE_COVER * foam.b));
            through = mix(through, white * exp(-1.5 * sigma * foam.a / foam.b) + 0.3 * deep, cover);
        }

        vec3 back = reflect(ray, n);
        vec3 mirror = reflected(p, back, n, deep);
        float toward = max(dot(back, to_light), 0.0);
        mirror += sun * k_sun * (180.0 * pow(toward, 1800.0) + 5.0 * pow(toward, 120.0));
        float rim = 2.0 * fract(abs(front.w));
        vec3 dry = light;
        if (inside) {  // all of it has come through the water
            mirror = mirror * passed + deep * (1.0 - passed);
            dry = dry * passed + deep * (1.0 - passed);
        }
        light = mix(through, mirror, max(fresnel, 0.35 * rim * rim));
        // a film on a wall is soft, the mesh has a steep edge there
        float film = length(eye_position(uv, texelFetch(depth_map, pixel, 0).r)) - length(p);
        light = mix(dry, light, smoothstep(0.0, 0.8 * spacing, film));
        float slope = 0.35 + 0.65 * max(dot(n, to_light), 0.0);
        white = 0.62 * (slope * sun * k_sun + k_sky_light);
    }
    // points that stand alone are faint, a carpet of them is white
    light = mix(light, white, 0.95 * (1.0 - exp(-FOAM_COVER * foam.g * foam.g / (1.0 + foam.g))));
    light = mix(light, vec3(1.0), 0.9 * (1.0 - exp(-SPRAY_COVER * foam.r)));
    color = vec4(encoded(tone(light)) + grain(), 1.0);
}
)glsl";

}  // namespace millrace::shaders
