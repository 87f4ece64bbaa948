//! An impact prepared for the modes of one object.
//!
//! Short pulses are impulses at the centre of the pulse, weighted per mode by its spectrum H(ω_m +
//! i d_m): exact once the contact is over, at any sub-sample time, and never aliased. Longer pulses
//! are sampled forces, so that a soft contact has a soft onset.
//!
//! The acceleration noise of the bodies is a burst of samples that is added to the voice's buses, whatever computes its modes.

use fearless_simd::Level;

use crate::excitation::{Burst, ForceCurve, Impact, PushedMode, correction, offset};
use crate::resonator::layout::{Gains, Jump, Layout, SpectrumTable};
use crate::resonator::perceptual::PreparedImpulse;
use crate::simd::{Row, flat_mut};

/// Pulses of at least this many samples are rendered as sampled forces. Samples of shorter ones
/// would alias by more than −60 dB in modes that receive a hundredth of the pulse.
pub const SAMPLED_FROM: f64 = 36.0;

/// Pulses of at least this many samples, longer than a second, are known by impulse and duration alone.
const LONGEST_CURVE: f64 = 65_536.0;

/// An impact prepared for one object. Made off the audio thread.
#[derive(Debug, Clone)]
pub struct Strike {
    pub(crate) kind: Kind,
    /// By which a [`SynthesisSwitch`](super::SynthesisSwitch) finds its replacement.
    id: u64,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// A jump of the amplitudes at a sample.
    Jump {
        sample: u64,
        jump: Jump,
        /// The contribution at the end of its block, for banded modes.
        prepared: Option<Box<PreparedImpulse>>,
        /// Whether it was scheduled too late: `prepared` is for another sample.
        late: bool,
    },
    /// A force pulse.
    Pulse { force: PulseForce, gains: Gains },
    /// Sound at 1 m, from its sample number `skipped` on.
    Burst { burst: Burst, skipped: usize },
}

/// A force on the sample clock.
#[derive(Debug, Clone)]
pub(crate) enum PulseForce {
    /// Known by impulse and duration; starts at a sample.
    Impact { start: f64, impact: Impact },
    /// The samples of a force curve, N·s.
    Samples { first: u64, samples: Box<[f32]> },
}

impl PulseForce {
    fn of_curve(curve: &ForceCurve, start: f64, sample_rate_hz: f64) -> Self {
        let (first, samples) = curve.samples(sample_rate_hz, start);
        Self::Samples { first, samples: samples.into() }
    }

    /// Adds the force to a buffer whose first sample is `buffer_start`.
    pub(crate) fn sample_into(&self, sample_rate_hz: f64, buffer: &mut [f32], buffer_start: u64) {
        match self {
            Self::Impact { start, impact } => {
                impact.sample_into(*start, sample_rate_hz, buffer, buffer_start);
            }
            Self::Samples { first, samples } => {
                let skipped = buffer_start.saturating_sub(*first) as usize;
                let at = first.saturating_sub(buffer_start) as usize;
                let (Some(buffer), Some(samples)) = (buffer.get_mut(at..), samples.get(skipped..))
                else {
                    return;
                };
                buffer.iter_mut().zip(samples).for_each(|(x, force)| *x += force);
            }
        }
    }

    fn delay_to(&mut self, clock: u64) {
        match self {
            Self::Impact { start, .. } => *start = start.max(clock as f64),
            Self::Samples { first, .. } => *first = clock.max(*first),
        }
    }

    fn first_sample(&self) -> u64 {
        match self {
            Self::Impact { start, .. } => *start as u64,
            Self::Samples { first, .. } => *first,
        }
    }

    fn end(&self, sample_rate_hz: f64) -> u64 {
        match self {
            Self::Impact { start, impact } => {
                (start + impact.duration_s() * sample_rate_hz).ceil() as u64 + 1
            }
            Self::Samples { first, samples } => first + samples.len() as u64 + 1,
        }
    }
}

impl Strike {
    /// Prepares an impact that starts at `start` (absolute, in samples); gains are in model order.
    pub fn new(layout: &Layout, gains: &[f32], impact: &Impact, start: f64) -> Self {
        let start = if start.is_finite() { start.max(0.0) } else { 0.0 };
        let samples = impact.duration_s() * layout.sample_rate_hz;
        if samples >= SAMPLED_FROM {
            let force = match impact.curve() {
                Some(curve) if samples < LONGEST_CURVE => {
                    PulseForce::of_curve(curve, start, layout.sample_rate_hz)
                }
                _ => PulseForce::Impact { start, impact: impact.clone() },
            };
            let kind = Kind::Pulse { force, gains: layout.gains(gains) };
            return Self { kind, id: 0 };
        }
        let centre = start + impact.centre_s() * layout.sample_rate_hz;
        let sample = centre.ceil();
        let lead = (sample - centre) as f32;
        let spectrum = match impact.curve() {
            Some(curve) => {
                Spectrum::Table(SpectrumTable::new(curve, layout.sample_rate_hz, samples))
            }
            None => Spectrum::RaisedCosine(samples as f32),
        };
        let jump = jump(layout, gains, impact.impulse_ns(), spectrum, lead);
        Self::with_prepared(layout, sample as u64, jump)
    }

    /// Prepares a pure impulse (N·s) at an absolute time in samples.
    pub fn impulse(layout: &Layout, gains: &[f32], impulse_ns: f64, at: f64) -> Self {
        let at = if at.is_finite() { at.max(0.0) } else { 0.0 };
        let jump = jump(layout, gains, impulse_ns, Spectrum::Flat, (at.ceil() - at) as f32);
        Self::with_prepared(layout, at.ceil() as u64, jump)
    }

    /// Plays a burst on the buses of a voice, whatever its layout.
    pub fn burst(burst: Burst) -> Self {
        Self { kind: Kind::Burst { burst, skipped: 0 }, id: 0 }
    }

    /// Returns what takes the quasi-static offset of the modes away while a long pulse pushes them, to be sent beside it;
    /// `None` for short pulses, and for contacts that consist of them.
    pub fn without_offset(
        &self,
        modes: impl IntoIterator<Item = PushedMode>,
        impact: &Impact,
        sample_rate_hz: f64,
    ) -> Option<Self> {
        let Kind::Pulse { force, .. } = &self.kind else { return None };
        let is_soft = impact.pulse_s() * sample_rate_hz >= SAMPLED_FROM;
        if !is_soft || !(impact.duration_s() * sample_rate_hz < LONGEST_CURVE) {
            return None;
        }
        let (first, end) = (force.first_sample(), force.end(sample_rate_hz));
        let mut samples = vec![0.0; (end - first) as usize];
        force.sample_into(sample_rate_hz, &mut samples, first);
        correction(offset(modes, sample_rate_hz), first, &samples).map(Self::burst)
    }

    fn with_prepared(layout: &Layout, sample: u64, jump: Jump) -> Self {
        let at = (sample % layout.block as u64) as usize;
        let prepared = PreparedImpulse::new(layout, &jump, at).map(Box::new);
        Self { kind: Kind::Jump { sample, jump, prepared, late: false }, id: 0 }
    }

    /// Returns the strike, delayed to `clock` if it would start earlier, so that none of it is lost.
    pub(crate) fn not_before(mut self, clock: u64) -> Self {
        self.delay_to(clock);
        self
    }

    /// Delays the strike to `clock` if it would start earlier.
    pub(crate) fn delay_to(&mut self, clock: u64) {
        match &mut self.kind {
            Kind::Jump { sample, late, .. } => {
                *late |= clock > *sample;
                *sample = clock.max(*sample);
            }
            Kind::Pulse { force, .. } => force.delay_to(clock),
            Kind::Burst { burst, skipped } => {
                // Before the contact there is only the ringing of the band limit: it is left out first.
                let late = clock.saturating_sub(burst.first) as usize;
                let spare = burst.lead.saturating_sub(*skipped);
                *skipped += late.min(spare);
                burst.first = clock.max(burst.first);
            }
        }
    }

    /// Returns the strike with an id, by which a
    /// [`SynthesisSwitch`](super::SynthesisSwitch) finds its replacement; 0 at first.
    pub fn with_id(self, id: u64) -> Self {
        Self { id, ..self }
    }

    /// Returns its id.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Returns the first sample it changes.
    pub fn first_sample(&self) -> u64 {
        match &self.kind {
            Kind::Jump { sample, .. } => *sample,
            Kind::Pulse { force, .. } => force.first_sample(),
            Kind::Burst { burst, .. } => burst.first,
        }
    }

    /// Returns its contribution at the end of its block, for banded modes.
    pub(crate) fn prepared(&self) -> Option<&PreparedImpulse> {
        match &self.kind {
            Kind::Jump { prepared, .. } => prepared.as_deref(),
            Kind::Pulse { .. } | Kind::Burst { .. } => None,
        }
    }

    /// Returns the first sample of a burst and what is left of it, if it is one.
    pub(crate) fn sound(&self) -> Option<(u64, &[f32])> {
        match &self.kind {
            Kind::Burst { burst, skipped } => Some((burst.first, burst.samples.get(*skipped..)?)),
            _ => None,
        }
    }

    /// Returns whether it is too late for its prepared contribution.
    pub(crate) fn is_late(&self) -> bool {
        matches!(self.kind, Kind::Jump { late: true, .. })
    }

    /// Returns whether it was made for this layout.
    pub(crate) fn fits(&self, layout: &Layout) -> bool {
        match &self.kind {
            Kind::Jump { jump, prepared, .. } => {
                jump.re.len() == layout.rows && prepared.is_some() == layout.band_layout.is_some()
            }
            Kind::Pulse { gains, .. } => gains.0.len() == layout.rows,
            Kind::Burst { .. } => true,
        }
    }

    /// Returns the first sample after it.
    pub(crate) fn end(&self, sample_rate_hz: f64) -> u64 {
        match &self.kind {
            Kind::Jump { sample, .. } => sample + 1,
            Kind::Pulse { force, .. } => force.end(sample_rate_hz),
            Kind::Burst { burst, skipped } => burst.first + (burst.samples.len() - skipped) as u64,
        }
    }
}

/// The spectrum of a pulse about its centre, relative to that of an impulse.
enum Spectrum {
    Flat,
    /// Of so many samples.
    RaisedCosine(f32),
    Table(SpectrumTable),
}

/// Returns the jump of each mode, `lead` samples (0 … 1) after the impulse: its gain times the
/// pulse spectrum, rotated and decayed since.
fn jump(layout: &Layout, gains: &[f32], impulse_ns: f64, spectrum: Spectrum, lead: f32) -> Jump {
    let level = Level::new();
    let mut re = vec![Row::default(); layout.rows].into_boxed_slice();
    let mut im = re.clone();
    let amplitudes = flat_mut(&mut re);
    for (slot, gain) in layout.slots.iter().zip(gains) {
        if let Some(slot) = slot {
            amplitudes[*slot] = (f64::from(*gain) * impulse_ns) as f32;
        }
    }
    match spectrum {
        Spectrum::Flat => {}
        Spectrum::RaisedCosine(samples) => {
            layout.pole_powers.multiply_by_pulse_spectrum(level, samples, &mut re, &mut im);
        }
        Spectrum::Table(table) => layout.pole_powers.multiply_by_table(&table, &mut re, &mut im),
    }
    layout.pole_powers.multiply_by_power(level, lead, &mut re, &mut im);
    Jump { re, im }
}

/// A jump at a sample of the current block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedJump<'a> {
    pub(crate) at: usize,
    pub(crate) re: &'a [Row],
    pub(crate) im: &'a [Row],
}

impl TimedJump<'_> {
    pub(crate) const NONE: Self = Self { at: 0, re: &[], im: &[] };
}

/// A strike of one voice.
#[derive(Debug)]
pub(crate) struct Scheduled {
    pub(crate) voice: usize,
    /// The layouts it was made for, counted by the bank.
    pub(crate) generation: u32,
    pub(crate) strike: Strike,
}

impl Scheduled {
    /// Returns the sort key: voice, impulses before pulses before bursts, time.
    pub(crate) fn order(&self) -> (usize, u8, u64) {
        let rank = match self.strike.kind {
            Kind::Jump { .. } => 0,
            Kind::Pulse { .. } => 1,
            Kind::Burst { .. } => 2,
        };
        (self.voice, rank, self.strike.first_sample())
    }

    /// Returns the impulse, if it is one.
    pub(crate) fn jump(&self, block_start: u64) -> Option<TimedJump<'_>> {
        match &self.strike.kind {
            Kind::Jump { sample, jump, .. } => {
                let at = sample.saturating_sub(block_start) as usize;
                Some(TimedJump { at, re: &jump.re, im: &jump.im })
            }
            Kind::Pulse { .. } | Kind::Burst { .. } => None,
        }
    }
}
