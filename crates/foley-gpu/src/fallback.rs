//! A shower that always goes on: on the GPU while there is one, then on the CPU.

use crate::gpu_hail::pending_impacts::validate_time;
use crate::{AdapterPreference, Gpu, GpuError, GpuHail, GpuOptions};
use foley_hail::{HailSimulation, Impact, ImpactSource, ImpactStream};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// So far ahead a GPU decides while nobody waits for it. It is asked anew when half of that is gone: few
/// large commands cost the CPU less than many small ones.
const AHEAD_S: f64 = 0.2;

/// The impacts of consecutive frames, wherever they are found.
///
/// Since stones are pure functions of their number, the CPU takes over at the first stone that the GPU
/// had not decided: no impact is missing, none comes twice.
#[derive(Debug)]
pub struct GpuOrCpu {
    runs: Runs,
    /// Impacts before this were asked for.
    requested_s: f64,
    fallback_reason: Option<GpuError>,
}

#[derive(Debug)]
enum Runs {
    Gpu(Box<GpuHail>),
    Cpu(ImpactStream),
}

impl GpuOrCpu {
    /// On the fastest GPU, or on the CPU if there is none that can do it.
    pub fn new(simulation: Arc<HailSimulation>, options: GpuOptions) -> Result<Self, GpuError> {
        match Gpu::open(AdapterPreference::Fastest) {
            Ok(gpu) => Self::on(Arc::new(gpu), simulation, options),
            Err(why) => Self::on_cpu(simulation, options, Some(why)),
        }
    }

    /// On a certain GPU, or on the CPU if that cannot do it.
    pub fn on(
        gpu: Arc<Gpu>,
        simulation: Arc<HailSimulation>,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        match GpuHail::new(gpu, Arc::clone(&simulation), options) {
            Ok(hail) => {
                let (runs, requested_s) = (Runs::Gpu(Box::new(hail)), options.from_s);
                Ok(Self { runs, requested_s, fallback_reason: None })
            }
            Err(why) if why.cpu_can_continue() => Self::on_cpu(simulation, options, Some(why)),
            Err(why) => Err(why),
        }
    }

    /// On the CPU from the start.
    pub fn on_cpu(
        simulation: Arc<HailSimulation>,
        options: GpuOptions,
        fallback_reason: Option<GpuError>,
    ) -> Result<Self, GpuError> {
        let stream = ImpactStream::new(simulation, options.from_s)?.with_filter(options.filter);
        Ok(Self { runs: Runs::Cpu(stream), requested_s: options.from_s, fallback_reason })
    }

    /// Appends all impacts from now until a time, in order, and waits for them; that time is now, then.
    ///
    /// After an error nothing was appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        validate_time(self.now_s(), until_s)?;
        self.try_gpu((), |hail| hail.advance(until_s, due))?;
        if let Runs::Cpu(stream) = &mut self.runs {
            stream.advance(until_s, due)?;
        }
        Ok(())
    }

    /// Asks for all impacts until a time. A GPU is not waited for; the CPU needs none.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        validate_time(self.now_s(), until_s)?;
        self.requested_s = self.requested_s.max(until_s);
        self.try_gpu((), |hail| hail.request(until_s))
    }

    /// Appends the impacts that were asked for and are known, until a time at most, in order. Never
    /// waits for a GPU; the CPU decides what was asked for here. Returns the time up to which they were
    /// given, which is now, then.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        validate_time(self.now_s(), until_s)?;
        let given_s = self.try_gpu(until_s, |hail| hail.poll(until_s, due))?;
        let Runs::Cpu(stream) = &mut self.runs else { return Ok(given_s) };
        let until_s = until_s.min(self.requested_s).max(stream.now_s());
        stream.advance(until_s, due)?;
        Ok(until_s)
    }

    /// The time up to which impacts have been given.
    pub fn now_s(&self) -> f64 {
        match &self.runs {
            Runs::Gpu(hail) => hail.now_s(),
            Runs::Cpu(stream) => stream.now_s(),
        }
    }

    /// The GPU it runs on; none if it is the CPU.
    pub fn gpu(&self) -> Option<&Arc<Gpu>> {
        match &self.runs {
            Runs::Gpu(hail) => Some(hail.gpu()),
            Runs::Cpu(_) => None,
        }
    }

    /// The shower on the GPU, for its map and its picture.
    pub fn gpu_hail(&mut self) -> Option<&mut GpuHail> {
        match &mut self.runs {
            Runs::Gpu(hail) => Some(hail),
            Runs::Cpu(_) => None,
        }
    }

    /// From now on a GPU that does not answer in such a time is lost.
    pub fn set_timeout(&mut self, timeout: Duration) {
        if let Runs::Gpu(hail) = &mut self.runs {
            hail.set_timeout(timeout);
        }
    }

    /// Why it does not run on a GPU, if it does not and was not asked to.
    pub fn fallback_reason(&self) -> Option<&GpuError> {
        self.fallback_reason.as_ref()
    }

    /// Asks the GPU, if there is one. If it fails the CPU has its place, and the answer is `otherwise`.
    fn try_gpu<T>(
        &mut self,
        otherwise: T,
        ask: impl FnOnce(&mut GpuHail) -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let Runs::Gpu(hail) = &mut self.runs else { return Ok(otherwise) };
        match ask(hail) {
            Err(why) if why.cpu_can_continue() => {
                let stream = hail.take_cpu_stream()?;
                let gone = std::mem::replace(&mut self.runs, Runs::Cpu(stream));
                // A driver may take its time to clean up: nobody waits for it. Without a thread it is
                // dropped here.
                let _ = std::thread::Builder::new().name("lost GPU".into()).spawn(|| drop(gone));
                self.fallback_reason = Some(why);
                Ok(otherwise)
            }
            other => other,
        }
    }
}

impl ImpactSource for GpuOrCpu {
    /// Asks for a little more than is wanted, so that the next frame is there when its time comes.
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.requested_s < until_s + 0.5 * AHEAD_S {
            self.request(until_s + AHEAD_S)?;
        }
        Ok(GpuOrCpu::advance(self, until_s, due)?)
    }

    fn now_s(&self) -> f64 {
        GpuOrCpu::now_s(self)
    }

    fn name(&self) -> String {
        match (self.gpu(), &self.fallback_reason) {
            (Some(gpu), _) => gpu.name().to_owned(),
            (None, Some(why)) => format!("CPU ({why})"),
            (None, None) => "CPU".into(),
        }
    }
}
