// Composites the stones over the picture.

@group(0) @binding(1) var<storage, read> optical_depth: array<u32>;

const ICE = vec3<f32>(0.93, 0.96, 1.0);

@vertex
fn full_screen(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4(full_screen_triangle(i), 0.0, 1.0);
}

@fragment
fn composite(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<u32>(position.xy);
    let sum = min(optical_depth[at.y * u32(view.size.x) + at.x], OPAQUE);
    return vec4(ICE, 1.0 - exp(-f32(sum) / ONE));
}
