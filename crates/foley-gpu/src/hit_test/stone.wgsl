// Stones as pure functions of their index, as in foley-hail's `emitter`.

struct Emitter {
    seed: u32,
    // 1: straight lines at terminal speed; 0: accelerated.
    straight: u32,
    // 1: a disc of radius cloud_size.x; 0: a rectangle.
    disc: u32,
    restitution: f32,
    cloud_size: vec2<f32>,
    drift: vec2<f32>,
    acceleration: vec3<f32>,
    gravity: f32,
    // v0, or the wind velocity of a straight fall.
    velocity: vec3<f32>,
    spread: f32,
    // The lowest terminal speed, and log2(highest/lowest) as a sum of two, the first with 12 bits.
    slowest: f32,
    octaves_high: f32,
    octaves_low: f32,
    slot_s: f32,
    longest_s: f32,
    // The rounding margin in metres, by which predicates are widened.
    margin: f32,
    ticks_per_slot: f32,
    pad: f32,
    // The ends of the BVHs over planes, quadrics and meshes; each starts where the last one ends.
    trees: vec4<u32>,
}

struct Trajectory {
    position: vec3<f32>,
    velocity: vec3<f32>,
}

@group(0) @binding(0) var<uniform> emitter: Emitter;

const BIRTH = 0u;
const SPREAD = 1u;
const BOUNCE = 2u;

fn mix_words(words: vec4<u32>) -> vec4<u32> {
    var v = words;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

// PCG4D of Jarzynski and Olano (2020).
fn fractions(index: vec2<u32>, salt: u32) -> vec4<f32> {
    var v = mix_words(vec4(index, emitter.seed, salt) * 1664525u + 1013904223u);
    v = mix_words(v ^ (v >> vec4(16u)));
    // 24 bits: f32 holds them exactly.
    return vec4<f32>(v >> vec4(8u)) * (1.0 / 16777216.0);
}

// sin and cos of an angle in turns; the built-in functions may be wrong by 2^-11.
fn sin_cos_turns(turns: f32) -> vec2<f32> {
    let quarters = turns * 4.0;
    let nearest = floor(quarters + 0.5);
    // Exact: a fraction has 24 bits.
    let x = (quarters - nearest) * 1.5707963267948966;
    let y = x * x;
    let s = x + x * y * (-1.0 / 6.0 + y * (1.0 / 120.0 + y * (-1.0 / 5040.0 + y / 362880.0)));
    let c = 1.0 + y * (-0.5 + y * (1.0 / 24.0 + y * (-1.0 / 720.0 + y * (1.0 / 40320.0 - y / 3628800.0))));
    switch u32(nearest) & 3u {
        case 0u: { return vec2(s, c); }
        case 1u: { return vec2(c, -s); }
        case 2u: { return vec2(-s, -c); }
        default: { return vec2(-c, s); }
    }
}

// 2^(octaves * part), to about one unit in the last place. The first product is exact: 12 bits by 12.
fn exp2_octaves(part: f32) -> f32 {
    let high = floor(part * 4096.0) * (1.0 / 4096.0);
    let exact = emitter.octaves_high * high;
    let integer = floor(exact + 0.5);
    let x = (exact - integer) + (emitter.octaves_high * (part - high) + emitter.octaves_low * part);
    let tail = 0.00961812911 + x * (0.00133335581 + x * (0.000154035304 + x * 0.0000152527338));
    let sum = x * (0.693147181 + x * (0.240226507 + x * (0.0555041087 + x * tail)));
    return ldexp(1.0 + sum, i32(integer));
}

// `since_s` is the time from when the cloud is at `cloud` until the birth of the stone.
fn trajectory_of(index: vec2<u32>, since_s: f32, cloud: vec3<f32>) -> Trajectory {
    let birth = fractions(index, BIRTH);
    var off: vec2<f32>;
    if emitter.disc == 1u {
        off = emitter.cloud_size.x * sqrt(birth.y) * sin_cos_turns(birth.z).yx;
    } else {
        off = emitter.cloud_size * (birth.yz - 0.5);
    }
    let position = cloud + vec3(emitter.drift * since_s + off, 0.0);
    var velocity = emitter.velocity;
    if emitter.straight == 1u {
        velocity.z = -emitter.slowest * exp2_octaves(birth.w);
    } else if emitter.spread > 0.0 {
        velocity += emitter.spread * (2.0 * fractions(index, SPREAD).xyz - 1.0);
    }
    return Trajectory(position, velocity);
}

fn position_at(trajectory: Trajectory, t: f32) -> vec3<f32> {
    return trajectory.position + (trajectory.velocity + emitter.acceleration * (0.5 * t)) * t;
}

fn velocity_at(trajectory: Trajectory, t: f32) -> vec3<f32> {
    return trajectory.velocity + emitter.acceleration * t;
}

// index + by, as a u64 in two halves.
fn index_after(index: vec2<u32>, by: u32) -> vec2<u32> {
    let low = index.x + by;
    return vec2(low, index.y + select(0u, 1u, low < by));
}
