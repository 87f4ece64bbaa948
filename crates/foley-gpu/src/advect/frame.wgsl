// A span of time, and the stones that the ring holds then.
struct Frame {
    // The number after the last stone, and its place in the ring.
    end: vec2<u32>,
    count: u32,
    ring_end: u32,
    // Where the cloud is now.
    cloud: vec3<f32>,
    ring: u32,
    from_ticks: u32,
    length_ticks: u32,
    now_ticks: u32,
    width: u32,
}
