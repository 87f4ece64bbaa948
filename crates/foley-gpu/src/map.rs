//! The impact map of \[CS\] section 5, drawn by the GPU and read back one or two frames later.

mod target;

use crate::advect::{Advection, DRAW, FrameSpan};
use crate::device::kernel::bind;
use crate::device::readback::Readback;
use crate::hit_test::HitTest;
use crate::upload::layout::{TICKS, Texel};
use crate::{Gpu, GpuError};
use foley_hail::HailSimulation;
use foley_hail::map::Atlas;
use target::Target;

#[cfg(test)]
pub(crate) use target::MAP;

/// What an impact left in its texel, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuMark {
    /// Column and row.
    pub texel: [u32; 2],
    /// The stone's number.
    pub stone: u64,
    /// The collider's number.
    pub collider: u32,
    /// When, since the frame began.
    pub in_frame_s: f64,
    /// How fast.
    pub speed_m_s: f32,
}

/// One frame of the impact map, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFrame {
    /// When the frame began.
    pub from_s: f64,
    /// When it ended.
    pub until_s: f64,
    /// How many impacts were drawn.
    pub due: u64,
    /// How many of them are not on the map, because another had their texel before.
    pub lost: u64,
    /// Those that are, row by row.
    pub marks: Vec<GpuMark>,
}

/// The map with its memory.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) atlas: Atlas,
    target: Target,
    group: wgpu::BindGroup,
    spare: Vec<wgpu::Buffer>,
}

/// A frame on its way back.
#[derive(Debug)]
pub(crate) struct PendingFrame {
    from_s: f64,
    until_s: f64,
    end: u64,
    back: Readback,
}

impl PendingFrame {
    pub(crate) fn ready(&self) -> bool {
        self.back.ready()
    }
}

impl Map {
    pub(crate) fn new(
        gpu: &Gpu,
        atlas: Atlas,
        hit_test: &HitTest,
        advection: &Advection,
    ) -> Result<Self, GpuError> {
        let target = Target::new(gpu, atlas.size())?;
        let layout = target.pipeline.get_bind_group_layout(0);
        let group =
            bind(gpu, &layout, &[&advection.frame, &hit_test.slots, &advection.due, &target.size])?;
        Ok(Self { atlas, target, group, spare: Vec::new() })
    }

    /// Finds and draws the impacts of a frame, and asks for the map; never waits.
    pub(crate) fn submit(
        &mut self,
        gpu: &Gpu,
        hit_test: &HitTest,
        advection: &Advection,
        simulation: &HailSimulation,
        frame_span: &FrameSpan,
    ) -> Result<PendingFrame, GpuError> {
        gpu.check()?;
        let bytes = self.bytes();
        let staging = match self.spare.pop() {
            Some(spare) => spare,
            None => Readback::memory(gpu, bytes)?,
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        advection.encode(gpu, hit_test, simulation, frame_span, &mut encoder);
        self.target.draw(&mut encoder, &self.group, &advection.due);
        self.target.copy(&mut encoder, &staging);
        encoder.copy_buffer_to_buffer(&advection.due, 0, &staging, bytes - DRAW, DRAW);
        gpu.queue.submit([encoder.finish()]);
        gpu.check()?;
        let FrameSpan { from_s, until_s, end, .. } = *frame_span;
        Ok(PendingFrame { from_s, until_s, end, back: Readback::ask(staging, bytes) })
    }

    /// The marks of a frame that is back.
    pub(crate) fn read(&mut self, gpu: &Gpu, frame: PendingFrame) -> Result<MapFrame, GpuError> {
        let PendingFrame { from_s, until_s, end, back } = frame;
        let [width, _] = self.atlas.size();
        let colliders = self.atlas.patches().len() as u32;
        let ((due, marks), spare) = back.take(gpu, |bytes| {
            let (map, draw) = bytes.split_at(bytes.len() - DRAW as usize);
            let due = u32::from_le_bytes([draw[0], draw[1], draw[2], draw[3]]);
            let texels: &[Texel] = bytemuck::cast_slice(map);
            let struck = (0_u32..).zip(texels).filter(|(_, texel)| {
                texel.collider_and_one > 0 && texel.collider_and_one <= colliders
            });
            let mark = |(position, texel): (u32, &Texel)| GpuMark {
                texel: [position % width, position / width],
                // The youngest stone before `end` with these low bits.
                stone: (end - 1)
                    - u64::from((end as u32).wrapping_sub(1).wrapping_sub(texel.stone)),
                collider: texel.collider_and_one - 1,
                in_frame_s: f64::from(texel.ticks) / TICKS,
                speed_m_s: texel.speed,
            };
            (u64::from(due), struck.map(mark).collect::<Vec<_>>())
        })?;
        self.spare.push(spare);
        // A broken GPU might count less than it drew.
        let due = due.max(marks.len() as u64);
        let lost = due - marks.len() as u64;
        Ok(MapFrame { from_s, until_s, due, lost, marks })
    }

    fn bytes(&self) -> u64 {
        let [width, height] = self.atlas.size().map(u64::from);
        width * height * size_of::<Texel>() as u64 + DRAW
    }
}
