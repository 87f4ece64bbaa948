//! A shower that always goes on: on the GPU while there is one, then on the CPU.

use crate::waiting::check_time;
use crate::{Choice, Gpu, GpuError, GpuShower, Options};
use foley_hail::{Finder, Impact, Shower, Stream};
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
pub struct AnyShower {
    runs: Runs,
    /// Impacts before this were asked for.
    asked_s: f64,
    why_cpu: Option<GpuError>,
}

#[derive(Debug)]
enum Runs {
    Gpu(Box<GpuShower>),
    Cpu(Stream),
}

impl AnyShower {
    /// On the fastest GPU, or on the CPU if there is none that can do it.
    pub fn new(shower: Arc<Shower>, options: Options) -> Result<Self, GpuError> {
        match Gpu::open(Choice::Fastest) {
            Ok(gpu) => Self::on(Arc::new(gpu), shower, options),
            Err(why) => Self::on_cpu(shower, options, Some(why)),
        }
    }

    /// On a certain GPU, or on the CPU if that cannot do it.
    pub fn on(gpu: Arc<Gpu>, shower: Arc<Shower>, options: Options) -> Result<Self, GpuError> {
        match GpuShower::new(gpu, Arc::clone(&shower), options) {
            Ok(hail) => {
                let (runs, asked_s) = (Runs::Gpu(Box::new(hail)), options.from_s);
                Ok(Self { runs, asked_s, why_cpu: None })
            }
            Err(why) if why.cpu_can_go_on() => Self::on_cpu(shower, options, Some(why)),
            Err(why) => Err(why),
        }
    }

    /// On the CPU from the start.
    pub fn on_cpu(
        shower: Arc<Shower>,
        options: Options,
        why_cpu: Option<GpuError>,
    ) -> Result<Self, GpuError> {
        let stream = Stream::new(shower, options.from_s)?.of(options.wanted);
        Ok(Self { runs: Runs::Cpu(stream), asked_s: options.from_s, why_cpu })
    }

    /// Appends all impacts from now until a time, in order, and waits for them; that time is now, then.
    ///
    /// After an error nothing was appended.
    pub fn advance(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<(), GpuError> {
        check_time(self.now_s(), until_s)?;
        self.try_gpu((), |hail| hail.advance(until_s, due))?;
        if let Runs::Cpu(stream) = &mut self.runs {
            stream.advance(until_s, due)?;
        }
        Ok(())
    }

    /// Asks for all impacts until a time. A GPU is not waited for; the CPU needs none.
    pub fn request(&mut self, until_s: f64) -> Result<(), GpuError> {
        check_time(self.now_s(), until_s)?;
        self.asked_s = self.asked_s.max(until_s);
        self.try_gpu((), |hail| hail.request(until_s))
    }

    /// Appends the impacts that were asked for and are known, until a time at most, in order. Never
    /// waits for a GPU; the CPU decides what was asked for here. Returns the time up to which they were
    /// given, which is now, then.
    pub fn poll(&mut self, until_s: f64, due: &mut Vec<Impact>) -> Result<f64, GpuError> {
        check_time(self.now_s(), until_s)?;
        let given_s = self.try_gpu(until_s, |hail| hail.poll(until_s, due))?;
        let Runs::Cpu(stream) = &mut self.runs else { return Ok(given_s) };
        let until_s = until_s.min(self.asked_s).max(stream.now_s());
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
    pub fn gpu_shower(&mut self) -> Option<&mut GpuShower> {
        match &mut self.runs {
            Runs::Gpu(hail) => Some(hail),
            Runs::Cpu(_) => None,
        }
    }

    /// From now on a GPU that does not answer in such a time is lost.
    pub fn set_patience(&mut self, patience: Duration) {
        if let Runs::Gpu(hail) = &mut self.runs {
            hail.set_patience(patience);
        }
    }

    /// Why it does not run on a GPU, if it does not and was not asked to.
    pub fn why_cpu(&self) -> Option<&GpuError> {
        self.why_cpu.as_ref()
    }

    /// Asks the GPU, if there is one. If it fails the CPU has its place, and the answer is `otherwise`.
    fn try_gpu<T>(
        &mut self,
        otherwise: T,
        ask: impl FnOnce(&mut GpuShower) -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let Runs::Gpu(hail) = &mut self.runs else { return Ok(otherwise) };
        match ask(hail) {
            Err(why) if why.cpu_can_go_on() => {
                let stream = hail.hand_over()?;
                let gone = std::mem::replace(&mut self.runs, Runs::Cpu(stream));
                // A driver may take its time to clean up: nobody waits for it. Without a thread it is
                // dropped here.
                let _ = std::thread::Builder::new().name("lost GPU".into()).spawn(|| drop(gone));
                self.why_cpu = Some(why);
                Ok(otherwise)
            }
            other => other,
        }
    }
}

impl Finder for AnyShower {
    /// Asks for a little more than is wanted, so that the next frame is there when its time comes.
    fn advance(
        &mut self,
        until_s: f64,
        due: &mut Vec<Impact>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.asked_s < until_s + 0.5 * AHEAD_S {
            self.request(until_s + AHEAD_S)?;
        }
        Ok(AnyShower::advance(self, until_s, due)?)
    }

    fn now_s(&self) -> f64 {
        AnyShower::now_s(self)
    }

    fn name(&self) -> String {
        match (self.gpu(), &self.why_cpu) {
            (Some(gpu), _) => gpu.name().to_owned(),
            (None, Some(why)) => format!("CPU ({why})"),
            (None, None) => "CPU".into(),
        }
    }
}
