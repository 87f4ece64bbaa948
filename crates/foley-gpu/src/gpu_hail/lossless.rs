//! Lossless transfer: every impact, through the append buffer of candidates.

use super::{GpuHail, Transfer};
use crate::hit_test::{PendingBatch, verify};
use crate::{Gpu, GpuError};
use std::collections::VecDeque;
use std::time::Duration;

/// The largest number of batches in progress.
const MAX_PENDING: usize = 4;

/// Batches of stones in progress, in order.
#[derive(Debug, Default)]
pub(super) struct Batches(VecDeque<PendingBatch>);

impl Batches {
    /// Blocks until the first batch is ready.
    pub(super) fn wait(&self, gpu: &Gpu, timeout: Duration) -> Result<(), GpuError> {
        match self.0.front() {
            None => Ok(()),
            Some(front) => gpu.wait(timeout, || front.ready()),
        }
    }
}

impl GpuHail {
    pub(super) fn submit_batches(&mut self) -> Result<(), GpuError> {
        let Transfer::Lossless(batches) = &mut self.transfer else { return Ok(()) };
        let end = self.pending.stones_before(self.requested_s);
        while self.submitted < end && batches.0.len() < MAX_PENDING {
            let count = (end - self.submitted).min(u64::from(self.hit_test.max_batch)) as u32;
            let simulation = &self.pending.simulation;
            let batch = self.hit_test.submit(&self.gpu, simulation, self.submitted, count, true)?;
            batches.0.extend(batch);
            self.submitted += u64::from(count);
        }
        Ok(())
    }

    pub(super) fn collect_batches(&mut self) -> Result<(), GpuError> {
        let Transfer::Lossless(batches) = &mut self.transfer else { return Ok(()) };
        while let Some(batch) = batches.0.pop_front_if(|batch| batch.ready()) {
            let (first, end) = (self.pending.next_stone, batch.end());
            let candidates = self.hit_test.candidates(&self.gpu, batch)?;
            let verified =
                verify(&self.pending.simulation, self.pending.filter, first, &candidates);
            self.pending.add_tested(end, verified);
        }
        Ok(())
    }
}
