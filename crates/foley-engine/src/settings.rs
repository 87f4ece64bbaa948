//! How an engine is made.

use derive_setters::Setters;
use foley_dsp::output::OutputSettings;
use foley_dsp::resonator::{Budget, Costs, Kernel, Listening, Synthesis};
use foley_dsp::simd::Cpu;

use crate::{EngineError, SpatialSettings};

/// Settings of an engine. [`Engine::set_synthesis`](crate::Engine::set_synthesis) and
/// [`Engine::set_playback_db`](crate::Engine::set_playback_db) change two of them later.
#[derive(Debug, Clone, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Settings {
    /// f_s, Hz.
    pub sample_rate_hz: u32,
    /// Samples computed at a time: longer is cheaper, shorter answers faster.
    pub block: usize,
    /// Channels of the output; every object is heard on one of them. With `spatial` there are two.
    pub channels: usize,
    /// Positions of objects and a listener. Without it, objects are heard as from 1 m away.
    #[setters(into)]
    pub spatial: Option<SpatialSettings>,
    /// Most objects at a time.
    pub objects: usize,
    /// Most sustained contacts of an object at a time.
    pub contacts: usize,
    /// Most impacts waiting or under way on the audio thread at a time.
    pub strikes: usize,
    /// The sound pressure, in pascals at one metre, that fills the digital scale.
    pub full_scale_pa: f64,
    /// Whether free bodies click when a contact accelerates them as a whole: what is struck, and what strikes.
    pub acceleration_noise: bool,
    /// Whether objects with positions are heard as they radiate in the direction of the listener
    /// ([`Directivity`](foley_dsp::model::Directivity)), or alike in all directions.
    pub directivity: bool,
    /// Guard and limiter at the very end.
    pub output: OutputSettings,
    /// How modes are computed.
    pub kernel: Kernel,
    /// Which instructions may be used.
    pub cpu: Cpu,
    /// Measure at start-up what the kernels cost here, instead of using fixed figures.
    /// Choices then depend on the machine, so offline renders leave it off.
    pub measure_costs: bool,
    /// Whether everything is computed, or only what can be heard. The playback level
    /// is `playback_db`.
    pub synthesis: Synthesis,
    /// How loud a sine of full scale is at the listener, dB SPL: what is too soft to be heard
    /// depends on it. [`Engine::set_playback_db`](crate::Engine::set_playback_db) changes it.
    pub playback_db: f64,
    /// The most time a block may take, when only what can be heard is computed.
    #[setters(into)]
    pub budget: Option<Budget>,
    /// A sound card calls the renderer: between its calls the time of
    /// [`Engine::move_to`](crate::Engine::move_to) and
    /// [`Engine::set_listener`](crate::Engine::set_listener) runs on by the system's clock.
    pub real_time: bool,
    /// Take the time of decisions ([`Report::deciding_ns`](crate::Report)).
    pub measure_decision_time: bool,
    /// Whether [`Engine::telemetry`](crate::Engine::telemetry) is published.
    pub telemetry: bool,
    /// Seconds of finished samples that [`OutputTap`](crate::OutputTap) holds; 0 for none.
    pub tap_s: f64,
}

/// A full-scale sine of a programme at −16 LUFS and a comfortable 75 dB SPL.
pub const DEFAULT_PLAYBACK_DB: f64 = 88.0;

impl Default for Settings {
    /// For files: 48 kHz, mono, long blocks, the same decisions on every machine.
    fn default() -> Self {
        Self {
            sample_rate_hz: 48_000,
            block: 512,
            channels: 1,
            spatial: None,
            objects: 1024,
            contacts: 4,
            strikes: 4096,
            full_scale_pa: 1.0,
            acceleration_noise: true,
            directivity: true,
            output: OutputSettings::default(),
            kernel: Kernel::Auto,
            cpu: Cpu::Best,
            measure_costs: false,
            synthesis: Synthesis::Exact,
            playback_db: DEFAULT_PLAYBACK_DB,
            budget: None,
            real_time: false,
            measure_decision_time: false,
            telemetry: false,
            tap_s: 0.0,
        }
    }
}

impl Settings {
    /// For playing: short blocks, costs measured on this machine, only what can be heard, and
    /// never more than two thirds of the time there is.
    pub fn live(sample_rate_hz: u32) -> Self {
        let block = 128;
        let micros = 1e6 * block as f64 / f64::from(sample_rate_hz.max(1));
        let budget = Some(Budget::live(micros * 2.0 / 3.0));
        Self {
            sample_rate_hz,
            block,
            measure_costs: true,
            real_time: true,
            budget,
            ..Self::default().audible()
        }
    }

    /// Computes only what can be heard: many modes, few partials.
    pub fn audible(self) -> Self {
        Self {
            synthesis: Synthesis::Perceptual(Listening::default()),
            block: 512.min(self.block),
            ..self
        }
    }

    /// Gives objects positions, and a listener between two loudspeakers: the output is stereo.
    pub fn spatial(self) -> Self {
        Self { spatial: Some(SpatialSettings::default()), ..self }
    }

    /// Checks what the resonators and the output stage do not check themselves.
    pub(crate) fn validate(&self) -> Result<(), EngineError> {
        if !(1e-12..=1e12).contains(&self.full_scale_pa) {
            return Err(EngineError::FullScale(self.full_scale_pa));
        }
        let Self { objects, strikes, contacts, channels, .. } = *self;
        let counts = [
            ("objects", objects, 0, 1 << 20, "at most 1,048,576"),
            ("strikes", strikes, 1, 1 << 20, "from 1 to 1,048,576"),
            ("contacts", contacts, 0, 64, "at most 64"),
            ("channels", channels, 0, 64, "at most 64"),
        ];
        for (name, value, least, most, must) in counts {
            if !(least..=most).contains(&value) {
                return Err(EngineError::Setting { name, value: value as f64, must });
            }
        }
        Ok(())
    }

    /// Returns the number of buses of the resonators.
    pub(crate) fn buses(&self) -> usize {
        self.spatial.map_or(self.channels.max(1), |spatial| spatial.emitters.max(1))
    }

    /// Returns the number of strikes that the audio thread can hold: an impact may have a click besides.
    pub(crate) fn sent_strikes(&self) -> usize {
        self.strikes * (1 + usize::from(self.acceleration_noise))
    }

    /// Returns the number of voices: an object that is struck while its old voice leaves has two.
    pub(crate) fn voices(&self) -> usize {
        self.objects + self.objects / 16 + 16
    }

    /// Returns the level of 1 Pa at playback, dB SPL.
    pub(crate) fn pascal_db(&self, playback_db: f64) -> f64 {
        playback_db - 20.0 * self.full_scale_pa.log10()
    }

    /// Returns the synthesis mode with its playback level set.
    pub(crate) fn calibrated(&self) -> Synthesis {
        let pascal_db = self.pascal_db(self.playback_db);
        let calibrate = |listening: Listening| listening.with_pascal_db(pascal_db);
        match self.synthesis {
            Synthesis::Exact => Synthesis::Exact,
            Synthesis::Perceptual(listening) => Synthesis::Perceptual(calibrate(listening)),
            Synthesis::Masking2004(listening, a_v) => {
                Synthesis::Masking2004(calibrate(listening), a_v)
            }
        }
    }

    pub(crate) fn costs(&self) -> Costs {
        // Other blocks are refused by the bank.
        let is_valid = self.block.is_power_of_two() && (32..=1024).contains(&self.block);
        match self.measure_costs && is_valid {
            true => Costs::measured(self.cpu, self.block),
            false => Costs::FIXED,
        }
    }
}
