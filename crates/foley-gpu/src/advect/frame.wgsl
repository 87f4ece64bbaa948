// A frame of time, and the stones in the ring buffer.
struct Frame {
    // The index after the last stone, and its slot (`ring_end`).
    end: vec2<u32>,
    count: u32,
    ring_end: u32,
    // The centre of the cloud at the end of the frame.
    cloud: vec3<f32>,
    ring: u32,
    from_ticks: u32,
    length_ticks: u32,
    now_ticks: u32,
    width: u32,
}
