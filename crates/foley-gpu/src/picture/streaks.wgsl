// Stones as short streaks, one thread a stone: a band with round ends from where it was to where it is,
// as wide as the stone, fading towards its tail.
//
// All streaks have one colour, so what shines through a pixel is Π(1 − α), in whatever order: its
// logarithm is summed here, in whole numbers, so that the sum is the same whatever the order of threads.
// ONE is a logarithm of 1, MOST the greatest of a single stone; see `streaks.rs`.

@group(0) @binding(1) var<storage, read> drawn: array<vec4<f32>>;
// What may hide stones.
@group(0) @binding(2) var solids: texture_depth_multisampled_2d;
// −ln Π(1 − α) of every pixel.
@group(0) @binding(3) var<storage, read_write> veil: array<atomic<u32>>;

// How many stones earlier commands painted.
@group(1) @binding(0) var<uniform> first: u32;

// What bounds the work of a stone: nearer ones (in metres) are not drawn, wider ones (in pixels) thinner.
const NEAREST = 0.3;
const WIDEST = 64.0;
// Streaks of more pixels are painted by the whole group.
const LARGE = 256u;

// A streak in pixels. Where it lies rather than stands, x and y are exchanged: it goes along y.
struct Band {
    tail: vec2<f32>,
    way: vec2<f32>,
    size: f32,
    // Half of its width.
    wide: f32,
    // How much less than opaque.
    faint: f32,
    lies: bool,
    // Of tail and head.
    depths: vec2<f32>,
    // Rows that it touches, and pixels of each.
    first_row: f32,
    rows: u32,
    across: u32,
}

fn turned(v: vec2<f32>, lies: bool) -> vec2<f32> {
    return select(v, v.yx, lies);
}

fn pixel(at: vec4<f32>) -> vec2<f32> {
    return (at.xy / at.w * vec2(0.5, -0.5) + 0.5) * view.size;
}

// The streak of the stone that is so many before the end. Nothing to see: no rows.
fn band_of(back: u32) -> Band {
    var band: Band;
    let at = select(view.ring_end + view.ring - back, view.ring_end - back, view.ring_end >= back);
    let stone = drawn[at];
    let motion = unpack4x8snorm(bitcast<u32>(stone.w));
    if motion.w < 0.5 || stone.z < view.ground { return band; }
    let now = view.screen * vec4(stone.xyz, 1.0);
    let before = view.screen * vec4(stone.xyz - motion.xyz * 64.0 * view.shutter, 1.0);
    if min(now.w, before.w) < NEAREST { return band; }
    let along = pixel(now) - pixel(before);
    band.lies = abs(along.x) > abs(along.y);
    band.tail = turned(pixel(before), band.lies);
    band.size = length(along);
    let way = select(vec2(0.0, 1.0), turned(along, band.lies) / band.size, band.size > 1e-3);
    band.way = way;
    // Never thinner than a pixel; fainter instead.
    let radius = view.radius / now.w;
    band.wide = clamp(radius, 0.5, WIDEST);
    band.faint = clamp(radius / band.wide, 0.05, 1.0) * exp(-now.w / 60.0);
    band.depths = vec2(before.z / before.w, now.z / now.w);

    let reach = band.wide + 0.5;
    let head = band.tail + way * band.size;
    let lo = min(band.tail, head) - reach;
    let hi = max(band.tail, head) + reach;
    let rim = turned(view.size, band.lies);
    if any(hi < vec2(0.0)) || any(lo > rim) { return band; }
    band.first_row = max(ceil(lo.y - 0.5), 0.0);
    band.rows = u32(max(min(floor(hi.y - 0.5), rim.y - 1.0) - band.first_row + 1.0, 0.0));
    band.across = u32(2.0 * reach / abs(way.y)) + 1u;
    return band;
}

// The part of a pixel in which nothing hides what is at a depth.
fn free(at: vec2<u32>, depth: f32) -> f32 {
    var parts = 0.0;
    for (var i = 0; i < 4; i++) {
        parts += select(0.0, 0.25, depth <= textureLoad(solids, at, i));
    }
    return parts;
}

// Every `step`-th pixel of a streak.
fn paint(band: Band, from_: u32, step: u32) {
    let reach = band.wide + 0.5;
    for (var i = from_; i < band.rows * band.across; i += step) {
        let y = band.first_row + f32(i / band.across) + 0.5;
        let middle = band.tail.x + (y - band.tail.y) * band.way.x / band.way.y;
        let left = ceil(middle - reach / abs(band.way.y) - 0.5);
        let place = turned(vec2(left + f32(i % band.across) + 0.5, y), band.lies);
        if any(place < vec2(0.0)) || any(place > view.size) { continue; }

        let q = turned(place, band.lies) - band.tail;
        let along = dot(q, band.way);
        let nearest = clamp(along, 0.0, band.size);
        let covered = clamp(reach - distance(q, band.way * nearest), 0.0, 1.0);
        let at = vec2<u32>(place);
        let sum = &veil[at.y * u32(view.size.x) + at.x];
        if covered == 0.0 || atomicLoad(sum) >= OPAQUE { continue; }

        let depth = mix(band.depths.x, band.depths.y, nearest / max(band.size, 1e-3));
        let part = clamp((along + band.wide) / (band.size + 2.0 * band.wide), 0.0, 1.0);
        let alpha = band.faint * mix(0.25, 0.95, part) * covered * free(at, depth);
        let more = u32(-log(1.0 - min(alpha, 0.95)) * ONE + 0.5);
        if more > 0u { atomicAdd(sum, min(more, MOST)); }
    }
}

var<workgroup> large: array<u32, 64>;
var<workgroup> larges: atomic<u32>;

@compute @workgroup_size(64)
fn streaks(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let back = first + id.x + 1u;
    if back <= view.count {
        let band = band_of(back);
        if band.rows * band.across > LARGE {
            large[atomicAdd(&larges, 1u)] = back;
        } else {
            paint(band, 0u, 1u);
        }
    }
    workgroupBarrier();
    for (var i = 0u; i < atomicLoad(&larges); i++) {
        paint(band_of(large[i]), thread, 64u);
    }
}
