//! The path from one emitter to the listener.

use fearless_simd::Level;
use glam::DVec3;

use super::air_filter::{self, AirFilter, AirResponse, REACH, ShelfState};
use super::delay_line::{DelayCurve, DelayLine, MIN_DELAY};
use super::equalizer::{Equalizer, EqualizerWeights, Sections};
use super::trajectory::{Position, Trajectory};
use crate::cross_fade::{BETWEEN_PLACES, CrossFade};

/// Smallest distance, m: nearer, the listener would be inside an object.
pub const MIN_DISTANCE_M: f64 = 0.1;

/// Returns the factor on the amplitude of a sound at a distance, relative to 1 m: spherical spreading,
/// 1/r, constant within [`MIN_DISTANCE_M`].
///
/// ```
/// use foley_dsp::propagation::spreading_gain;
/// assert_eq!(spreading_gain(4.0), 0.25);
/// assert_eq!(spreading_gain(0.0), spreading_gain(0.1));
/// ```
pub fn spreading_gain(distance_m: f64) -> f32 {
    (1.0 / distance_m.max(MIN_DISTANCE_M)) as f32
}

/// What all paths of a scene have in common.
#[derive(Debug, Clone)]
pub struct PathSettings {
    /// f_s, Hz.
    pub sample_rate_hz: f64,
    /// Block length in samples, at least 1. Multiples of 16 cost the least per sample.
    pub block: usize,
    /// c, m/s.
    pub sound_speed_m_s: f64,
    /// Longest delay, s. Farther emitters are as quiet as they should be, but heard too early.
    pub longest_delay_s: f64,
    /// Absorption of the air.
    pub air: AirFilter,
    /// The equaliser of emitters that radiate more in some directions than in others.
    pub equalizer: Sections,
}

/// Time in which the equaliser follows new weights, s.
const EQUALIZER_TIME_S: f64 = 0.01;
/// Time after which its lowest section is silent, s.
const EQUALIZER_TAIL_S: f64 = 0.5;

/// The values at a block border.
#[derive(Debug, Clone, Copy)]
struct Border {
    /// Delay of the delay line and its rate, samples.
    delay: f64,
    rate: f64,
    gain: f32,
    air: AirResponse,
    weights: EqualizerWeights,
}

/// One reading of the delay line: where the listener hears the emitter.
#[derive(Debug, Clone)]
struct Reading {
    /// Delayed signal, with the last samples of the block before.
    delayed: Vec<f32>,
    shelves: ShelfState,
    equalizer: Equalizer,
    border: Option<Border>,
}

impl Reading {
    fn new(block: usize) -> Self {
        let delayed = vec![0.0; 2 * REACH + block];
        let equalizer = Equalizer::default();
        Self { delayed, shelves: ShelfState::default(), equalizer, border: None }
    }

    fn clear(&mut self) {
        self.delayed.fill(0.0);
        self.shelves = ShelfState::default();
        self.equalizer = Equalizer::default();
        self.border = None;
    }

    /// Reads the block that was written last. It ends with the values of `next`.
    fn process(
        &mut self,
        level: Level,
        line: &mut DelayLine,
        sections: &Sections,
        next: Border,
        out: &mut [f32],
    ) {
        let last = *self.border.get_or_insert(next);
        // The end of the last block stays before this one, for the taps of the filter.
        self.delayed.copy_within(out.len().., 0);
        let delayed = &mut self.delayed[2 * REACH..];
        let curve = DelayCurve {
            start: last.delay,
            end: next.delay,
            start_rate: last.rate,
            end_rate: next.rate,
        };
        line.read(level, curve, delayed);
        let air = [&last.air, &next.air];
        self.shelves.apply(air, delayed);
        air_filter::convolve(level, &self.delayed, air, [last.gain, next.gain], out);
        self.equalizer.process(level, sections, [&last.weights, &next.weights], out);
        self.border = Some(next);
    }
}

/// Delays, attenuates and filters the signal of one emitter, block by block.
///
/// Real-time: allocates only when it is made.
#[derive(Debug, Clone)]
pub struct PropagationPath {
    settings: PathSettings,
    trajectory: Trajectory,
    line: DelayLine,
    reading: Reading,
    /// The reading from before a jump, which fades out.
    old: Reading,
    fade: Option<CrossFade>,
    time_of_flight_s: f64,
    /// The weights of the equaliser at the end of the last block, and those that it follows.
    weights: [EqualizerWeights; 2],
    /// Direction and distance at the end of the block, as heard.
    toward: DVec3,
    distance_m: f64,
    /// Samples of silence written in a row.
    silent: usize,
    /// Whether blocks were left out since the last one that was computed.
    rested: bool,
}

impl PropagationPath {
    /// Makes a path that is silent.
    pub fn new(settings: &PathSettings) -> Self {
        let PathSettings { sample_rate_hz, block, longest_delay_s, .. } = *settings;
        let longest = (longest_delay_s * sample_rate_hz).ceil() as usize;
        let line = DelayLine::new(longest, block);
        Self {
            trajectory: Trajectory::new(block as f64 / sample_rate_hz, longest_delay_s),
            silent: usize::MAX,
            line,
            reading: Reading::new(block),
            old: Reading::new(block),
            fade: None,
            time_of_flight_s: 0.0,
            weights: [EqualizerWeights::FLAT; 2],
            toward: DVec3::ZERO,
            distance_m: 0.0,
            rested: false,
            settings: settings.clone(),
        }
    }

    /// Returns the unit vector to where the emitter was when it emitted what is heard at the end of
    /// the block; zero when the listener is there.
    pub fn direction(&self) -> DVec3 {
        self.toward
    }

    /// Returns the distance to that point, m.
    pub fn distance_m(&self) -> f64 {
        self.distance_m
    }

    /// Returns whether everything that was emitted has arrived.
    pub fn is_silent(&self) -> bool {
        let longest = self.line.longest() as f64;
        let way = self.reading.border.map_or(0.0, |border| border.delay.clamp(0.0, longest));
        let tail_s = if self.is_equalized() { EQUALIZER_TAIL_S } else { 0.0 };
        let filters =
            (2 * REACH + self.settings.block) as f64 + tail_s * self.settings.sample_rate_hz;
        self.silent as f64 > way + filters + 2.0 * MIN_DELAY
    }

    /// Returns whether a jump is under way.
    pub fn is_fading(&self) -> bool {
        self.fade.is_some()
    }

    /// Places a silent emitter, as if it had always been there. It radiates alike in all directions.
    pub fn place(&mut self, position_m: DVec3) {
        self.trajectory.reset(position_m);
        self.weights = [EqualizerWeights::FLAT; 2];
        self.clear();
    }

    /// Sets how much louder the emitter is in the direction of the listener, in all bands. What sounds follows smoothly.
    pub fn equalize(&mut self, weights: &EqualizerWeights) {
        self.weights[1] = *weights;
    }

    fn is_equalized(&self) -> bool {
        self.weights.iter().any(|weights| *weights != EqualizerWeights::FLAT)
    }

    /// Forgets all sound.
    pub fn clear(&mut self) {
        self.line.clear();
        self.reading.clear();
        self.old.clear();
        self.fade = None;
        self.rested = false;
        self.silent = usize::MAX;
    }

    /// Begins a cross-fade: emitter or listener are elsewhere from the next block on. With a new position
    /// of the emitter all that was emitted is heard as if it had always been there.
    pub fn jump(&mut self, emitter_m: Option<DVec3>) {
        if let Some(position_m) = emitter_m {
            self.trajectory.reset(position_m);
        }
        if self.reading.border.is_some() {
            std::mem::swap(&mut self.reading, &mut self.old);
            self.fade = Some(CrossFade::new(BETWEEN_PLACES, self.settings.block));
        }
        self.reading.clear();
    }

    /// Lets a silent block pass without computing it. The emitter ends it at this position.
    pub fn rest(&mut self, emitter: Position) {
        self.trajectory.push(emitter);
        self.reading.border = None;
        self.fade = None;
        self.rested = true;
    }

    /// Propagates a block, which ends with the emitter and the listener at these positions. `signal`, `out`
    /// and `old` have [`PathSettings::block`] samples; `None` stands for silence. What is heard from before a
    /// jump goes to `old`; returns whether there is any.
    pub fn process(
        &mut self,
        level: Level,
        signal: Option<&[f32]>,
        emitter: Position,
        listener: &Position,
        [out, old]: [&mut [f32]; 2],
    ) -> bool {
        let block = self.settings.block;
        if std::mem::take(&mut self.rested) {
            // Old samples must not be heard again from farther away.
            self.line.clear();
            self.reading.clear();
        }
        self.trajectory.push(emitter);
        let next = self.border_at(listener);
        match signal {
            Some(signal) => self.line.write(signal),
            None => {
                out.fill(0.0);
                self.line.write(out);
            }
        }
        self.silent = if signal.is_none() { self.silent.saturating_add(block) } else { 0 };
        let starts = self.reading.border.is_none();
        if starts && self.fade.is_some() {
            // The filter needs the samples before the first block of a new reading.
            self.warm_up(level, next, out);
        }
        self.reading.process(level, &mut self.line, &self.settings.equalizer, next, out);
        let (Some(fade), Some(last)) = (&mut self.fade, self.old.border) else { return false };
        let delay = (last.delay + last.rate * block as f64).max(MIN_DELAY);
        let rate = if delay > MIN_DELAY { last.rate } else { 0.0 };
        let sections = &self.settings.equalizer;
        self.old.process(level, &mut self.line, sections, Border { delay, rate, ..last }, old);
        fade.apply(out, old);
        if fade.is_over() {
            self.fade = None;
        }
        true
    }

    /// Reads the block before this one, for the memory of the filters.
    fn warm_up(&mut self, level: Level, next: Border, out: &mut [f32]) {
        let earlier = Border { delay: next.delay + out.len() as f64, rate: 0.0, ..next };
        self.reading.process(level, &mut self.line, &self.settings.equalizer, earlier, out);
        self.reading.border = Some(Border { rate: 0.0, ..next });
    }

    /// Returns the values at the end of the block.
    fn border_at(&mut self, listener: &Position) -> Border {
        let PathSettings { sample_rate_hz, sound_speed_m_s, block, .. } = self.settings;
        if self.weights[0] != self.weights[1] {
            // What begins to sound has its weights at once.
            let block_s = block as f64 / sample_rate_hz;
            let part = match self.reading.border.is_none() {
                true => 1.0,
                false => 1.0 - (-block_s / EQUALIZER_TIME_S).exp(),
            };
            self.weights[0] = self.weights[0].toward(&self.weights[1], part as f32);
        }
        let (delay_s, rate) =
            self.trajectory.delay_s(listener, sound_speed_m_s, self.time_of_flight_s);
        self.time_of_flight_s = delay_s;
        let way = self.trajectory.before(delay_s).position_m - listener.position_m;
        self.distance_m = way.length();
        self.toward = way.normalize_or_zero();
        Border {
            delay: delay_s * sample_rate_hz - REACH as f64,
            rate,
            gain: spreading_gain(self.distance_m),
            // The signal is the sound pressure at 1 m.
            air: self.settings.air.response(self.distance_m - 1.0),
            weights: self.weights[0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Air, AirAbsorption};
    use super::*;
    use std::f64::consts::PI;

    const RATE: f64 = 48_000.0;
    const BLOCK: usize = 256;

    fn settings() -> PathSettings {
        let air = Air::default();
        PathSettings {
            sample_rate_hz: RATE,
            block: BLOCK,
            sound_speed_m_s: air.sound_speed_m_s(),
            longest_delay_s: 1.0,
            air: AirFilter::new(&AirAbsorption::new(&air), RATE),
            equalizer: Sections::at_rate(RATE),
        }
    }

    /// Returns what is heard of a signal x(t) from an emitter at `at(t)`, the listener at the origin.
    fn heard(
        seconds: f64,
        x: impl Fn(f64) -> f64,
        at: impl Fn(f64) -> DVec3,
        listener: impl Fn(f64) -> DVec3,
    ) -> Vec<f32> {
        let mut path = PropagationPath::new(&settings());
        path.place(at(0.0));
        let position = |of: &dyn Fn(f64) -> DVec3, t: f64| Position {
            position_m: of(t),
            velocity_m_s: (of(t + 1e-5) - of(t - 1e-5)) / 2e-5,
        };
        let mut samples = Vec::new();
        for block in 0..(seconds * RATE) as usize / BLOCK {
            let start = block * BLOCK;
            let signal: Vec<f32> =
                (0..BLOCK).map(|n| x((start + n) as f64 / RATE) as f32).collect();
            let end_s = (start + BLOCK) as f64 / RATE;
            let (mut out, mut old) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
            let (emitter, ears) = (position(&at, end_s), position(&listener, end_s));
            path.process(Level::new(), Some(&signal), emitter, &ears, [&mut out, &mut old]);
            samples.extend(out);
        }
        samples
    }

    /// Frequency around a time, by the phase advance of the analytic signal over 20 ms.
    fn frequency_hz(samples: &[f32], at_s: f64, near_hz: f64) -> f64 {
        let phase = |t: f64| {
            let (mut re, mut im) = (0.0, 0.0);
            let middle = (t * RATE) as usize;
            let part = samples[middle - 480..middle + 480].iter();
            for (y, n) in part.zip(middle - 480..) {
                let window = 0.5 + 0.5 * (PI * (n as f64 - middle as f64) / 480.0).cos();
                let angle = 2.0 * PI * near_hz * n as f64 / RATE;
                re += window * f64::from(*y) * angle.cos();
                im -= window * f64::from(*y) * angle.sin();
            }
            im.atan2(re)
        };
        let phase_step = phase(at_s + 2e-3) - phase(at_s - 2e-3);
        let phase_step = phase_step - 2.0 * PI * (phase_step / (2.0 * PI)).round();
        near_hz + phase_step / (2.0 * PI * 4e-3)
    }

    #[test]
    fn level_falls_six_decibels_for_each_doubling_of_the_distance() {
        let tone = |t: f64| (2.0 * PI * 500.0 * t).sin();
        let level_db = |distance: f64| {
            let at = DVec3::new(0.0, distance, 0.0);
            let samples = heard(0.9, tone, |_| at, |_| DVec3::ZERO);
            let tail = &samples[samples.len() - 9600..];
            let power: f64 = tail.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>() / 9600.0;
            10.0 * (2.0 * power).log10()
        };
        for distance in [0.5, 1.0, 4.0, 60.0] {
            let fall = level_db(distance) - level_db(2.0 * distance);
            let air = AirAbsorption::new(&Air::default()).db_per_m(500.0) * distance;
            assert!(
                (fall - 6.0206 - if distance < 1.0 { 0.0 } else { air }).abs() < 0.02,
                "{distance} m: {fall} {air}"
            );
        }
        assert!(level_db(1.0).abs() < 0.01);
    }

    #[test]
    fn sound_arrives_after_its_time_of_flight() {
        let click = |t: f64| if (t * RATE).round() == 1000.0 { 1.0 } else { 0.0 };
        for distance in [0.2, 1.0, 34.32, 171.6] {
            let samples = heard(0.8, click, |_| DVec3::new(distance, 0.0, 0.0), |_| DVec3::ZERO);
            let energy: f64 = samples.iter().map(|y| f64::from(*y).powi(2)).sum();
            let centre: f64 = samples
                .iter()
                .enumerate()
                .map(|(n, y)| n as f64 * f64::from(*y).powi(2))
                .sum::<f64>()
                / energy;
            let want = 1000.0 + distance / 343.2 * RATE;
            assert!((centre - want).abs() < 0.6, "{distance} m: {centre} {want}");
        }
    }

    /// 30 m/s at 2 m from the listener, and a listener that moves past an emitter: within a cent of
    /// the analytic shift, f c/(c + v_r) at the time of emission, or f (c − v_r)/c.
    #[test]
    fn doppler_shift_is_the_analytic_one_within_a_cent() {
        let (f, c, speed) = (1_000.0, settings().sound_speed_m_s, 30.0);
        let tone = |t: f64| (2.0 * PI * f * t).sin();
        let line = |t: f64| DVec3::new(speed * (t - 1.0), 2.0, 0.0);
        let moves = heard(2.0, tone, line, |_| DVec3::ZERO);
        let passes = heard(
            2.0,
            tone,
            |_| DVec3::new(0.0, 2.0, 0.0),
            |t| DVec3::new(speed * (t - 1.0), 0.0, 0.0),
        );
        for i in 0..60 {
            let t = 0.4 + 0.02 * f64::from(i);
            let mut tau = 0.0;
            for _ in 0..60 {
                tau = line(t - tau).length() / c;
            }
            let emitted = line(t - tau);
            let radial = speed * emitted.x / emitted.length();
            let want = f * c / (c + radial);
            // The measurement averages over 20 ms: its own error is the curvature of the shift.
            let got = frequency_hz(&moves, t, want);
            let cents = 1200.0 * (got / want).log2();
            let bound = if (t - 1.0).abs() < 0.12 { 6.0 } else { 1.0 };
            assert!(cents.abs() < bound, "{t} s: {got} {want}: {cents} cents");
            let l = DVec3::new(speed * (t - 1.0), -2.0, 0.0);
            let want = f * (c - speed * l.x / l.length()) / c;
            let got = frequency_hz(&passes, t, want);
            let cents = 1200.0 * (got / want).log2();
            assert!(cents.abs() < bound, "listener {t} s: {got} {want}: {cents} cents");
        }
    }

    #[test]
    fn a_path_is_silent_once_everything_has_arrived() {
        let mut path = PropagationPath::new(&settings());
        let far = Position::at_rest(DVec3::new(171.6, 0.0, 0.0));
        path.place(far.position_m);
        assert!(path.is_silent());
        let (mut out, mut old) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
        let ears = Position::default();
        path.process(Level::new(), Some(&[1.0; BLOCK]), far, &ears, [&mut out, &mut old]);
        let (mut last_heard, mut silent_from) = (0, 0);
        for block in 1..200 {
            assert_eq!(silent_from == 0, !path.is_silent());
            path.process(Level::new(), None, far, &ears, [&mut out, &mut old]);
            if out.iter().any(|y| y.abs() > 1e-7) {
                last_heard = block;
            }
            if silent_from == 0 && path.is_silent() {
                silent_from = block;
            }
        }
        assert!(last_heard >= 93 && silent_from >= last_heard, "{last_heard} {silent_from}");
        assert!(silent_from < last_heard + 4);
    }
}
