// One triangle that covers the viewport, in clip space.
fn full_screen_triangle(i: u32) -> vec2<f32> {
    return vec2(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
}
