// The scene without stones: sky, ground and colliders in daylight.

const HORIZON = vec3<f32>(0.72, 0.78, 0.82);
const ZENITH = vec3<f32>(0.20, 0.33, 0.52);
const GRASS = vec3<f32>(0.16, 0.27, 0.10);

fn sky_towards(direction: vec3<f32>) -> vec3<f32> {
    let high = clamp(normalize(direction).z, 0.0, 1.0);
    let glow = pow(max(dot(normalize(direction), view.sun.xyz), 0.0), 24.0) * 0.25;
    return mix(HORIZON, ZENITH, pow(high, 0.6)) + glow;
}

// Aerial perspective: distant surfaces fade into the horizon.
fn hazy(colour: vec3<f32>, distance: f32) -> vec3<f32> {
    return mix(colour, HORIZON, 1.0 - exp(-distance / 90.0));
}

struct Backdrop {
    @builtin(position) position: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn backdrop(@builtin(vertex_index) i: u32) -> Backdrop {
    let at = full_screen_triangle(i);
    let direction = view.ahead.xyz + at.x * view.right.xyz + at.y * view.up.xyz;
    return Backdrop(vec4(at, 1.0, 1.0), direction);
}

@fragment
fn backdrop_colour(seen: Backdrop) -> @location(0) vec4<f32> {
    let down = view.ground - view.eye.z;
    if seen.direction.z * down > 0.0 && abs(seen.direction.z) > 1e-6 {
        let t = down / seen.direction.z;
        let at = view.eye.xyz + seen.direction * t;
        // Grass: two patterns of different size.
        let tufts = 0.5 + 0.5 * sin(at.x * 5.3 + 2.0 * sin(at.y * 3.1)) * sin(at.y * 6.7 + sin(at.x * 2.3));
        let colour = GRASS * (0.85 + 0.3 * tufts) * (0.35 + 0.75 * view.sun.z);
        return vec4(hazy(colour, length(seen.direction) * t), 1.0);
    }
    return vec4(sky_towards(seen.direction), 1.0);
}

struct Solid {
    @builtin(position) position: vec4<f32>,
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
    // Two-sided shading: the normal faces the eye.
    let away = view.eye.xyz - seen.at;
    let n = normalize(seen.normal) * select(-1.0, 1.0, dot(seen.normal, away) > 0.0);
    // Lambertian shading with a blue sky light from above.
    let light = vec3(0.95, 0.90, 0.80) * max(dot(n, view.sun.xyz), 0.0) + vec3(0.22, 0.26, 0.32) * (0.5 + 0.5 * n.z) + 0.08;
    return vec4(hazy(seen.colour * light, length(away)), 1.0);
}
