//! Stones as streaks, painted by a kernel: rasters are slow with millions of small triangles.

use super::target::Target;
use crate::advect::Advection;
use crate::device::kernel::{Dispatch, bind, bind_all, compute};
use crate::hit_test::HitTest;
use crate::{Gpu, GpuError};
use wgpu::BufferUsages as Usage;

/// −ln(1 − α) = 1 in whole numbers.
const ONE: u32 = 1 << 12;
/// The most that one stone adds: −ln(1 − 0.95) < 3.
const MOST: u32 = 3 * ONE;
/// e⁻¹⁶ is nothing: such a pixel takes no more. Whatever order stones come in, its sum ends above.
const OPAQUE: u32 = 16 * ONE;
/// Stones of one command. The next sees what it left.
const SHARE: u32 = 1 << 18;
/// A sum cannot wrap: below `OPAQUE` before a command, all its stones together do not reach 2³².
const _: () = assert!(OPAQUE as u64 + SHARE as u64 * MOST as u64 <= u32::MAX as u64);
/// Any GPU binds memory at multiples of so many bytes.
const STEP: usize = 256;

/// The whole shaders: of the kernel, and of the veil that it leaves.
pub(crate) fn sources() -> [String; 2] {
    let view = include_str!("view.wgsl");
    [include_str!("streaks.wgsl"), include_str!("composite.wgsl")].map(|shader| {
        let figures =
            format!("const ONE = {ONE}.0; const MOST = {MOST}u; const OPAQUE = {OPAQUE}u;");
        [&figures, view, shader].join("\n")
    })
}

/// The kernel with its memory, and what lays the stones over the picture.
#[derive(Debug)]
pub(super) struct Streaks {
    kernel: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    shares: Vec<wgpu::BindGroup>,
    veil: wgpu::Buffer,
    over: wgpu::RenderPipeline,
    over_group: wgpu::BindGroup,
}

impl Streaks {
    pub(super) fn new(
        gpu: &Gpu,
        hit_test: &HitTest,
        advection: &Advection,
        view: &wgpu::Buffer,
        target: &Target,
    ) -> Result<Self, GpuError> {
        let [streaks, over] = sources();
        let kernel = compute(gpu, &streaks, "streaks")?;
        let pixels = u64::from(target.smooth.width()) * u64::from(target.smooth.height());
        let bytes = pixels * size_of::<u32>() as u64;
        let veil = gpu.buffer("the picture's stones", bytes, Usage::STORAGE | Usage::COPY_DST)?;
        let all = [
            view.as_entire_binding(),
            advection.drawn.as_entire_binding(),
            wgpu::BindingResource::TextureView(&target.depth),
            veil.as_entire_binding(),
        ];
        let group = bind_all(gpu, &kernel.get_bind_group_layout(0), all)?;
        let shares = shares(gpu, &kernel.get_bind_group_layout(1), hit_test.ring)?;
        let over = Target::over(gpu, &over, ["full_screen", "composite"])?;
        let over_group = bind(gpu, &over.get_bind_group_layout(0), &[view, &veil])?;
        Ok(Self { kernel, group, shares, veil, over, over_group })
    }

    /// Paints so many stones over what the target shows.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, target: &Target, stones: u32) {
        encoder.clear_buffer(&self.veil, 0, None);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.kernel);
        pass.set_bind_group(0, &self.group, &[]);
        for (group, first) in self.shares.iter().zip((0..stones).step_by(SHARE as usize)) {
            pass.set_bind_group(1, group, &[]);
            Dispatch::new((stones - first).min(SHARE)).dispatch(&mut pass);
        }
        drop(pass);
        let mut pass = target.smooth_pass(encoder);
        pass.set_pipeline(&self.over);
        pass.set_bind_group(0, &self.over_group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Where the share of each command begins, for a ring of so many stones.
fn shares(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    ring: u32,
) -> Result<Vec<wgpu::BindGroup>, GpuError> {
    let firsts: Vec<u32> = (0..ring).step_by(SHARE as usize).collect();
    let mut bytes = vec![0; firsts.len() * STEP];
    for (position, first) in bytes.chunks_mut(STEP).zip(&firsts) {
        position[..4].copy_from_slice(&first.to_le_bytes());
    }
    let buffer = gpu.filled("shares of stones", &bytes, Usage::UNIFORM)?;
    let group = |number: usize| {
        let offset = (number * STEP) as u64;
        let size = wgpu::BufferSize::new(16);
        let share = wgpu::BufferBinding { buffer: &buffer, offset, size };
        bind_all(gpu, layout, [wgpu::BindingResource::Buffer(share)])
    };
    (0..firsts.len()).map(group).collect()
}
