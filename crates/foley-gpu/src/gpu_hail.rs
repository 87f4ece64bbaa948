//! A hail simulation with the hit test on the GPU.

pub(crate) mod pending_impacts;
mod lossless;
mod map_frames;

use crate::advect::{Advection, FrameSpan};
use crate::hit_test::HitTest;
use crate::map::{Map, MapFrame};
use crate::{Gpu, GpuError, GpuOptions, TransferMode};
use foley_hail::map::Atlas;
use foley_hail::{HailError, HailSimulation, Impact, ImpactStream, MAX_STONES_PER_CALL};
use lossless::Batches;
use map_frames::MapFrames;
use pending_impacts::{PendingImpacts, validate_time};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The impacts of consecutive frames: the GPU finds candidates, the CPU verifies them.
///
/// With lossless transfer the impacts are exactly those of [`foley_hail::ImpactStream`]. With an impact map,
/// only the earliest impact of each texel and frame is returned, with the same exact time; impacts are
/// assigned to frames in single precision, so that one close to a border may be a microsecond late.
#[derive(Debug)]
pub struct GpuHail {
    gpu: Arc<Gpu>,
    pending: PendingImpacts,
    options: GpuOptions,
    hit_test: HitTest,
    advection: Option<Advection>,
    transfer: Transfer,
    /// The first stone submitted to the GPU, and the first that is not yet submitted.
    first: u64,
    submitted: u64,
    /// Impacts before this time are requested.
    requested_s: f64,
}

/// The largest number of map frames per step.
const MAX_FRAMES: f64 = 10_000.0;

/// The state of the transfer.
#[derive(Debug)]
enum Transfer {
    Lossless(Batches),
    Map(Box<MapFrames>),
}

impl GpuHail {
    /// Uploads a simulation to the GPU.
    pub fn new(
        gpu: Arc<Gpu>,
        simulation: Arc<HailSimulation>,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        options.validate()?;
        let atlas = match options.transfer {
            TransferMode::Lossless => None,
            TransferMode::Map { size } => Some(Atlas::new(simulation.targets(), size)?),
        };
        let patches = atlas.as_ref().map_or(&[][..], |atlas| atlas.patches());
        let hit_test = HitTest::new(&gpu, &simulation, patches, &options)?;
        let advection = match hit_test.ring {
            0 => None,
            _ => Some(Advection::new(&gpu, &hit_test)?),
        };
        let transfer = match (atlas, &advection) {
            (Some(atlas), Some(advection)) => {
                let map = Map::new(&gpu, atlas, &hit_test, advection)?;
                Transfer::Map(Box::new(MapFrames::new(map, options.from_s)))
            }
            _ => Transfer::Lossless(Batches::default()),
        };
        let pending = PendingImpacts::new(simulation, options.from_s, options.filter)?;
        let (first, requested_s) = (pending.next_stone, options.from_s);
        Ok(Self {
            gpu,
            pending,
            options,
            hit_test,
            advection,
            transfer,
            first,
            submitted: first,
            requested_s,
        })
    }

    /// Appends the impacts from the current time until `until_s`, in order, and makes that the current time.
    /// Blocks until the GPU has computed them.
    ///
    /// On error nothing is appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        self.extend_request(until_s)?;
        while self.known_until_s() < until_s {
            self.submit()?;
            match &self.transfer {
                Transfer::Lossless(batches) => batches.wait(&self.gpu, self.options.timeout)?,
                Transfer::Map(frames) => frames.wait(&self.gpu, self.options.timeout)?,
            }
            self.collect()?;
        }
        self.pending.drain_until(until_s, due);
        Ok(())
    }

    /// Requests the impacts until `until_s` without blocking.
    ///
    /// Live playback requests a few frames ahead, so that [`GpuHail::poll`] returns impacts in time.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        self.extend_request(until_s)?;
        self.submit()
    }

    /// Appends the requested impacts that are known, until `until_s` at most, in order, without blocking.
    /// Returns the new current time.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        validate_time(self.pending.now_s, until_s)?;
        self.gpu.poll_callbacks()?;
        self.collect()?;
        self.submit()?;
        let until_s = until_s.min(self.known_until_s()).max(self.pending.now_s);
        self.pending.drain_until(until_s, due);
        Ok(until_s)
    }

    /// Computes the positions of all stones, as for a picture, and blocks until it is done: for benchmarks.
    pub fn advect_stones(&self) -> Result<(), GpuError> {
        let (gpu, hit_test, advection) = self.for_pictures()?;
        let span = self.frame_span(self.now_s(), self.now_s());
        gpu.submit(|encoder| advection.encode(gpu, hit_test, self.simulation(), &span, encoder))??;
        let done = Arc::new(AtomicBool::new(false));
        let on_done = Arc::clone(&done);
        gpu.queue.on_submitted_work_done(move || on_done.store(true, Ordering::Release));
        gpu.wait(self.options.timeout, || done.load(Ordering::Acquire))
    }

    /// Returns the frames of the impact map since the last call, oldest first; at most the last thousand.
    pub fn map_frames(&mut self) -> Vec<MapFrame> {
        match &mut self.transfer {
            Transfer::Lossless(_) => Vec::new(),
            Transfer::Map(frames) => frames.take_finished(),
        }
    }

    /// Returns the atlas of the impact map; none without a map.
    pub fn atlas(&self) -> Option<&Atlas> {
        match &self.transfer {
            Transfer::Lossless(_) => None,
            Transfer::Map(frames) => Some(frames.atlas()),
        }
    }

    /// Returns the current time: impacts before it were returned.
    pub fn now_s(&self) -> f64 {
        self.pending.now_s
    }

    /// Returns the number of impacts that are known but not yet due.
    pub fn pending(&self) -> usize {
        self.pending.pending()
    }

    /// Returns the GPU.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Returns the simulation.
    pub fn simulation(&self) -> &Arc<HailSimulation> {
        &self.pending.simulation
    }

    /// Moves the state into a stream on the CPU.
    pub(crate) fn take_cpu_stream(&mut self) -> Result<ImpactStream, GpuError> {
        match &self.transfer {
            Transfer::Lossless(_) => Ok(self.pending.take_cpu_stream()),
            // Lost impacts of the map are unknown: the CPU tests all stones in flight again.
            Transfer::Map(_) => {
                let stream =
                    ImpactStream::new(Arc::clone(&self.pending.simulation), self.pending.now_s)?;
                Ok(stream.with_filter(self.pending.filter))
            }
        }
    }

    /// Returns the time before which all impacts are known.
    fn known_until_s(&self) -> f64 {
        match &self.transfer {
            Transfer::Lossless(_) => self.pending.known_until_s(),
            Transfer::Map(frames) => frames.known_s,
        }
    }

    fn extend_request(&mut self, until_s: f64) -> Result<(), GpuError> {
        validate_time(self.pending.now_s, until_s)?;
        let found = self.pending.stones_before(until_s).saturating_sub(self.submitted);
        if found > MAX_STONES_PER_CALL {
            let what = "stones in one interval of time";
            let remedy = "advance in shorter steps";
            return Err(
                HailError::TooMany { what, found, limit: MAX_STONES_PER_CALL, remedy }.into()
            );
        }
        let from_s = self.pending.now_s;
        let is_map = matches!(self.transfer, Transfer::Map(_));
        if is_map && (until_s - from_s) / self.options.frame_s > MAX_FRAMES {
            let remedy = "advance in steps of less than 10,000 frames of the map";
            return Err(HailError::Interval { from_s, until_s, remedy }.into());
        }
        self.requested_s = self.requested_s.max(until_s);
        Ok(())
    }

    /// Submits requested work while the queue has room.
    fn submit(&mut self) -> Result<(), GpuError> {
        match &self.transfer {
            Transfer::Lossless(_) => self.submit_batches(),
            Transfer::Map(_) => self.submit_frames(),
        }
    }

    /// Collects finished work.
    fn collect(&mut self) -> Result<(), GpuError> {
        match &self.transfer {
            Transfer::Lossless(_) => self.collect_batches(),
            Transfer::Map(_) => self.collect_frames(),
        }
    }

    /// Returns the GPU and the kernels that pictures need.
    pub(crate) fn for_pictures(&self) -> Result<(&Gpu, &HitTest, &Advection), GpuError> {
        let missing = GpuError::MissingOption { what: "a picture", needs: "slots: Slots::Auto" };
        self.advection
            .as_ref()
            .map(|advection| (&*self.gpu, &self.hit_test, advection))
            .ok_or(missing)
    }

    /// Sets the time after which a GPU that does not answer is considered lost.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.options.timeout = timeout;
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.options.timeout
    }

    /// Returns the stones of the ring buffer and the bounds of a frame.
    pub(crate) fn frame_span(&self, from_s: f64, until_s: f64) -> FrameSpan {
        FrameSpan { first: self.first, end: self.submitted, from_s, until_s }
    }
}
