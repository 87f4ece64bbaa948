//! Memory layouts of the structures in `hit_test/*.wgsl` and `advect/*.wgsl`.

use bytemuck::{Pod, Zeroable};

/// Ticks per second. Times wrap after 2048 s; no flight is longer than 600 s.
pub(crate) const TICKS: f64 = 2_097_152.0;

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Emitter {
    pub(crate) seed: u32,
    pub(crate) straight: u32,
    pub(crate) disc: u32,
    pub(crate) restitution: f32,
    pub(crate) cloud_size: [f32; 2],
    pub(crate) drift: [f32; 2],
    pub(crate) acceleration: [f32; 3],
    pub(crate) gravity: f32,
    pub(crate) velocity: [f32; 3],
    pub(crate) spread: f32,
    pub(crate) slowest: f32,
    pub(crate) octaves_high: f32,
    pub(crate) octaves_low: f32,
    pub(crate) slot_s: f32,
    pub(crate) max_flight_s: f32,
    pub(crate) margin: f32,
    pub(crate) ticks_per_slot: f32,
    pub(crate) pad: f32,
    pub(crate) trees: [u32; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Batch {
    pub(crate) first: [u32; 2],
    pub(crate) count: u32,
    pub(crate) ring_first: u32,
    pub(crate) cloud: [f32; 3],
    pub(crate) ring: u32,
    pub(crate) born_ticks: u32,
    pub(crate) born_fraction: f32,
    pub(crate) width: u32,
    pub(crate) pad: u32,
}

/// A candidate impact in single precision, to be verified by the CPU.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Candidate {
    pub(crate) offset: u32,
    pub(crate) collider: u32,
    pub(crate) t: f32,
    pub(crate) speed: f32,
    pub(crate) position: [f32; 3],
    pub(crate) texel: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Slot {
    pub(crate) born_ticks: u32,
    pub(crate) collider: u32,
    pub(crate) texel: u32,
    pub(crate) speed: f32,
    pub(crate) bounce: [f32; 3],
    pub(crate) t: f32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Collider {
    pub(crate) kind: u32,
    pub(crate) first_part: u32,
    pub(crate) end_part: u32,
    pub(crate) columns: u32,
    pub(crate) patch: [u32; 4],
    pub(crate) tree: [u32; 4],
    pub(crate) origin: [f32; 4],
    pub(crate) abc: [[f32; 4]; 3],
    pub(crate) d: [f32; 4],
    pub(crate) e: [f32; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Part {
    pub(crate) kind: u32,
    pub(crate) hole: u32,
    pub(crate) pad: [u32; 2],
    pub(crate) a: [f32; 2],
    pub(crate) b: [f32; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Node {
    pub(crate) lo: [f32; 3],
    pub(crate) link: u32,
    pub(crate) hi: [f32; 3],
    pub(crate) count: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Triangle {
    pub(crate) corner: [f32; 3],
    pub(crate) number: u32,
    pub(crate) ab: [f32; 3],
    pub(crate) pad0: u32,
    pub(crate) ac: [f32; 3],
    pub(crate) pad1: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Frame {
    pub(crate) end: [u32; 2],
    pub(crate) count: u32,
    pub(crate) ring_end: u32,
    pub(crate) cloud: [f32; 3],
    pub(crate) ring: u32,
    pub(crate) from_ticks: u32,
    pub(crate) length_ticks: u32,
    pub(crate) now_ticks: u32,
    pub(crate) width: u32,
}

/// A texel of the impact map.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Texel {
    /// 0 without an impact.
    pub(crate) collider_and_one: u32,
    pub(crate) ticks: u32,
    pub(crate) speed: f32,
    pub(crate) stone: u32,
}
