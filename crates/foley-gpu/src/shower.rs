//! A shower whose stones are decided on the GPU.

use crate::fates::{Fates, Pending, judge};
use crate::waiting::{Book, check_time};
use crate::{Gpu, GpuError, Options};
use foley_hail::{Impact, Shower};
use std::collections::VecDeque;
use std::sync::Arc;

/// So many batches are under way at once at most.
const MOST_PENDING: usize = 4;

/// The impacts of consecutive frames, found by the GPU and judged by the CPU: exactly those of
/// [`foley_hail::Stream`].
#[derive(Debug)]
pub struct GpuShower {
    gpu: Arc<Gpu>,
    book: Book,
    fates: Fates,
    options: Options,
    pending: VecDeque<Pending>,
    /// The first stone that was not handed to the GPU.
    submitted: u64,
    /// Stones before this are wanted.
    wanted: u64,
}

impl GpuShower {
    /// Takes a shower to the GPU.
    pub fn new(gpu: Arc<Gpu>, shower: Arc<Shower>, options: Options) -> Result<Self, GpuError> {
        options.check()?;
        let fates = Fates::new(&gpu, &shower, &[], &options)?;
        let book = Book::new(shower, options.from_s)?;
        let submitted = book.next_stone;
        let pending = VecDeque::new();
        Ok(Self { gpu, book, fates, options, pending, submitted, wanted: submitted })
    }

    /// Appends all impacts from now until a time, in order, and waits for them; that time is now, then.
    ///
    /// After an error nothing was appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        check_time(self.book.now_s, until_s)?;
        self.wanted = self.wanted.max(self.book.stones_before(until_s));
        let end = self.book.stones_before(until_s);
        while self.book.next_stone < end {
            self.feed()?;
            let patience = self.options.patience;
            if let Some(front) = self.pending.front() {
                self.gpu.wait(patience, || front.ready())?;
            }
            self.absorb()?;
        }
        self.book.take(until_s, due);
        Ok(())
    }

    /// Asks for all impacts until a time, and does not wait.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        check_time(self.book.now_s, until_s)?;
        self.wanted = self.wanted.max(self.book.stones_before(until_s));
        self.feed()
    }

    /// Appends the impacts that were asked for and are known, until a time at most, in order; never
    /// waits. Returns the time up to which they were given, which is now, then.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        check_time(self.book.now_s, until_s)?;
        self.gpu.look()?;
        self.absorb()?;
        self.feed()?;
        let until_s = until_s.min(self.book.known_until_s()).max(self.book.now_s);
        self.book.take(until_s, due);
        Ok(until_s)
    }

    /// The time up to which impacts have been given.
    pub fn now_s(&self) -> f64 {
        self.book.now_s
    }

    /// How many impacts are known but not yet due.
    pub fn waiting(&self) -> usize {
        self.book.waiting()
    }

    /// The GPU it runs on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The shower.
    pub fn shower(&self) -> &Arc<Shower> {
        &self.book.shower
    }

    /// What is known, for the CPU to go on with; nothing is known here any more, then.
    pub(crate) fn take_book(&mut self) -> Book {
        self.book.take_all()
    }

    /// Hands stones to the GPU as long as it is not too far ahead.
    fn feed(&mut self) -> Result<(), GpuError> {
        while self.submitted < self.wanted && self.pending.len() < MOST_PENDING {
            let left = self.wanted - self.submitted;
            let count = left.min(u64::from(self.fates.batch_most)) as u32;
            let shower = &self.book.shower;
            let asked = self.fates.submit(&self.gpu, shower, self.submitted, count, true)?;
            self.pending.extend(asked);
            self.submitted += u64::from(count);
        }
        Ok(())
    }

    /// Takes in all batches that are back.
    fn absorb(&mut self) -> Result<(), GpuError> {
        while let Some(batch) = self.pending.pop_front_if(|batch| batch.ready()) {
            let (first, end) = (self.book.next_stone, batch.end());
            let proposals = self.fates.proposals(&self.gpu, batch)?;
            let impacts = judge(&self.book.shower, first, &proposals);
            self.book.decided(end, impacts);
        }
        Ok(())
    }
}
