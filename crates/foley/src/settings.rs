//! How an engine is made.

use foley_dsp::output::OutputSettings;
use foley_dsp::resonator::{Costs, Kernel};
use foley_dsp::simd::Cpu;

/// Everything about an engine that does not change while it runs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// f_s, Hz.
    pub sample_rate_hz: u32,
    /// Samples computed at a time: longer is cheaper, shorter answers faster.
    pub block: usize,
    /// Channels of the output; every object is heard on one of them.
    pub channels: usize,
    /// Most objects at a time.
    pub objects: usize,
    /// Most impacts waiting or under way on the audio thread at a time.
    pub strikes: usize,
    /// The sound pressure, in pascals at one metre, that fills the digital scale.
    pub full_scale_pa: f64,
    /// Guard and limiter at the very end.
    pub output: OutputSettings,
    /// How modes are computed.
    pub kernel: Kernel,
    /// Which instructions may be used.
    pub cpu: Cpu,
    /// Measure at start-up what the kernels cost here, instead of using fixed figures.
    /// Choices then depend on the machine, so offline renders leave it off.
    pub measure_costs: bool,
}

impl Default for Settings {
    /// For files: 48 kHz, mono, long blocks, the same decisions on every machine.
    fn default() -> Self {
        Self {
            sample_rate_hz: 48_000,
            block: 512,
            channels: 1,
            objects: 1024,
            strikes: 4096,
            full_scale_pa: 1.0,
            output: OutputSettings::default(),
            kernel: Kernel::Auto,
            cpu: Cpu::Best,
            measure_costs: false,
        }
    }
}

impl Settings {
    /// For playing: short blocks, costs measured on this machine.
    pub fn live(sample_rate_hz: u32) -> Self {
        Self { sample_rate_hz, block: 128, measure_costs: true, ..Self::default() }
    }

    pub(crate) fn costs(&self) -> Costs {
        if self.measure_costs { Costs::measured(self.cpu, self.block) } else { Costs::FIXED }
    }
}
