//! Every impact, through the append buffer.

use super::{GpuHail, Way};
use crate::hit_test::{PendingBatch, verify};
use crate::{Gpu, GpuError};
use std::collections::VecDeque;
use std::time::Duration;

/// So many batches are under way at once at most.
const MOST_PENDING: usize = 4;

/// Batches of stones whose proposals are on their way, in order.
#[derive(Debug, Default)]
pub(super) struct Batches(VecDeque<PendingBatch>);

impl Batches {
    /// Waits for the first.
    pub(super) fn wait(&self, gpu: &Gpu, timeout: Duration) -> Result<(), GpuError> {
        match self.0.front() {
            None => Ok(()),
            Some(front) => gpu.wait(timeout, || front.ready()),
        }
    }
}

impl GpuHail {
    pub(super) fn feed_batches(&mut self) -> Result<(), GpuError> {
        let Way::Lossless(batches) = &mut self.way else { return Ok(()) };
        let filter = self.pending.stones_before(self.requested_s);
        while self.submitted < filter && batches.0.len() < MOST_PENDING {
            let count = (filter - self.submitted).min(u64::from(self.hit_test.max_batch)) as u32;
            let simulation = &self.pending.simulation;
            let asked = self.hit_test.submit(&self.gpu, simulation, self.submitted, count, true)?;
            batches.0.extend(asked);
            self.submitted += u64::from(count);
        }
        Ok(())
    }

    pub(super) fn absorb_batches(&mut self) -> Result<(), GpuError> {
        let Way::Lossless(batches) = &mut self.way else { return Ok(()) };
        while let Some(batch) = batches.0.pop_front_if(|batch| batch.ready()) {
            let (first, end) = (self.pending.next_stone, batch.end());
            let candidates = self.hit_test.candidates(&self.gpu, batch)?;
            let verified =
                verify(&self.pending.simulation, self.pending.filter, first, &candidates);
            self.pending.decided(end, verified);
        }
        Ok(())
    }
}
