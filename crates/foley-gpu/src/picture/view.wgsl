// The view.

struct View {
    // From local coordinates to clip space.
    screen: mat4x4<f32>,
    // From the centre of the picture to its right and upper edge, and the viewing direction.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    eye: vec4<f32>,
    // Towards the sun.
    sun: vec4<f32>,
    // Width and height in pixels.
    size: vec2<f32>,
    // Exposure time in seconds, and the radius of a stone at 1 m in pixels.
    shutter: f32,
    radius: f32,
    // The local height of the ground.
    ground: f32,
    // The slot after the last stone, the size of the ring buffer, and the number of stones.
    ring_end: u32,
    ring: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> view: View;
