// The fate of every stone of a batch, decided once.

struct Batch {
    first: vec2<u32>,
    count: u32,
    // The ring's place of the first stone, and its size; 0 for no ring.
    ring_first: u32,
    cloud: vec3<f32>,
    ring: u32,
    born_ticks: u32,
    born_fraction: f32,
    width: u32,
    pad: u32,
}

struct Proposal {
    offset: u32,
    collider: u32,
    t: f32,
    speed: f32,
    place: vec3<f32>,
    texel: u32,
}

struct Proposals {
    count: atomic<u32>,
    pad0: u32,
    pad1: u32,
    pad2: u32,
    list: array<Proposal>,
}

@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(6) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(7) var<storage, read_write> proposals: Proposals;

// How a stone leaps off, for the eye; see foley-hail's `Sky::after`.
fn leap(index: vec2<u32>, v: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let leaps = v - n * ((1.0 + sky.restitution) * dot(v, n));
    let speed = length(leaps);
    let chance = fractions(index, BOUNCE).xyz * 2.0 - 1.0;
    let turned = leaps + chance * (0.25 * speed);
    let away = turned - n * (2.0 * min(dot(turned, n), 0.0));
    let size = length(away);
    return select(n, away / max(size, 1e-20), size > 1e-20) * speed;
}

@compute @workgroup_size(64)
fn fates(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = id.y * batch.width + id.x;
    if k >= batch.count { return; }
    let index = later(batch.first, k);
    let slots_since = f32(k) + fractions(index, BIRTH).x;
    let flight = flight_of(index, slots_since * sky.slot_s, batch.cloud);
    first_hit(flight);
    let born = batch.born_ticks + u32(batch.born_fraction + slots_since * sky.ticks_per_slot);
    var slot = Slot(born, NOTHING, 0u, 0.0, vec3(0.0), sky.longest_s);
    if found.collider != NOTHING {
        let v = velocity_at(flight, found.t);
        let cells = colliders[found.collider].patch_of;
        let texel = cells.xy + min(vec2<u32>(found.uv * vec2<f32>(cells.zw)), max(cells.zw, vec2(1u)) - 1u);
        slot.collider = found.collider;
        slot.texel = texel.x | (texel.y << 16u);
        slot.speed = length(v);
        slot.bounce = leap(index, v, found.normal);
        slot.t = found.t;
        let place = atomicAdd(&proposals.count, 1u);
        if place < arrayLength(&proposals.list) {
            proposals.list[place] = Proposal(k, found.collider, found.t, slot.speed, place_at(flight, found.t), slot.texel);
        }
    }
    if batch.ring > 0u {
        let at = batch.ring_first + k;
        slots[select(at, at - batch.ring, at >= batch.ring)] = slot;
    }
}
