// The hit test of a batch of stones.

struct Batch {
    first: vec2<u32>,
    count: u32,
    // The slot of the first stone in the ring buffer, and its size (`ring`); 0 without one.
    ring_first: u32,
    cloud: vec3<f32>,
    ring: u32,
    born_ticks: u32,
    born_fraction: f32,
    width: u32,
    pad: u32,
}

struct Candidate {
    offset: u32,
    collider: u32,
    t: f32,
    speed: f32,
    position: vec3<f32>,
    texel: u32,
}

struct Candidates {
    count: atomic<u32>,
    pad0: u32,
    pad1: u32,
    pad2: u32,
    list: array<Candidate>,
}

@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(6) var<storage, read_write> slots: array<Slot>;
@group(0) @binding(7) var<storage, read_write> candidates: Candidates;

// The velocity after the bounce, for pictures; see foley-hail's `ParticleEmitter::bounce`.
fn bounce_velocity(index: vec2<u32>, v: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let reflected = v - n * ((1.0 + emitter.restitution) * dot(v, n));
    let speed = length(reflected);
    let jitter = fractions(index, BOUNCE).xyz * 2.0 - 1.0;
    let scattered = reflected + jitter * (0.25 * speed);
    let away = scattered - n * (2.0 * min(dot(scattered, n), 0.0));
    let size = length(away);
    return select(n, away / max(size, 1e-20), size > 1e-20) * speed;
}

@compute @workgroup_size(64)
fn hit_test(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = id.y * batch.width + id.x;
    if k >= batch.count { return; }
    let index = index_after(batch.first, k);
    let slots_since = f32(k) + fractions(index, BIRTH).x;
    let trajectory = trajectory_of(index, slots_since * emitter.slot_s, batch.cloud);
    first_hit(trajectory);
    let born = batch.born_ticks + u32(batch.born_fraction + slots_since * emitter.ticks_per_slot);
    var slot = Slot(born, NO_COLLIDER, 0u, 0.0, vec3(0.0), emitter.longest_s);
    if nearest.collider != NO_COLLIDER {
        let v = velocity_at(trajectory, nearest.t);
        let cells = colliders[nearest.collider].patch_of;
        let texel = cells.xy + min(vec2<u32>(nearest.uv * vec2<f32>(cells.zw)), max(cells.zw, vec2(1u)) - 1u);
        slot.collider = nearest.collider;
        slot.texel = texel.x | (texel.y << 16u);
        slot.speed = length(v);
        slot.bounce = bounce_velocity(index, v, nearest.normal);
        slot.t = nearest.t;
        let index_in_list = atomicAdd(&candidates.count, 1u);
        if index_in_list < arrayLength(&candidates.list) {
            candidates.list[index_in_list] = Candidate(k, nearest.collider, nearest.t, slot.speed, position_at(trajectory, nearest.t), slot.texel);
        }
    }
    if batch.ring > 0u {
        let at = batch.ring_first + k;
        slots[select(at, at - batch.ring, at >= batch.ring)] = slot;
    }
}
