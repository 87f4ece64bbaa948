//! Searches the spectrum for modes band by band, and decides which are kept.

use super::Options;
use super::band::Band;
use super::esprit::Subspace;
use super::local_least_squares::{Fit, LocalFit, slowest};
use super::strike::{Mode, Strikes, lasting};
use realfft::num_complex::Complex64;
use rustfft::FftPlanner;
use std::f64::consts::PI;

/// Approximate number of bins of one local fit.
const BINS: f64 = 1200.0;
/// Samples of a band signal for ESPRIT: short ones resolve fast decays above the noise, long
/// ones close frequencies.
const LENGTHS: [usize; 3] = [48, 120, 320];
/// Model orders tried in one band.
const ORDERS: [usize; 11] = [1, 2, 3, 4, 6, 8, 10, 13, 17, 22, 28];
/// Most multiplications of the search per recording: a few seconds. Sounds that are no sum of
/// modes (clipped ones) would prolong it without limit.
const MOST_WORK: f64 = 5e9;
/// Most searches of the residual.
const ROUNDS: usize = 6;
/// Most modes refined together.
const CLUSTER: usize = 12;

/// Standard deviations of noise that the power of a run of bins must exceed.
const EXCESS_SIGMAS: f64 = 6.0;
/// Exponential tail of single bins: one bin of noise in 10⁶ (e⁻¹⁴) exceeds 14 times its mean.
const SINGLE_BIN_TAIL: f64 = 14.0;
/// Uncertainty of the noise level itself: 2 dB, 10^0.2 − 1. The three margins are held by
/// `thirty_modes_in_noise` and by the test of pure noise in `tests/it/fit_invalid_input.rs`.
const NOISE_UNCERTAINTY: f64 = 0.6;

/// State of the search.
pub(super) struct Search<'a> {
    pub(super) strikes: &'a mut Strikes,
    pub(super) options: &'a Options,
    pub(super) modes: Vec<Mode>,
    /// Estimated multiplications so far.
    pub(super) work: f64,
    /// Called with the finished part of the work.
    pub(super) progress: &'a mut dyn FnMut(f64),
}

impl Search<'_> {
    /// Searches all bands once, then those with a residual, until none is left.
    pub(super) fn run(&mut self) {
        self.pass(0, |search| search.grid().into_iter().map(|band| (band, None)).collect());
        self.refine();
        for round in 0..ROUNDS {
            self.strikes.update_noise(&self.modes);
            let changed = self.pass(round + 1, |search| {
                search.residual_bands().into_iter().map(|(band, pole)| (band, Some(pole))).collect()
            });
            if !changed {
                break;
            }
            self.refine();
        }
        for _ in 0..2 {
            self.prune();
            self.refine();
        }
        self.prune();
    }

    /// Fits a list of bands; returns whether any improved.
    fn pass(
        &mut self,
        round: usize,
        bands: impl Fn(&Self) -> Vec<(Band, Option<Complex64>)>,
    ) -> bool {
        let bands = bands(self);
        let mut changed = false;
        for (i, (band, pole)) in bands.iter().enumerate() {
            changed |= self.fit_band(*band, *pole);
            // Progress: each pass is assumed to take as long as all later ones together.
            let here = (i + 1) as f64 / bands.len() as f64;
            (self.progress)(1.0 - 0.5f64.powi(round as i32) * (1.0 - 0.5 * here));
        }
        changed
    }

    /// Converts a frequency to cycles per granule.
    fn cycles(&self, hz: f64) -> f64 {
        hz * self.strikes.granule as f64 / self.strikes.rate_hz
    }

    fn highest_hz(&self) -> f64 {
        self.options.max_hz.min(0.48 * self.strikes.rate_hz)
    }

    /// Returns the width of the narrowest band whose signal is long enough for ESPRIT.
    fn narrowest_hz(&self) -> f64 {
        (36.0 / self.strikes.longest_s()).max(60.0)
    }

    /// Returns bands that cover all frequencies, the most powerful first.
    fn grid(&self) -> Vec<Band> {
        let mut bands = Vec::new();
        let (mut low, high) = (0usize, self.cycles(self.highest_hz()));
        while (low as f64) < high {
            let hz = low as f64 * self.strikes.rate_hz / self.strikes.granule as f64;
            let width = (0.15 * hz).clamp(100.0, 1600.0).max(self.narrowest_hz());
            let core = (self.cycles(width).round() as usize).max(3);
            bands.push(Band { low: low as isize, core });
            low += core;
        }
        let power = |band: &Band| {
            let of = |strike: &super::strike::Strike| {
                let level = lasting(strike, 0.0);
                let bins = band.low * level.m as isize
                    ..=(band.low + band.core as isize) * level.m as isize;
                bins.map(|i| level.bin(i).norm_sqr()).sum::<f64>()
            };
            self.strikes.strikes.iter().map(of).sum::<f64>()
        };
        bands.sort_by(|a, b| power(b).total_cmp(&power(a)));
        bands
    }

    /// Replaces the modes of a band if a better set is found. `extra` is a pole to try beside the
    /// known ones.
    fn fit_band(&mut self, band: Band, extra: Option<Complex64>) -> bool {
        let unit_hz = self.strikes.rate_hz / self.strikes.granule as f64;
        let margin = 0.5 * band.taper() as f64;
        let low_hz = ((band.low as f64 - margin) * unit_hz).max(0.5 * self.options.min_hz);
        let high_hz = (band.low as f64 + band.core as f64 + margin) * unit_hz;
        let high_hz = high_hz.min(0.5 * self.strikes.rate_hz);
        let most_work = MOST_WORK * self.strikes.strikes.len() as f64;
        if high_hz <= low_hz || self.modes.len() >= self.options.max_modes || self.work > most_work
        {
            return false;
        }
        let inside = |hz: f64| (low_hz..high_hz).contains(&hz);
        let (own, others): (Vec<Mode>, Vec<Mode>) =
            self.modes.iter().cloned().partition(|m| inside(self.strikes.hz(m.s)));
        let samples = BINS / (high_hz - low_hz) * self.strikes.rate_hz;
        let local = LocalFit::new(self.strikes, (low_hz, high_hz), samples, &others, &own);
        let known: Vec<Complex64> = own.iter().map(|m| m.s).collect();
        let Some(before) = local.amplitudes(&known) else { return false };

        let noise = local.noise() + 3.0 * local.noise().sqrt();
        if before.cost < noise && extra.is_none() {
            return false;
        }
        let mut best: Option<Fit> = None;
        // Returns the residual energy if these poles are the best so far.
        let mut consider = |mut poles: Vec<Complex64>| {
            poles.retain(|s| inside(self.strikes.hz(*s)));
            let fit = local.pruned(local.refined(local.amplitudes(&poles)?, 4))?;
            let better = best.as_ref().is_none_or(|b| fit.penalised_cost() < b.penalised_cost());
            better.then(|| best.insert(fit).cost)
        };
        if let Some(pole) = extra {
            consider([&known[..], &[pole]].concat());
        }
        'lengths: for subspace in self.subspaces(band, samples) {
            // Low orders first; higher ones only while they improve the fit.
            let mut failures = 0;
            for order in ORDERS {
                match consider(self.unfold(band, &subspace.poles(order))) {
                    Some(cost) if cost < noise => break 'lengths,
                    Some(_) => failures = 0,
                    None => failures += 1,
                }
                if failures == 3 || order >= subspace.order() {
                    break;
                }
            }
        }
        let Some(best) = best else { return false };
        let best = local.pruned(local.refined(best, 8));
        self.work += local.work();
        let Some(best) = best else { return false };
        if best.penalised_cost() >= before.penalised_cost() {
            return false;
        }
        self.modes = others;
        self.modes.extend(best.into_modes());
        true
    }

    /// Returns the signal subspaces of shorter and longer parts of a band signal.
    fn subspaces(&self, band: Band, samples: f64) -> Vec<Subspace> {
        let unit_hz = self.strikes.rate_hz / self.strikes.granule as f64;
        let middle_hz = (band.low as f64 + 0.5 * band.core as f64) * unit_hz;
        let mut planner = FftPlanner::new();
        let mut signals = Vec::new();
        for strike in &self.strikes.strikes {
            let mut signal = band.of(lasting(strike, samples), &mut planner);
            let noise = (signal.noise_gain * strike.noise.variance(middle_hz)).sqrt().recip();
            signal.samples.iter_mut().for_each(|x| *x *= noise);
            signals.push(signal.samples);
        }
        let longest = signals.iter().map(Vec::len).max().unwrap_or(0);
        let most = ORDERS[ORDERS.len() - 1];
        (0..LENGTHS.len())
            .take_while(|i| *i == 0 || longest > LENGTHS[i - 1])
            .filter_map(|i| Subspace::new(&signals, LENGTHS[i], most))
            .collect()
    }

    /// Converts poles of a band signal to poles of the recording.
    fn unfold(&self, band: Band, poles: &[Complex64]) -> Vec<Complex64> {
        let per_sample = band.rate() as f64 / self.strikes.granule as f64;
        let base = 2.0 * PI * band.base() as f64 / self.strikes.granule as f64;
        let slowest = 100.0 * slowest(self.strikes.longest_s() * self.strikes.rate_hz);
        let pole = |z: &Complex64| {
            let turn = z.arg().rem_euclid(2.0 * PI);
            let re = (z.norm().ln() * per_sample).min(-slowest);
            Complex64::new(re, base + turn * per_sample)
        };
        poles.iter().filter(|z| (0.2..1.1).contains(&z.norm())).map(pole).collect()
    }

    /// Returns bands around frequencies where the residual exceeds the noise, the largest excess
    /// first, each with an initial pole.
    fn residual_bands(&self) -> Vec<(Band, Complex64)> {
        let mut peaks = Vec::new();
        for (k, strike) in self.strikes.strikes.iter().enumerate() {
            let residual = self.strikes.residual_spectrum(&self.modes, k);
            let bin_hz = self.strikes.rate_hz / residual.n as f64;
            let power = |(i, x): (usize, &Complex64)| {
                x.norm_sqr() / (residual.n as f64 * strike.noise.variance(i as f64 * bin_hz))
            };
            let power: Vec<f64> = residual.bins().iter().enumerate().map(power).collect();
            excess(&power, &mut |bin, width, score| {
                peaks.push((score, bin * bin_hz, width * bin_hz));
            });
        }
        peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut chosen: Vec<(f64, f64)> = Vec::new();
        let mut bands = Vec::new();
        for (_, hz, width) in peaks {
            let free = chosen.iter().all(|(f, core)| (f - hz).abs() > 0.4 * core);
            if !(self.options.min_hz..self.highest_hz()).contains(&hz) || !free {
                continue;
            }
            let core_hz = (8.0 * width).clamp(self.narrowest_hz(), 1600.0);
            let core = (self.cycles(core_hz).round() as usize).max(2);
            let low = (self.cycles(hz) - 0.5 * core as f64).round() as isize;
            chosen.push((hz, core_hz));
            let s = Complex64::new(-PI * width.min(0.1 * hz), 2.0 * PI * hz) / self.strikes.rate_hz;
            bands.push((Band { low, core }, s));
            if bands.len() == 64 {
                break;
            }
        }
        bands
    }

    /// Refines all modes by Gauss–Newton, overlapping ones together, the others fixed.
    fn refine(&mut self) {
        for _ in 0..2 {
            self.modes.sort_by(|a, b| a.s.im.total_cmp(&b.s.im));
            let mut done = Vec::new();
            let mut residual = std::mem::take(&mut self.modes);
            while !residual.is_empty() {
                let count = self.cluster(&residual);
                let tail = residual.split_off(count);
                let own = std::mem::replace(&mut residual, tail);
                let others: Vec<Mode> = done.iter().chain(&residual).cloned().collect();
                done.extend(self.refine_together(own, &others));
            }
            self.modes = done;
        }
    }

    /// Returns half the width of the band in which a mode is fitted, Hz.
    fn reach_hz(&self, mode: &Mode) -> f64 {
        let width = 8.0 * -mode.s.re * self.strikes.rate_hz / (2.0 * PI);
        width.clamp(6.0 / self.strikes.longest_s(), 400.0)
    }

    /// Returns the number of leading modes that overlap.
    fn cluster(&self, modes: &[Mode]) -> usize {
        let mut high = f64::NEG_INFINITY;
        let mut count = 0;
        for mode in modes.iter().take(CLUSTER) {
            let (hz, reach) = (self.strikes.hz(mode.s), self.reach_hz(mode));
            if count > 0 && hz - reach > high {
                break;
            }
            high = high.max(hz + reach);
            count += 1;
        }
        count.max(1)
    }

    fn refine_together(&self, own: Vec<Mode>, others: &[Mode]) -> Vec<Mode> {
        let (mut low, mut high, mut slowest) = (f64::INFINITY, 0.0f64, f64::INFINITY);
        for mode in &own {
            let (hz, reach) = (self.strikes.hz(mode.s), self.reach_hz(mode));
            (low, high) = (low.min(hz - reach), high.max(hz + reach));
            slowest = slowest.min(-mode.s.re);
        }
        let range = (low.max(0.5 * self.options.min_hz), high.min(0.5 * self.strikes.rate_hz));
        let local = LocalFit::new(self.strikes, range, 8.0 / slowest, others, &own);
        let poles: Vec<Complex64> = own.iter().map(|m| m.s).collect();
        match local.amplitudes(&poles) {
            Some(fit) => local.pruned(local.refined(fit, 6)).map_or(own, Fit::into_modes),
            None => own,
        }
    }

    /// Drops modes below the noise, hums without decay and transients without oscillation.
    fn prune(&mut self) {
        let strikes = &*self.strikes;
        let (min_hz, max_hz) = (self.options.min_hz, self.highest_hz());
        let seconds = strikes.longest_s();
        self.modes.retain(|mode| {
            let (f, d) = (strikes.hz(mode.s), -mode.s.re * strikes.rate_hz);
            // A hum does not decay; a transient decays within its first period.
            let hum = seconds >= 1.0 && d * seconds < 0.05;
            let transient = d > 0.5 * 2.0 * PI * f;
            (min_hz..=max_hz).contains(&f) && !hum && !transient && strikes.level_db(mode) >= 0.0
        });
    }
}

/// Calls back with the centre, the width and the score of every run of bins with more power than
/// noise of unit mean is likely to have.
fn excess(power: &[f64], found: &mut dyn FnMut(f64, f64, f64)) {
    let mut sums = Vec::with_capacity(power.len() + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    for p in power {
        sum += p;
        sums.push(sum);
    }
    for width in [1usize, 4, 16, 64, 256, 1024] {
        let w = width as f64;
        let step = (width / 4).max(1);
        for from in (1..power.len().saturating_sub(width)).step_by(step) {
            let over = sums[from + width] - sums[from] - w;
            let score = over - EXCESS_SIGMAS * w.sqrt() - SINGLE_BIN_TAIL - NOISE_UNCERTAINTY * w;
            if score > 0.0 {
                found(from as f64 + 0.5 * (w - 1.0), w, score);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_sticks_out_is_looked_at() {
        let mut power = vec![1.0; 5000];
        excess(&power, &mut |_, _, _| panic!("noise is no excess"));
        power[1234] = 50.0;
        let mut best = (0.0, 0.0);
        excess(&power, &mut |bin, _, score| {
            if score > best.1 {
                best = (bin, score);
            }
        });
        assert_eq!(best.0, 1234.0);
    }
}
