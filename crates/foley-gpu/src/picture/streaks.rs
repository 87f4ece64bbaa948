//! Stones as motion-blur streaks with order-independent transparency, drawn by a compute kernel: the
//! rasteriser is slow with millions of small triangles.

use super::target::Target;
use crate::advect::Advection;
use crate::device::kernel::{Dispatch, bind_buffers, bind_resources, compute_pipeline};
use crate::hit_test::HitTest;
use crate::{Gpu, GpuError};
use wgpu::BufferUsages as Usage;

/// The fixed-point representation of optical depth −ln(1 − α) = 1.
const ONE: u32 = 1 << 12;
/// The largest contribution of one stone: −ln(1 − 0.95) < 3.
const MAX_PER_STONE: u32 = 3 * ONE;
/// A pixel with transmittance e⁻¹⁶ is opaque and takes no more. In any order of the stones, its sum ends above.
const OPAQUE: u32 = 16 * ONE;
/// Stones per dispatch. The next dispatch sees the sums of the last one.
const DISPATCH_STONES: u32 = 1 << 18;
/// A sum cannot wrap: it is below `OPAQUE` before a dispatch, whose stones together add less than 2³².
const _: () =
    assert!(OPAQUE as u64 + DISPATCH_STONES as u64 * MAX_PER_STONE as u64 <= u32::MAX as u64);
/// The offset alignment of uniform buffers on every GPU.
const ALIGNMENT: usize = 256;

/// Returns the sources of the streak kernel and of the compositing shader.
pub(crate) fn sources() -> [String; 2] {
    let view = include_str!("view.wgsl");
    let composite = concat!(include_str!("full_screen.wgsl"), include_str!("composite.wgsl"));
    [include_str!("streaks.wgsl"), composite].map(|shader| {
        let constants = format!(
            "const ONE = {ONE}.0; const MAX_PER_STONE = {MAX_PER_STONE}u; const OPAQUE = {OPAQUE}u;"
        );
        [&constants, view, shader].join("\n")
    })
}

/// The streak kernel with its buffers, and the compositing pass.
#[derive(Debug)]
pub(super) struct Streaks {
    stone_states: wgpu::Buffer,
    kernel: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    ranges: Vec<wgpu::BindGroup>,
    optical_depth: wgpu::Buffer,
    overlay: wgpu::RenderPipeline,
    overlay_group: wgpu::BindGroup,
}

impl Streaks {
    pub(super) fn new(
        gpu: &Gpu,
        hit_test: &HitTest,
        advection: &Advection,
        view: &wgpu::Buffer,
        target: &Target,
    ) -> Result<Self, GpuError> {
        let [streaks, composite] = sources();
        let kernel = compute_pipeline(gpu, &streaks, "streaks")?;
        let pixels = u64::from(target.resolved.width()) * u64::from(target.resolved.height());
        let bytes = pixels * size_of::<u32>() as u64;
        let optical_depth =
            gpu.buffer("the picture's stones", bytes, Usage::STORAGE | Usage::COPY_DST)?;
        let all = [
            view.as_entire_binding(),
            advection.stone_states.as_entire_binding(),
            wgpu::BindingResource::TextureView(&target.depth),
            optical_depth.as_entire_binding(),
        ];
        let group = bind_resources(gpu, &kernel.get_bind_group_layout(0), all)?;
        let ranges = ranges(gpu, &kernel.get_bind_group_layout(1), hit_test.ring)?;
        let overlay = Target::overlay_pipeline(gpu, &composite, ["full_screen", "composite"])?;
        let overlay_group =
            bind_buffers(gpu, &overlay.get_bind_group_layout(0), &[view, &optical_depth])?;
        let stone_states = advection.stone_states.clone();
        Ok(Self { stone_states, kernel, group, ranges, optical_depth, overlay, overlay_group })
    }

    /// Returns whether these stones are drawn.
    pub(super) fn draws(&self, advection: &Advection) -> bool {
        self.stone_states == advection.stone_states
    }

    /// Draws the last `stones` stones over the picture.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, target: &Target, stones: u32) {
        encoder.clear_buffer(&self.optical_depth, 0, None);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.kernel);
        pass.set_bind_group(0, &self.group, &[]);
        for (group, first) in self.ranges.iter().zip((0..stones).step_by(DISPATCH_STONES as usize))
        {
            pass.set_bind_group(1, group, &[]);
            Dispatch::new((stones - first).min(DISPATCH_STONES)).dispatch(&mut pass);
        }
        drop(pass);
        let mut pass = target.overlay_pass(encoder);
        pass.set_pipeline(&self.overlay);
        pass.set_bind_group(0, &self.overlay_group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Creates a bind group with the first stone of each dispatch over a ring buffer.
fn ranges(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    ring: u32,
) -> Result<Vec<wgpu::BindGroup>, GpuError> {
    let firsts: Vec<u32> = (0..ring).step_by(DISPATCH_STONES as usize).collect();
    let mut bytes = vec![0; firsts.len() * ALIGNMENT];
    for (chunk, first) in bytes.chunks_mut(ALIGNMENT).zip(&firsts) {
        chunk[..4].copy_from_slice(&first.to_le_bytes());
    }
    let buffer = gpu.buffer_with_data("dispatch ranges", &bytes, Usage::UNIFORM)?;
    let group = |number: usize| {
        let offset = (number * ALIGNMENT) as u64;
        let size = wgpu::BufferSize::new(16);
        let range = wgpu::BufferBinding { buffer: &buffer, offset, size };
        bind_resources(gpu, layout, [wgpu::BindingResource::Buffer(range)])
    };
    (0..firsts.len()).map(group).collect()
}
