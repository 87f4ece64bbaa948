//! The earliest impact of each texel, through the map, frame by frame.

use super::{GpuHail, Way};
use crate::gpu_hail::pending_impacts::MarkOutcome;
use crate::map::{Map, MapFrame, PendingFrame};
use crate::{Gpu, GpuError};
use foley_hail::map::Atlas;
use std::collections::VecDeque;
use std::time::Duration;

/// So many frames are under way at once at most.
const MOST_PENDING: usize = 3;
/// So many frames are kept for whoever asks for them.
const MOST_KEPT: usize = 1000;

/// Single precision may put an impact into the frame after its own, if it is so close to the border.
const A_LITTLE_S: f64 = 1e-5;

/// Frames of the map.
#[derive(Debug)]
pub(super) struct Frames {
    map: Map,
    pending: VecDeque<PendingFrame>,
    back: VecDeque<MapFrame>,
    /// The end of the last frame that was submitted, and of the last that is known.
    submitted_s: f64,
    pub(super) known_s: f64,
}

impl Frames {
    pub(super) fn new(map: Map, from_s: f64) -> Self {
        let (pending, back) = Default::default();
        Self { map, pending, back, submitted_s: from_s, known_s: from_s }
    }

    pub(super) fn atlas(&self) -> &Atlas {
        &self.map.atlas
    }

    pub(super) fn back(&mut self) -> Vec<MapFrame> {
        self.back.drain(..).collect()
    }

    /// Waits for the first.
    pub(super) fn wait(&self, gpu: &Gpu, timeout: Duration) -> Result<(), GpuError> {
        match self.pending.front() {
            None => Ok(()),
            Some(front) => gpu.wait(timeout, || front.ready()),
        }
    }

    /// The next frame to submit, if there is need and room.
    fn next(&self, requested_s: f64, frame_s: f64) -> Option<[f64; 2]> {
        let from_s = self.submitted_s;
        let filter = from_s < requested_s && self.pending.len() < MOST_PENDING;
        filter.then(|| [from_s, requested_s.min(from_s + frame_s)])
    }
}

impl GpuHail {
    pub(super) fn feed_frames(&mut self) -> Result<(), GpuError> {
        while let Way::Map(frames) = &self.way
            && let Some([from_s, until_s]) = frames.next(self.requested_s, self.options.frame_s)
        {
            self.submit_stones(until_s)?;
            let frame_span = self.frame_span(from_s, until_s);
            let (Way::Map(frames), Some(advection)) = (&mut self.way, &self.advection) else {
                return Ok(());
            };
            let (gpu, simulation) = (&self.gpu, &self.pending.simulation);
            let frame =
                frames.map.submit(gpu, &self.hit_test, advection, simulation, &frame_span)?;
            frames.pending.push_back(frame);
            frames.submitted_s = until_s;
        }
        Ok(())
    }

    pub(super) fn absorb_frames(&mut self) -> Result<(), GpuError> {
        let Way::Map(frames) = &mut self.way else { return Ok(()) };
        while let Some(frame) = frames.pending.pop_front_if(|frame| frame.ready()) {
            let mut frame = frames.map.read(&self.gpu, frame)?;
            let earliest_s = frame.from_s - A_LITTLE_S;
            let MapFrame { marks, due, lost, .. } = &mut frame;
            marks.retain(|mark| {
                let struck = self.pending.struck(mark.stone, earliest_s);
                *due -= u64::from(struck == MarkOutcome::Never);
                *lost += u64::from(struck == MarkOutcome::TooLate);
                struck == MarkOutcome::Waits
            });
            frames.known_s = frame.until_s;
            if frames.back.len() == MOST_KEPT {
                frames.back.pop_front();
            }
            frames.back.push_back(frame);
        }
        Ok(())
    }

    /// Lets the ring know all stones born before a time.
    fn submit_stones(&mut self, until_s: f64) -> Result<(), GpuError> {
        let filter = self.pending.stones_before(until_s);
        while self.submitted < filter {
            let count = (filter - self.submitted).min(u64::from(self.hit_test.max_batch)) as u32;
            self.hit_test.submit(
                &self.gpu,
                &self.pending.simulation,
                self.submitted,
                count,
                false,
            )?;
            self.submitted += u64::from(count);
        }
        Ok(())
    }
}
