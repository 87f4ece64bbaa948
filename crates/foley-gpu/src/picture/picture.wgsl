// A still: sky, ground and colliders in daylight, stones as short streaks.

struct View {
    // From local coordinates to the screen.
    screen: mat4x4<f32>,
    // The way to the right and up from the middle of the picture to its rim, and straight ahead.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    eye: vec4<f32>,
    // Towards the sun.
    sun: vec4<f32>,
    // Seconds that a streak lasts, radius of a stone on the screen at 1 m, height over width, and the
    // local height of the ground.
    streak: vec4<f32>,
    // The place of the ring after the last stone, the ring, and how many stones are looked at.
    ring: vec4<u32>,
}

@group(0) @binding(0) var<uniform> view: View;

const HORIZON = vec3<f32>(0.72, 0.78, 0.82);
const ZENITH = vec3<f32>(0.20, 0.33, 0.52);
const GRASS = vec3<f32>(0.16, 0.27, 0.10);

fn sky_towards(way: vec3<f32>) -> vec3<f32> {
    let high = clamp(normalize(way).z, 0.0, 1.0);
    let glow = pow(max(dot(normalize(way), view.sun.xyz), 0.0), 24.0) * 0.25;
    return mix(HORIZON, ZENITH, pow(high, 0.6)) + glow;
}

// Far things fade into the horizon.
fn hazy(colour: vec3<f32>, distance: f32) -> vec3<f32> {
    return mix(colour, HORIZON, 1.0 - exp(-distance / 90.0));
}

struct Backdrop {
    @builtin(position) place: vec4<f32>,
    @location(0) way: vec3<f32>,
}

@vertex
fn backdrop(@builtin(vertex_index) i: u32) -> Backdrop {
    // One triangle that covers the screen.
    let at = vec2(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    let way = view.ahead.xyz + at.x * view.right.xyz + at.y * view.up.xyz;
    return Backdrop(vec4(at, 1.0, 1.0), way);
}

@fragment
fn backdrop_colour(seen: Backdrop) -> @location(0) vec4<f32> {
    let down = view.streak.w - view.eye.z;
    if seen.way.z * down > 0.0 && abs(seen.way.z) > 1e-6 {
        let t = down / seen.way.z;
        let at = view.eye.xyz + seen.way * t;
        // A meadow: two patterns of unlike size.
        let tufts = 0.5 + 0.5 * sin(at.x * 5.3 + 2.0 * sin(at.y * 3.1)) * sin(at.y * 6.7 + sin(at.x * 2.3));
        let colour = GRASS * (0.85 + 0.3 * tufts) * (0.35 + 0.75 * view.sun.z);
        return vec4(hazy(colour, length(seen.way) * t), 1.0);
    }
    return vec4(sky_towards(seen.way), 1.0);
}

struct Solid {
    @builtin(position) place: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) colour: vec3<f32>,
    @location(2) at: vec3<f32>,
}

@vertex
fn solid(@location(0) at: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) colour: vec3<f32>) -> Solid {
    return Solid(view.screen * vec4(at, 1.0), normal, colour, at);
}

@fragment
fn solid_colour(seen: Solid) -> @location(0) vec4<f32> {
    // Surfaces have two sides: the one that is seen counts.
    let away = view.eye.xyz - seen.at;
    let n = normalize(seen.normal) * select(-1.0, 1.0, dot(seen.normal, away) > 0.0);
    // Lambert's law, with a blue light from above.
    let light = vec3(0.95, 0.90, 0.80) * max(dot(n, view.sun.xyz), 0.0) + vec3(0.22, 0.26, 0.32) * (0.5 + 0.5 * n.z) + 0.08;
    return vec4(hazy(seen.colour * light, length(away)), 1.0);
}

@group(0) @binding(1) var<storage, read> drawn: array<vec4<f32>>;

struct Streak {
    @builtin(position) place: vec4<f32>,
    @location(0) light: vec4<f32>,
}

// Two triangles for each stone: a band from where it was to where it is, as wide as the stone.
@vertex
fn streak(@builtin(vertex_index) vertex: u32) -> Streak {
    let corner = vertex % 6u;
    let back = vertex / 6u + 1u;
    let at = select(view.ring.x + view.ring.y - back, view.ring.x - back, view.ring.x >= back);
    let stone = drawn[at];
    let motion = unpack4x8snorm(bitcast<u32>(stone.w));
    // Beyond the far plane: culled.
    var out = Streak(vec4(0.0, 0.0, 2.0, 1.0), vec4(0.0));
    if motion.w < 0.5 || stone.z < view.streak.w { return out; }
    let head = view.screen * vec4(stone.xyz, 1.0);
    let tail = view.screen * vec4(stone.xyz - motion.xyz * 64.0 * view.streak.x, 1.0);
    if head.w < 0.05 || tail.w < 0.05 { return out; }
    let shape = vec2(1.0, view.streak.z);
    let along = (head.xy / head.w - tail.xy / tail.w) * shape;
    let size = length(along);
    let way = select(vec2(0.0, 1.0), along / max(size, 1e-9), size > 1e-6);
    // Never thinner than so much of the picture; fainter instead.
    let radius = view.streak.y / head.w;
    let wide = max(radius, 6e-4);
    let side = vec2(-way.y, way.x) * wide / shape;
    let end = way * wide / shape;
    let ahead = corner == 1u || corner == 2u || corner == 4u;
    let left = corner == 0u || corner == 1u || corner == 3u;
    let from_ = select(tail.xy / tail.w - end, head.xy / head.w + end, ahead);
    let place = from_ + select(-side, side, left);
    let depth = select(tail.z / tail.w, head.z / head.w, ahead);
    let faint = clamp(radius / wide, 0.05, 1.0) * exp(-head.w / 60.0);
    out.place = vec4(place, depth, 1.0);
    out.light = vec4(0.93, 0.96, 1.0, faint * select(0.25, 0.95, ahead));
    return out;
}

@fragment
fn streak_colour(seen: Streak) -> @location(0) vec4<f32> {
    return seen.light;
}
