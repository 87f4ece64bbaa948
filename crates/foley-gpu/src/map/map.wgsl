// The impact map of [CS] section 5: a point for each impact of the frame at its surface
// coordinates; the depth test keeps the earliest.

struct FrameImpacts {
    draw: vec4<u32>,
    list: array<u32>,
}

struct Size {
    texels: vec2<f32>,
    pad: vec2<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> slots: array<Slot>;
@group(0) @binding(2) var<storage, read> frame_impacts: FrameImpacts;
@group(0) @binding(3) var<uniform> size: Size;

struct Point {
    @builtin(position) position: vec4<f32>,
    // Collider + 1, ticks since the start of the frame, speed, stone.
    @location(0) @interpolate(flat) mark: vec4<u32>,
}

@vertex
fn point(@builtin(vertex_index) number: u32) -> Point {
    let at = frame_impacts.list[number];
    let slot = slots[at];
    let ticks = slot.born_ticks + u32(slot.t * TICKS) - frame.from_ticks;
    let texel = vec2(f32(slot.texel & 0xffffu), f32(slot.texel >> 16u)) + 0.5;
    let position = (texel / size.texels * 2.0 - 1.0) * vec2(1.0, -1.0);
    let back = select(frame.ring_end + frame.ring - at, frame.ring_end - at, frame.ring_end > at);
    let mark = vec4(slot.collider + 1u, ticks, bitcast<u32>(slot.speed), frame.end.x - back);
    let depth = f32(ticks) / f32(frame.length_ticks);
    return Point(vec4(position, depth, 1.0), mark);
}

@fragment
fn mark(point: Point) -> @location(0) vec4<u32> {
    return point.mark;
}
