//! A shower whose stones are decided on the GPU.

mod map_frames;
mod lossless;
pub(crate) mod pending_impacts;

use crate::advect::{Advection, FrameSpan};
use crate::hit_test::HitTest;
use crate::map::{Map, MapFrame};
use crate::{Gpu, GpuError, GpuOptions, TransferMode};
use foley_hail::map::Atlas;
use foley_hail::{HailError, HailSimulation, Impact, ImpactStream, MAX_STONES_PER_CALL};
use lossless::Batches;
use map_frames::Frames;
use pending_impacts::{PendingImpacts, validate_time};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The impacts of consecutive frames, found by the GPU and judged by the CPU.
///
/// In lossless mode they are exactly those of [`foley_hail::ImpactStream`]. Through a map only the earliest of
/// each texel and frame comes, its time as exact; which frame an impact close to a border belongs to is
/// decided in single precision, so that it may come a microsecond late.
#[derive(Debug)]
pub struct GpuHail {
    gpu: Arc<Gpu>,
    pending: PendingImpacts,
    options: GpuOptions,
    hit_test: HitTest,
    advection: Option<Advection>,
    way: Way,
    /// The first stone ever handed to the GPU, and the first that was not.
    first: u64,
    submitted: u64,
    /// Impacts before this are wanted.
    requested_s: f64,
}

/// One step may have so many frames of the map.
const MOST_FRAMES: f64 = 10_000.0;

/// How impacts come back.
#[derive(Debug)]
enum Way {
    Lossless(Batches),
    Map(Box<Frames>),
}

impl GpuHail {
    /// Takes a shower to the GPU.
    pub fn new(
        gpu: Arc<Gpu>,
        simulation: Arc<HailSimulation>,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        options.validate()?;
        let atlas = match options.mode {
            TransferMode::Lossless => None,
            TransferMode::Map { size } => Some(Atlas::new(simulation.colliders(), size)?),
        };
        let patches = atlas.as_ref().map_or(&[][..], |atlas| atlas.patches());
        let hit_test = HitTest::new(&gpu, &simulation, patches, &options)?;
        let advection = match hit_test.ring {
            0 => None,
            _ => Some(Advection::new(&gpu, &hit_test)?),
        };
        let way = match (atlas, &advection) {
            (Some(atlas), Some(advection)) => {
                let map = Map::new(&gpu, atlas, &hit_test, advection)?;
                Way::Map(Box::new(Frames::new(map, options.from_s)))
            }
            _ => Way::Lossless(Batches::default()),
        };
        let pending = PendingImpacts::new(simulation, options.from_s, options.filter)?;
        let (first, requested_s) = (pending.next_stone, options.from_s);
        Ok(Self {
            gpu,
            pending,
            options,
            hit_test,
            advection,
            way,
            first,
            submitted: first,
            requested_s,
        })
    }

    /// Appends all impacts from now until a time, in order, and waits for them; that time is now, then.
    ///
    /// After an error nothing was appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        self.want(until_s)?;
        while self.known_until_s() < until_s {
            self.feed()?;
            match &self.way {
                Way::Lossless(batches) => batches.wait(&self.gpu, self.options.timeout)?,
                Way::Map(frames) => frames.wait(&self.gpu, self.options.timeout)?,
            }
            self.absorb()?;
        }
        self.pending.take(until_s, due);
        Ok(())
    }

    /// Asks for all impacts until a time, and does not wait.
    ///
    /// Who plays live asks a few frames ahead: then impacts are there when [`GpuHail::poll`] wants them.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        self.want(until_s)?;
        self.feed()
    }

    /// Appends the impacts that were asked for and are known, until a time at most, in order; never
    /// waits. Returns the time up to which they were given, which is now, then.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        validate_time(self.pending.now_s, until_s)?;
        self.gpu.look()?;
        self.absorb()?;
        self.feed()?;
        let until_s = until_s.min(self.known_until_s()).max(self.pending.now_s);
        self.pending.take(until_s, due);
        Ok(until_s)
    }

    /// Finds where all stones are now, as before a picture, and waits for it: for measuring.
    pub fn move_stones(&self) -> Result<(), GpuError> {
        let (gpu, hit_test, advection) = self.for_pictures()?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        advection.encode(
            gpu,
            hit_test,
            self.simulation(),
            &self.frame_span(self.now_s(), self.now_s()),
            &mut encoder,
        );
        let done = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&done);
        gpu.queue.submit([encoder.finish()]);
        gpu.queue.on_submitted_work_done(move || told.store(true, Ordering::Release));
        gpu.wait(self.options.timeout, || done.load(Ordering::Acquire))
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
        self.pending.now_s
    }

    /// How many impacts are known but not yet due.
    pub fn pending(&self) -> usize {
        self.pending.pending()
    }

    /// The GPU it runs on.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The shower.
    pub fn simulation(&self) -> &Arc<HailSimulation> {
        &self.pending.simulation
    }

    /// The CPU goes on with what is known; nothing is known here any more, then.
    pub(crate) fn take_cpu_stream(&mut self) -> Result<ImpactStream, GpuError> {
        match &self.way {
            Way::Lossless(_) => Ok(self.pending.take_cpu_stream()),
            // A map does not know what was lost: from now on the CPU decides all anew.
            Way::Map(_) => {
                let stream =
                    ImpactStream::new(Arc::clone(&self.pending.simulation), self.pending.now_s)?;
                Ok(stream.with_filter(self.pending.filter))
            }
        }
    }

    /// All impacts before this time are known.
    fn known_until_s(&self) -> f64 {
        match &self.way {
            Way::Lossless(_) => self.pending.known_until_s(),
            Way::Map(frames) => frames.known_s,
        }
    }

    fn want(&mut self, until_s: f64) -> Result<(), GpuError> {
        validate_time(self.pending.now_s, until_s)?;
        let found = self.pending.stones_before(until_s).saturating_sub(self.submitted);
        if found > MAX_STONES_PER_CALL {
            let what = "stones in one interval of time";
            let remedy = "go on in shorter steps";
            return Err(
                HailError::TooMany { what, found, limit: MAX_STONES_PER_CALL, remedy }.into()
            );
        }
        let from_s = self.pending.now_s;
        let is_map = matches!(self.way, Way::Map(_));
        if is_map && (until_s - from_s) / self.options.frame_s > MOST_FRAMES {
            let remedy = "go on in steps of less than 10,000 frames of the map";
            return Err(HailError::Interval { from_s, until_s, remedy }.into());
        }
        self.requested_s = self.requested_s.max(until_s);
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
    pub(crate) fn for_pictures(&self) -> Result<(&Gpu, &HitTest, &Advection), GpuError> {
        let missing = GpuError::NotKept { what: "a picture", needs: "slots: Slots::Enough" };
        self.advection
            .as_ref()
            .map(|advection| (&*self.gpu, &self.hit_test, advection))
            .ok_or(missing)
    }

    /// From now on the GPU is lost if it does not answer in such a time.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.options.timeout = timeout;
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.options.timeout
    }

    /// The stones of the ring, and a frame.
    pub(crate) fn frame_span(&self, from_s: f64, until_s: f64) -> FrameSpan {
        FrameSpan { first: self.first, end: self.submitted, from_s, until_s }
    }
}
