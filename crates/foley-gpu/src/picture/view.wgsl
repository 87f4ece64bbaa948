// How a still is seen.

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
    // Pixels across and down.
    size: vec2<f32>,
    // Seconds that a streak lasts, and the radius of a stone at 1 m in pixels.
    shutter: f32,
    radius: f32,
    // The local height of the ground.
    ground: f32,
    // The place of the ring after the last stone, the ring, and how many stones are looked at.
    ring_end: u32,
    ring: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> view: View;

// One triangle that covers the screen.
fn full_screen_triangle(i: u32) -> vec2<f32> {
    return vec2(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
}
