//! Transfer through the impact map: the earliest impact of each texel and frame.

use super::{GpuHail, Transfer};
use crate::gpu_hail::pending_impacts::MarkOutcome;
use crate::map::{Map, MapFrame, PendingFrame};
use crate::{Gpu, GpuError};
use foley_hail::map::Atlas;
use std::collections::VecDeque;
use std::time::Duration;

/// The largest number of frames in progress.
const MAX_PENDING: usize = 3;
/// The largest number of finished frames that are kept for the caller.
const MAX_FINISHED: usize = 1000;

/// Single precision may assign an impact this close to the border of a frame to the next one.
const TOLERANCE_S: f64 = 1e-5;

/// The frames of the map in progress and finished.
#[derive(Debug)]
pub(super) struct MapFrames {
    map: Map,
    pending: VecDeque<PendingFrame>,
    finished: VecDeque<MapFrame>,
    /// The end of the last submitted frame, and of the last finished one.
    submitted_s: f64,
    pub(super) known_s: f64,
}

impl MapFrames {
    pub(super) fn new(map: Map, from_s: f64) -> Self {
        let (pending, finished) = Default::default();
        Self { map, pending, finished, submitted_s: from_s, known_s: from_s }
    }

    pub(super) fn atlas(&self) -> &Atlas {
        &self.map.atlas
    }

    pub(super) fn take_finished(&mut self) -> Vec<MapFrame> {
        self.finished.drain(..).collect()
    }

    /// Blocks until the first frame is ready.
    pub(super) fn wait(&self, gpu: &Gpu, timeout: Duration) -> Result<(), GpuError> {
        match self.pending.front() {
            None => Ok(()),
            Some(front) => gpu.wait(timeout, || front.ready()),
        }
    }

    /// Returns the next frame to submit, if one is requested and the queue has room.
    fn next(&self, requested_s: f64, frame_s: f64) -> Option<[f64; 2]> {
        let from_s = self.submitted_s;
        let needed = from_s < requested_s && self.pending.len() < MAX_PENDING;
        needed.then(|| [from_s, requested_s.min(from_s + frame_s)])
    }
}

impl GpuHail {
    pub(super) fn submit_frames(&mut self) -> Result<(), GpuError> {
        while let Transfer::Map(frames) = &self.transfer
            && let Some([from_s, until_s]) = frames.next(self.requested_s, self.options.frame_s)
        {
            self.submit_stones(until_s)?;
            let frame_span = self.frame_span(from_s, until_s);
            let (Transfer::Map(frames), Some(advection)) = (&mut self.transfer, &self.advection)
            else {
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

    pub(super) fn collect_frames(&mut self) -> Result<(), GpuError> {
        let Transfer::Map(frames) = &mut self.transfer else { return Ok(()) };
        while let Some(frame) = frames.pending.pop_front_if(|frame| frame.ready()) {
            let mut frame = frames.map.read(&self.gpu, frame)?;
            let earliest_s = frame.from_s - TOLERANCE_S;
            let MapFrame { marks, impacts, lost, .. } = &mut frame;
            marks.retain(|mark| {
                let outcome = self.pending.add_mark(mark.stone, earliest_s);
                *impacts -= u64::from(outcome == MarkOutcome::NoImpact);
                *lost += u64::from(outcome == MarkOutcome::TooLate);
                outcome == MarkOutcome::Queued
            });
            frames.known_s = frame.until_s;
            if frames.finished.len() == MAX_FINISHED {
                frames.finished.pop_front();
            }
            frames.finished.push_back(frame);
        }
        Ok(())
    }

    /// Tests all stones born before a time, with results in the ring buffer.
    fn submit_stones(&mut self, until_s: f64) -> Result<(), GpuError> {
        let end = self.pending.stones_before(until_s);
        while self.submitted < end {
            let count = (end - self.submitted).min(u64::from(self.hit_test.max_batch)) as u32;
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
