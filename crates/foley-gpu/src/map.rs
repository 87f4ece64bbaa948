//! The impact map of \[CS\] section 5, rendered by the GPU and read back one or two frames later.

mod target;

use crate::advect::{Advection, DRAW_ARGUMENT_BYTES, FrameSpan};
use crate::device::kernel::bind_buffers;
use crate::device::readback::Readback;
use crate::hit_test::HitTest;
use crate::upload::layout::{TICKS, Texel};
use crate::{Gpu, GpuError};
use foley_hail::HailSimulation;
use foley_hail::map::Atlas;
use target::Target;

#[cfg(test)]
pub(crate) use target::MAP;

/// The record of an impact in its texel, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuMark {
    /// Column and row.
    pub texel: [u32; 2],
    /// The index of the stone.
    pub stone: u64,
    /// The index of the target.
    pub target: u32,
    /// The time since the start of the frame.
    pub in_frame_s: f64,
    /// The speed.
    pub speed_m_s: f32,
}

/// One frame of the impact map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFrame {
    /// The start of the frame.
    pub from_s: f64,
    /// The end of the frame.
    pub until_s: f64,
    /// The number of impacts in the frame.
    pub impacts: u64,
    /// How many of them were lost to an earlier one in the same texel.
    pub lost: u64,
    /// The others, row by row.
    pub marks: Vec<GpuMark>,
}

/// The render pass of the map with its buffers.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) atlas: Atlas,
    target: Target,
    group: wgpu::BindGroup,
    spare: Vec<wgpu::Buffer>,
}

/// A frame that is being read back.
#[derive(Debug)]
pub(crate) struct PendingFrame {
    from_s: f64,
    until_s: f64,
    end: u64,
    readback: Readback,
}

impl PendingFrame {
    pub(crate) fn ready(&self) -> bool {
        self.readback.ready()
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
        let group = bind_buffers(
            gpu,
            &layout,
            &[&advection.frame, &hit_test.slots, &advection.frame_impacts, &target.size],
        )?;
        Ok(Self { atlas, target, group, spare: Vec::new() })
    }

    /// Starts rendering the impacts of a frame and reading back the map, without blocking.
    pub(crate) fn submit(
        &mut self,
        gpu: &Gpu,
        hit_test: &HitTest,
        advection: &Advection,
        simulation: &HailSimulation,
        span: &FrameSpan,
    ) -> Result<PendingFrame, GpuError> {
        gpu.check()?;
        let bytes = self.bytes();
        let staging = match self.spare.pop() {
            Some(spare) => spare,
            None => Readback::staging_buffer(gpu, bytes)?,
        };
        gpu.submit(|encoder| {
            advection.encode(gpu, hit_test, simulation, span, encoder)?;
            self.target.draw(encoder, &self.group, &advection.frame_impacts);
            self.target.copy(encoder, &staging);
            encoder.copy_buffer_to_buffer(
                &advection.frame_impacts,
                0,
                &staging,
                bytes - DRAW_ARGUMENT_BYTES,
                DRAW_ARGUMENT_BYTES,
            );
            Ok::<(), GpuError>(())
        })??;
        let FrameSpan { from_s, until_s, end, .. } = *span;
        let readback = Readback::map(gpu, staging, bytes)?;
        Ok(PendingFrame { from_s, until_s, end, readback })
    }

    /// Returns the marks of a finished frame.
    pub(crate) fn read(&mut self, gpu: &Gpu, frame: PendingFrame) -> Result<MapFrame, GpuError> {
        let PendingFrame { from_s, until_s, end, readback } = frame;
        let [width, _] = self.atlas.size();
        let colliders = self.atlas.patches().len() as u32;
        let ((impacts, marks), spare) = readback.read(gpu, |bytes| {
            let (map, draw) = bytes.split_at(bytes.len() - DRAW_ARGUMENT_BYTES as usize);
            let impacts = u32::from_le_bytes([draw[0], draw[1], draw[2], draw[3]]);
            let texels: &[Texel] = bytemuck::cast_slice(map);
            let occupied = (0_u32..).zip(texels).filter(|(_, texel)| {
                texel.collider_and_one > 0 && texel.collider_and_one <= colliders
            });
            let mark = |(index, texel): (u32, &Texel)| GpuMark {
                texel: [index % width, index / width],
                // The last stone before `end` with these low bits.
                stone: (end - 1)
                    - u64::from((end as u32).wrapping_sub(1).wrapping_sub(texel.stone)),
                target: texel.collider_and_one - 1,
                in_frame_s: f64::from(texel.ticks) / TICKS,
                speed_m_s: texel.speed,
            };
            (u64::from(impacts), occupied.map(mark).collect::<Vec<_>>())
        })?;
        self.spare.push(spare);
        // A faulty GPU might count fewer impacts than it drew.
        let impacts = impacts.max(marks.len() as u64);
        let lost = impacts - marks.len() as u64;
        Ok(MapFrame { from_s, until_s, impacts, lost, marks })
    }

    fn bytes(&self) -> u64 {
        let [width, height] = self.atlas.size().map(u64::from);
        width * height * size_of::<Texel>() as u64 + DRAW_ARGUMENT_BYTES
    }
}
