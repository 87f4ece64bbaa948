// What a stone leaves in its place of the ring. `t` is when it strikes since birth, or no collider.
struct Slot {
    born_ticks: u32,
    collider: u32,
    texel: u32,
    speed: f32,
    bounce: vec3<f32>,
    t: f32,
}

const NO_COLLIDER = 0xffffffffu;
// Ticks a second.
const TICKS = 2097152.0;
