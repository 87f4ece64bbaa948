//! Fallback from the GPU to the CPU without missing or repeated impacts.

use crate::gpu_hail::pending_impacts::validate_time;
use crate::{AdapterPreference, Gpu, GpuError, GpuHail, GpuOptions};
use foley_hail::{HailSimulation, Impact, ImpactSource, ImpactStream};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// How far ahead the GPU computes. The next request follows when half of it is used up: few large dispatches
/// cost the CPU less than many small ones.
const LOOKAHEAD_S: f64 = 0.2;

/// The impacts of consecutive frames, from the GPU or from the CPU.
///
/// Since stones are pure functions of their index, the CPU takes over at the first stone that the GPU has not
/// tested: no impact is missing or repeated.
#[derive(Debug)]
pub struct GpuOrCpu {
    backend: Backend,
    /// Impacts before this time are requested.
    requested_s: f64,
    fallback_reason: Option<GpuError>,
}

#[derive(Debug)]
enum Backend {
    Gpu(Box<GpuHail>),
    Cpu(ImpactStream),
}

impl GpuOrCpu {
    /// Starts on the fastest GPU, or on the CPU if no GPU can be used.
    pub fn new(simulation: Arc<HailSimulation>, options: GpuOptions) -> Result<Self, GpuError> {
        match Gpu::open(AdapterPreference::Fastest) {
            Ok(gpu) => Self::on_gpu(Arc::new(gpu), simulation, options),
            Err(why) => Self::on_cpu(simulation, options, Some(why)),
        }
    }

    /// Starts on a given GPU, or on the CPU if that cannot be used.
    pub fn on_gpu(
        gpu: Arc<Gpu>,
        simulation: Arc<HailSimulation>,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        match GpuHail::new(gpu, Arc::clone(&simulation), options) {
            Ok(hail) => {
                let (backend, requested_s) = (Backend::Gpu(Box::new(hail)), options.from_s);
                Ok(Self { backend, requested_s, fallback_reason: None })
            }
            Err(why) if why.cpu_can_continue() => Self::on_cpu(simulation, options, Some(why)),
            Err(why) => Err(why),
        }
    }

    /// Starts on the CPU.
    pub fn on_cpu(
        simulation: Arc<HailSimulation>,
        options: GpuOptions,
        fallback_reason: Option<GpuError>,
    ) -> Result<Self, GpuError> {
        let stream = ImpactStream::new(simulation, options.from_s)?.with_filter(options.filter);
        Ok(Self { backend: Backend::Cpu(stream), requested_s: options.from_s, fallback_reason })
    }

    /// Appends the impacts from the current time until `until_s`, in order, and makes that the current time.
    /// Blocks until they are computed.
    ///
    /// On error nothing is appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        validate_time(self.now_s(), until_s)?;
        self.with_gpu((), |hail| hail.advance(until_s, due))?;
        if let Backend::Cpu(stream) = &mut self.backend {
            stream.advance(until_s, due)?;
        }
        Ok(())
    }

    /// Requests the impacts until `until_s` without blocking.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        validate_time(self.now_s(), until_s)?;
        self.requested_s = self.requested_s.max(until_s);
        self.with_gpu((), |hail| hail.request(until_s))
    }

    /// Appends the requested impacts that are known, until `until_s` at most, in order, without blocking on a
    /// GPU; the CPU computes them here. Returns the new current time.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        validate_time(self.now_s(), until_s)?;
        let reached_s = self.with_gpu(until_s, |hail| hail.poll(until_s, due))?;
        let Backend::Cpu(stream) = &mut self.backend else { return Ok(reached_s) };
        let until_s = until_s.min(self.requested_s).max(stream.now_s());
        stream.advance(until_s, due)?;
        Ok(until_s)
    }

    /// Returns the current time: impacts before it were returned.
    pub fn now_s(&self) -> f64 {
        match &self.backend {
            Backend::Gpu(hail) => hail.now_s(),
            Backend::Cpu(stream) => stream.now_s(),
        }
    }

    /// Returns the GPU; none on the CPU.
    pub fn gpu(&self) -> Option<&Arc<Gpu>> {
        match &self.backend {
            Backend::Gpu(hail) => Some(hail.gpu()),
            Backend::Cpu(_) => None,
        }
    }

    /// Returns the simulation on the GPU, for its map and pictures.
    pub fn gpu_hail(&mut self) -> Option<&mut GpuHail> {
        match &mut self.backend {
            Backend::Gpu(hail) => Some(hail),
            Backend::Cpu(_) => None,
        }
    }

    /// Sets the time after which a GPU that does not answer is considered lost.
    pub fn set_timeout(&mut self, timeout: Duration) {
        if let Backend::Gpu(hail) = &mut self.backend {
            hail.set_timeout(timeout);
        }
    }

    /// Returns why the CPU took over, if it did.
    pub fn fallback_reason(&self) -> Option<&GpuError> {
        self.fallback_reason.as_ref()
    }

    /// Calls the GPU, if it is in use. If that fails, switches to the CPU and returns `otherwise`.
    fn with_gpu<T>(
        &mut self,
        otherwise: T,
        call: impl FnOnce(&mut GpuHail) -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let Backend::Gpu(hail) = &mut self.backend else { return Ok(otherwise) };
        match call(hail) {
            Err(why) if why.cpu_can_continue() => {
                let stream = hail.take_cpu_stream()?;
                let lost = std::mem::replace(&mut self.backend, Backend::Cpu(stream));
                // Destroying a lost device may block in the driver, hence the thread. If none can be
                // started, it is dropped here.
                let _ = std::thread::Builder::new().name("lost GPU".into()).spawn(|| drop(lost));
                self.fallback_reason = Some(why);
                Ok(otherwise)
            }
            other => other,
        }
    }
}

impl ImpactSource for GpuOrCpu {
    /// Requests more than is needed now, so that the next frames are ready in time.
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.requested_s < until_s + 0.5 * LOOKAHEAD_S {
            self.request(until_s + LOOKAHEAD_S)?;
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
