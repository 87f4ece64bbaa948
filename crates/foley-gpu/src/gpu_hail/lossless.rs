//! Every impact, through the append buffer.

use super::{GpuShower, Way};
use crate::fates::{Pending, judge};
use crate::{Gpu, GpuError};
use std::collections::VecDeque;
use std::time::Duration;

/// So many batches are under way at once at most.
const MOST_PENDING: usize = 4;

/// Batches of stones whose proposals are on their way, in order.
#[derive(Debug, Default)]
pub(super) struct Batches(VecDeque<Pending>);

impl Batches {
    /// Waits for the first.
    pub(super) fn wait(&self, gpu: &Gpu, patience: Duration) -> Result<(), GpuError> {
        match self.0.front() {
            None => Ok(()),
            Some(front) => gpu.wait(patience, || front.ready()),
        }
    }
}

impl GpuShower {
    pub(super) fn feed_batches(&mut self) -> Result<(), GpuError> {
        let Way::Lossless(batches) = &mut self.way else { return Ok(()) };
        let wanted = self.book.stones_before(self.wanted_s);
        while self.submitted < wanted && batches.0.len() < MOST_PENDING {
            let count = (wanted - self.submitted).min(u64::from(self.fates.batch_most)) as u32;
            let shower = &self.book.shower;
            let asked = self.fates.submit(&self.gpu, shower, self.submitted, count, true)?;
            batches.0.extend(asked);
            self.submitted += u64::from(count);
        }
        Ok(())
    }

    pub(super) fn absorb_batches(&mut self) -> Result<(), GpuError> {
        let Way::Lossless(batches) = &mut self.way else { return Ok(()) };
        while let Some(batch) = batches.0.pop_front_if(|batch| batch.ready()) {
            let (first, end) = (self.book.next_stone, batch.end());
            let proposals = self.fates.proposals(&self.gpu, batch)?;
            let judged = judge(&self.book.shower, self.book.wanted, first, &proposals);
            self.book.decided(end, judged);
        }
        Ok(())
    }
}
