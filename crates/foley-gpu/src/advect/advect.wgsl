// Advection: the positions of all stones at the end of a frame, and the stones with an impact in it.

// Indirect draw arguments, and the slots of the stones with an impact.
struct FrameImpacts {
    count: atomic<u32>,
    instances: u32,
    first: u32,
    first_instance: u32,
    list: array<u32>,
}

@group(0) @binding(1) var<uniform> frame: Frame;
@group(0) @binding(2) var<storage, read> slots: array<Slot>;
// Position, and packed velocity in units of 64 m/s with a visibility flag.
@group(0) @binding(3) var<storage, read_write> stone_states: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> frame_impacts: FrameImpacts;

// How long a stone is visible after its impact: foley-hail's LIFE_AFTER_IMPACT_S.
const LIFE_S = 0.4;

fn packed(velocity: vec3<f32>, visible: f32) -> f32 {
    return bitcast<f32>(pack4x8snorm(vec4(velocity / 64.0, visible)));
}

@compute @workgroup_size(64)
fn advect(@builtin(global_invocation_id) id: vec3<u32>) {
    let back = id.y * frame.width + id.x + 1u;
    if back > frame.count { return; }
    let at = select(frame.ring_end + frame.ring - back, frame.ring_end - back, frame.ring_end >= back);
    let slot = slots[at];
    if slot.collider != NO_COLLIDER {
        let impact_ticks = slot.born_ticks + u32(slot.t * TICKS);
        if impact_ticks - frame.from_ticks < frame.length_ticks {
            frame_impacts.list[atomicAdd(&frame_impacts.count, 1u)] = at;
        }
    }
    let age = f32(i32(frame.now_ticks - slot.born_ticks)) / TICKS;
    let since = age - slot.t;
    if age < 0.0 || since >= LIFE_S || (since >= 0.0 && slot.collider == NO_COLLIDER) {
        stone_states[at] = vec4(0.0, 0.0, 0.0, packed(vec3(0.0), 0.0));
        return;
    }
    let low = frame.end.x - back;
    let index = vec2(low, frame.end.y - select(0u, 1u, frame.end.x < back));
    let trajectory = trajectory_of(index, -age, frame.cloud);
    if since < 0.0 {
        stone_states[at] = vec4(position_at(trajectory, age), packed(velocity_at(trajectory, age), 1.0));
        return;
    }
    let gravity = vec3(0.0, 0.0, -emitter.gravity);
    let position = position_at(trajectory, slot.t) + (slot.bounce + gravity * (0.5 * since)) * since;
    stone_states[at] = vec4(position, packed(slot.bounce + gravity * since, 1.0));
}
