// Draws the finished picture over a viewport of any size.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var bilinear: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    // From (0, 0) at the top left of the viewport to (1, 1) at its bottom right.
    @location(0) uv: vec2<f32>,
}

@vertex
fn over_viewport(@builtin(vertex_index) i: u32) -> Corner {
    let at = full_screen_triangle(i);
    return Corner(vec4(at, 0.0, 1.0), at * vec2(0.5, -0.5) + 0.5);
}

// For sRGB formats, which the GPU encodes, and for linear formats.
@fragment
fn linear_light(seen: Corner) -> @location(0) vec4<f32> {
    return textureSample(picture, bilinear, seen.uv);
}

// For formats that the GPU writes as they are: the sRGB transfer function, IEC 61966-2-1.
@fragment
fn srgb_encoded(seen: Corner) -> @location(0) vec4<f32> {
    let colour = textureSample(picture, bilinear, seen.uv);
    let curve = 1.055 * pow(colour.rgb, vec3(1.0 / 2.4)) - 0.055;
    return vec4(select(curve, 12.92 * colour.rgb, colour.rgb <= vec3(0.0031308)), colour.a);
}
