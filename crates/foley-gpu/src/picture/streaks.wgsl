// Motion-blur streaks of stones, one thread per stone: a capsule from the previous to the current position,
// as wide as the stone, fading towards its tail.
//
// Order-independent transparency: all streaks have one colour, so the transmittance of a pixel is Π(1 − α) in
// any order. Its negative logarithm, the optical depth, is summed in fixed point, so that the sum does not
// depend on the order of threads. ONE is an optical depth of 1, MAX_PER_STONE the largest of a single stone;
// see `streaks.rs`.

@group(0) @binding(1) var<storage, read> stone_states: array<vec4<f32>>;
// The depth of the colliders.
@group(0) @binding(2) var solids: texture_depth_multisampled_2d;
// −ln Π(1 − α) of each pixel.
@group(0) @binding(3) var<storage, read_write> optical_depth: array<atomic<u32>>;

// The number of stones in earlier dispatches.
@group(1) @binding(0) var<uniform> first: u32;

// Bounds of the work per stone: nearer stones (in metres) are not drawn, wider ones (in pixels) are clamped.
const NEAREST = 0.3;
const WIDEST = 64.0;
// Streaks of more pixels are drawn by the whole workgroup.
const LARGE = 256u;

// A streak in pixels. If it is more horizontal than vertical, x and y are swapped (`transposed`).
struct Capsule {
    tail: vec2<f32>,
    direction: vec2<f32>,
    size: f32,
    // Half its width, without the anti-aliased edge.
    half_width: f32,
    // The opacity at the head.
    opacity: f32,
    transposed: bool,
    // The depths of tail and head.
    depths: vec2<f32>,
    // The first row, the number of rows, and the pixels per row.
    first_row: f32,
    rows: u32,
    across: u32,
}

fn swapped(v: vec2<f32>, transposed: bool) -> vec2<f32> {
    return select(v, v.yx, transposed);
}

fn pixel(at: vec4<f32>) -> vec2<f32> {
    return (at.xy / at.w * vec2(0.5, -0.5) + 0.5) * view.size;
}

// The streak of the stone `back` before the end; an invisible one has no rows.
fn capsule_of(back: u32) -> Capsule {
    var capsule: Capsule;
    let at = select(view.ring_end + view.ring - back, view.ring_end - back, view.ring_end >= back);
    let stone = stone_states[at];
    let motion = unpack4x8snorm(bitcast<u32>(stone.w));
    if motion.w < 0.5 || stone.z < view.ground { return capsule; }
    let now = view.screen * vec4(stone.xyz, 1.0);
    let before = view.screen * vec4(stone.xyz - motion.xyz * 64.0 * view.shutter, 1.0);
    if min(now.w, before.w) < NEAREST { return capsule; }
    let along = pixel(now) - pixel(before);
    capsule.transposed = abs(along.x) > abs(along.y);
    capsule.tail = swapped(pixel(before), capsule.transposed);
    capsule.size = length(along);
    let direction = select(vec2(0.0, 1.0), swapped(along, capsule.transposed) / capsule.size, capsule.size > 1e-3);
    capsule.direction = direction;
    // Never thinner than a pixel; more transparent instead.
    let radius = view.radius / now.w;
    capsule.half_width = clamp(radius, 0.5, WIDEST);
    capsule.opacity = clamp(radius / capsule.half_width, 0.05, 1.0) * exp(-now.w / 60.0);
    capsule.depths = vec2(before.z / before.w, now.z / now.w);

    let reach = capsule.half_width + 0.5;
    let head = capsule.tail + direction * capsule.size;
    let lo = min(capsule.tail, head) - reach;
    let hi = max(capsule.tail, head) + reach;
    let rim = swapped(view.size, capsule.transposed);
    if any(hi < vec2(0.0)) || any(lo > rim) { return capsule; }
    capsule.first_row = max(ceil(lo.y - 0.5), 0.0);
    capsule.rows = u32(max(min(floor(hi.y - 0.5), rim.y - 1.0) - capsule.first_row + 1.0, 0.0));
    capsule.across = u32(2.0 * reach / abs(direction.y)) + 1u;
    return capsule;
}

// The fraction of a pixel in which nothing occludes the given depth.
fn visible_fraction(at: vec2<u32>, depth: f32) -> f32 {
    var parts = 0.0;
    for (var i = 0; i < 4; i++) {
        parts += select(0.0, 0.25, depth <= textureLoad(solids, at, i));
    }
    return parts;
}

// Draws every `step`-th pixel of a streak.
fn draw(capsule: Capsule, from_: u32, step: u32) {
    let reach = capsule.half_width + 0.5;
    for (var i = from_; i < capsule.rows * capsule.across; i += step) {
        let y = capsule.first_row + f32(i / capsule.across) + 0.5;
        let centre = capsule.tail.x + (y - capsule.tail.y) * capsule.direction.x / capsule.direction.y;
        let left = ceil(centre - reach / abs(capsule.direction.y) - 0.5);
        let position = swapped(vec2(left + f32(i % capsule.across) + 0.5, y), capsule.transposed);
        if any(position < vec2(0.0)) || any(position > view.size) { continue; }

        let q = swapped(position, capsule.transposed) - capsule.tail;
        let along = dot(q, capsule.direction);
        let nearest = clamp(along, 0.0, capsule.size);
        let covered = clamp(reach - distance(q, capsule.direction * nearest), 0.0, 1.0);
        let at = vec2<u32>(position);
        let sum = &optical_depth[at.y * u32(view.size.x) + at.x];
        if covered == 0.0 || atomicLoad(sum) >= OPAQUE { continue; }

        let depth = mix(capsule.depths.x, capsule.depths.y, nearest / max(capsule.size, 1e-3));
        let part = clamp((along + capsule.half_width) / (capsule.size + 2.0 * capsule.half_width), 0.0, 1.0);
        let alpha = capsule.opacity * mix(0.25, 0.95, part) * covered * visible_fraction(at, depth);
        let more = u32(-log(1.0 - min(alpha, 0.95)) * ONE + 0.5);
        if more > 0u { atomicAdd(sum, min(more, MAX_PER_STONE)); }
    }
}

var<workgroup> large: array<u32, 64>;
var<workgroup> large_count: atomic<u32>;

@compute @workgroup_size(64)
fn streaks(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let back = first + id.x + 1u;
    if back <= view.count {
        let capsule = capsule_of(back);
        if capsule.rows * capsule.across > LARGE {
            large[atomicAdd(&large_count, 1u)] = back;
        } else {
            draw(capsule, 0u, 1u);
        }
    }
    workgroupBarrier();
    for (var i = 0u; i < atomicLoad(&large_count); i++) {
        draw(capsule_of(large[i]), thread, 64u);
    }
}
