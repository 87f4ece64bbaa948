// A slot of the ring buffer. `t` is the time from birth to impact; without an impact, `collider` is NO_COLLIDER.
struct Slot {
    born_ticks: u32,
    collider: u32,
    texel: u32,
    speed: f32,
    bounce: vec3<f32>,
    t: f32,
}

const NO_COLLIDER = 0xffffffffu;
// Ticks per second.
const TICKS = 2097152.0;
