//! A shower whose stones are decided on the GPU.

mod frames;
mod lossless;

use crate::fall::{Fall, Moment};
use crate::fates::Fates;
use crate::map::{Map, MapFrame};
use crate::waiting::{Book, check_time};
use crate::{Gpu, GpuError, Mode, Options};
use foley_hail::map::Atlas;
use foley_hail::{HailError, Impact, MOST_AT_ONCE, Shower, Stream};
use frames::Frames;
use lossless::Batches;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The impacts of consecutive frames, found by the GPU and judged by the CPU.
///
/// In lossless mode they are exactly those of [`foley_hail::Stream`]. Through a map only the earliest of
/// each texel and frame comes, its time as exact; which frame an impact close to a border belongs to is
/// decided in single precision, so that it may come a microsecond late.
#[derive(Debug)]
pub struct GpuShower {
    gpu: Arc<Gpu>,
    book: Book,
    options: Options,
    fates: Fates,
    fall: Option<Fall>,
    way: Way,
    /// The first stone ever handed to the GPU, and the first that was not.
    first: u64,
    submitted: u64,
    /// Impacts before this are wanted.
    wanted_s: f64,
}

/// One step may have so many frames of the map.
const MOST_FRAMES: f64 = 10_000.0;

/// How impacts come back.
#[derive(Debug)]
enum Way {
    Lossless(Batches),
    Map(Box<Frames>),
}

impl GpuShower {
    /// Takes a shower to the GPU.
    pub fn new(gpu: Arc<Gpu>, shower: Arc<Shower>, options: Options) -> Result<Self, GpuError> {
        options.check()?;
        let atlas = match options.mode {
            Mode::Lossless => None,
            Mode::Map { size } => Some(Atlas::new(shower.targets(), size)?),
        };
        let patches = atlas.as_ref().map_or(&[][..], |atlas| atlas.patches());
        let fates = Fates::new(&gpu, &shower, patches, &options)?;
        let fall = match fates.ring {
            0 => None,
            _ => Some(Fall::new(&gpu, &fates)?),
        };
        let way = match (atlas, &fall) {
            (Some(atlas), Some(fall)) => {
                let map = Map::new(&gpu, atlas, &fates, fall)?;
                Way::Map(Box::new(Frames::new(map, options.from_s)))
            }
            _ => Way::Lossless(Batches::default()),
        };
        let book = Book::new(shower, options.from_s, options.wanted)?;
        let (first, wanted_s) = (book.next_stone, options.from_s);
        Ok(Self { gpu, book, options, fates, fall, way, first, submitted: first, wanted_s })
    }

    /// Appends all impacts from now until a time, in order, and waits for them; that time is now, then.
    ///
    /// After an error nothing was appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        self.want(until_s)?;
        while self.known_until_s() < until_s {
            self.feed()?;
            match &self.way {
                Way::Lossless(batches) => batches.wait(&self.gpu, self.options.patience)?,
                Way::Map(frames) => frames.wait(&self.gpu, self.options.patience)?,
            }
            self.absorb()?;
        }
        self.book.take(until_s, due);
        Ok(())
    }

    /// Asks for all impacts until a time, and does not wait.
    ///
    /// Who plays live asks a few frames ahead: then impacts are there when [`GpuShower::poll`] wants them.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        self.want(until_s)?;
        self.feed()
    }

    /// Appends the impacts that were asked for and are known, until a time at most, in order; never
    /// waits. Returns the time up to which they were given, which is now, then.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        check_time(self.book.now_s, until_s)?;
        self.gpu.look()?;
        self.absorb()?;
        self.feed()?;
        let until_s = until_s.min(self.known_until_s()).max(self.book.now_s);
        self.book.take(until_s, due);
        Ok(until_s)
    }

    /// Finds where all stones are now, as before a picture, and waits for it: for measuring.
    pub fn move_stones(&self) -> Result<(), GpuError> {
        let (gpu, fates, fall) = self.for_pictures()?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        fall.encode(
            gpu,
            fates,
            self.shower(),
            &self.moment(self.now_s(), self.now_s()),
            &mut encoder,
        );
        let done = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&done);
        gpu.queue.submit([encoder.finish()]);
        gpu.queue.on_submitted_work_done(move || told.store(true, Ordering::Release));
        gpu.wait(self.options.patience, || done.load(Ordering::Acquire))
    }

    /// The frames of the impact map that came back since this was asked last, the oldest first; the
    /// last thousand at most.
    pub fn map_frames(&mut self) -> Vec<MapFrame> {
        match &mut self.way {
            Way::Lossless(_) => Vec::new(),
            Way::Map(frames) => frames.back(),
        }
    }

    /// Which texels of the map belong to which collider; none without a map.
    pub fn atlas(&self) -> Option<&Atlas> {
        match &self.way {
            Way::Lossless(_) => None,
            Way::Map(frames) => Some(frames.atlas()),
        }
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

    /// The CPU goes on with what is known; nothing is known here any more, then.
    pub(crate) fn hand_over(&mut self) -> Result<Stream, GpuError> {
        match &self.way {
            Way::Lossless(_) => Ok(self.book.hand_over()),
            // A map does not know what was lost: from now on the CPU decides all anew.
            Way::Map(_) => {
                let stream = Stream::new(Arc::clone(&self.book.shower), self.book.now_s)?;
                Ok(stream.of(self.book.wanted))
            }
        }
    }

    /// All impacts before this time are known.
    fn known_until_s(&self) -> f64 {
        match &self.way {
            Way::Lossless(_) => self.book.known_until_s(),
            Way::Map(frames) => frames.known_s,
        }
    }

    fn want(&mut self, until_s: f64) -> Result<(), GpuError> {
        check_time(self.book.now_s, until_s)?;
        let found = self.book.stones_before(until_s).saturating_sub(self.submitted);
        if found > MOST_AT_ONCE {
            let what = "stones in one interval of time";
            let remedy = "go on in shorter steps";
            return Err(HailError::TooMany { what, found, most: MOST_AT_ONCE, remedy }.into());
        }
        let from_s = self.book.now_s;
        let is_map = matches!(self.way, Way::Map(_));
        if is_map && (until_s - from_s) / self.options.frame_s > MOST_FRAMES {
            let remedy = "go on in steps of less than 10,000 frames of the map";
            return Err(HailError::Interval { from_s, until_s, remedy }.into());
        }
        self.wanted_s = self.wanted_s.max(until_s);
        Ok(())
    }

    /// Hands stones to the GPU as long as it is not too far ahead.
    fn feed(&mut self) -> Result<(), GpuError> {
        match &self.way {
            Way::Lossless(_) => self.feed_batches(),
            Way::Map(_) => self.feed_frames(),
        }
    }

    /// Takes in all that is back.
    fn absorb(&mut self) -> Result<(), GpuError> {
        match &self.way {
            Way::Lossless(_) => self.absorb_batches(),
            Way::Map(_) => self.absorb_frames(),
        }
    }

    /// What a picture needs: the GPU and where stones are kept.
    pub(crate) fn for_pictures(&self) -> Result<(&Gpu, &Fates, &Fall), GpuError> {
        let missing = GpuError::NotKept { what: "a picture", needs: "slots: Slots::Enough" };
        self.fall.as_ref().map(|fall| (&*self.gpu, &self.fates, fall)).ok_or(missing)
    }

    /// From now on the GPU is lost if it does not answer in such a time.
    pub fn set_patience(&mut self, patience: Duration) {
        self.options.patience = patience;
    }

    pub(crate) fn patience(&self) -> Duration {
        self.options.patience
    }

    /// The stones of the ring, and a frame.
    pub(crate) fn moment(&self, from_s: f64, until_s: f64) -> Moment {
        Moment { first: self.first, end: self.submitted, from_s, until_s }
    }
}
