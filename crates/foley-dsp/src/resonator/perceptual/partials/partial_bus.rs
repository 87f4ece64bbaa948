//! All banded voices of one bus: bands → partials → sound.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use super::compaction::{Compaction, FADES_OUT, SOUNDS};
use super::oscillators::{MAX_IMPULSES, Partials, TimedImpulse, render};
use crate::resonator::perceptual::bands::Bands;
use crate::resonator::perceptual::bands::band_accumulators::{
    BEND, BandAccumulator, END, ENERGY, ENERGY_DECAY, ENERGY_OFFSET, ENERGY_OFFSET_SQ,
};
use crate::resonator::perceptual::bands::band_carriers::{BandCarriers, BandCentres};
use crate::resonator::perceptual::bands::spreading::BandMasking;
use crate::resonator::perceptual::modes::advance::EnergyUpdate;
use crate::resonator::perceptual::modes::prepared_impulse::BandImpulse;
use crate::resonator::perceptual::settings::Listening;
use crate::resonator::route::Tap;
use crate::simd::{LANES, Pair, Row, flat, flat_mut};

/// A bus whose part of the energy of a band is smaller, −60 dB, is masked by the other buses. Above
/// that, what is audible does not depend on how a sound is spread over buses.
const LEAST_SHARE: f32 = 1e-6;

/// The partials of one bus. Continuous by construction: each block starts with the amplitudes at
/// which the last one ended, whichever voices start or stop in between.
#[derive(Debug)]
pub(crate) struct PartialBus {
    /// Sums over the voices of this block; see
    /// [`band_accumulators`](crate::resonator::perceptual::bands::band_accumulators). Energies are
    /// those of the last measurement plus later impulses: an upper bound.
    pub(crate) bands: Vec<BandAccumulator>,
    /// The amplitude of each band at the start of the block.
    pub(crate) start: Pair,
    pub(crate) masking: BandMasking,
    band_centres: BandCentres,
    carriers: BandCarriers,
    /// The partial of each band before compaction, its action, and its energy relative to its
    /// threshold.
    plan: Partials,
    action: Vec<Row>,
    loudness: Vec<Row>,
    compaction: Compaction,
    impulses: Vec<TimedImpulse>,
    lanes: Vec<Row>,
    /// Whether all sums and amplitudes are zero, and thresholds those in quiet.
    is_idle: bool,
}

impl PartialBus {
    pub(crate) fn new(sample_rate_hz: f64, block: usize, listening: &Listening) -> Self {
        let bands = Bands::new(sample_rate_hz, block, listening.detail);
        let rows = (bands.len() + 1).div_ceil(LANES);
        let impulse = TimedImpulse { at: 0, initial: Pair::zeros(rows), at_end: Pair::zeros(rows) };
        let band_centres = BandCentres::new(&bands, rows, sample_rate_hz, block);
        let (mut carriers, mut plan) = (BandCarriers::new(rows), Partials::new(rows));
        band_centres.reset_carriers(&mut carriers, &mut plan);
        Self {
            bands: vec![BandAccumulator::default(); rows * LANES],
            start: Pair::zeros(rows),
            masking: BandMasking::new(&bands, rows, listening.margin_db),
            band_centres,
            carriers,
            plan,
            action: vec![Row::default(); rows],
            loudness: vec![Row::default(); rows],
            compaction: Compaction::new(rows),
            impulses: vec![impulse; MAX_IMPULSES],
            lanes: vec![Row::default(); block],
            is_idle: true,
        }
    }

    /// Returns the number of rows of bands.
    pub(crate) fn rows(&self) -> usize {
        self.action.len()
    }

    /// Returns whether nothing sounds on the bus: then it costs nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// Returns whether a band was audible in the last block.
    pub(crate) fn is_audible(&self, band: usize) -> bool {
        !self.is_idle && flat(&self.action).get(band) == Some(&SOUNDS)
    }

    /// Prepares the bus for a voice.
    pub(crate) fn wake(&mut self) {
        self.is_idle = false;
    }

    /// Lets the bus rest once nothing sounds on it.
    pub(crate) fn rest_if_silent(&mut self, level: Level) {
        if !self.is_sounding() && self.compaction.rows() == 0 {
            self.masking.reset_to_quiet(level);
            self.is_idle = true;
        }
    }

    /// Adds the energy that an impulse brings in this block, times a gain.
    pub(crate) fn add_impulse_energy(&mut self, jump: &BandImpulse, gain: f32) {
        let Some(BandAccumulator(band)) = self.bands.get_mut(jump.band as usize) else { return };
        band[ENERGY] += gain * jump.energy;
        band[ENERGY_OFFSET] += gain * jump.energy_offset;
        band[ENERGY_OFFSET_SQ] += gain * jump.energy_offset_sq;
        band[ENERGY_DECAY] += gain * jump.energy_decay;
    }

    /// Adds an impulse at the first sample of the block to the start and end amplitudes.
    pub(crate) fn add_late_impulse(&mut self, jump: &BandImpulse, tap: &Tap) {
        self.add_impulse_energy(jump, tap.energy_gain());
        let (row, lane) = (jump.band as usize / LANES, jump.band as usize % LANES);
        let Some(BandAccumulator(band)) = self.bands.get_mut(jump.band as usize) else { return };
        band[END] += tap.end * jump.at_end[0];
        band[END + 1] += tap.end * jump.at_end[1];
        self.start.re[row].0[lane] += tap.start * jump.initial[0];
        self.start.im[row].0[lane] += tap.start * jump.initial[1];
    }

    /// Clears the sums; energies only when they are measured again.
    pub(crate) fn begin_block(&mut self, energy_update: EnergyUpdate) {
        match energy_update {
            EnergyUpdate::Measure => self.bands.fill(BandAccumulator::default()),
            EnergyUpdate::Reuse => self.bands.iter_mut().for_each(|BandAccumulator(band)| {
                (band[END], band[END + 1]) = (0.0, 0.0);
                (band[BEND], band[BEND + 1]) = (0.0, 0.0);
            }),
        }
    }

    /// Computes the carriers, after all voices have been accumulated.
    pub(crate) fn compute_carriers(&mut self, level: Level, block: usize) {
        let Self { band_centres, bands, carriers, plan, .. } = self;
        band_centres.compute_carriers(level, block, bands, carriers, plan);
    }

    /// Returns whether any band has energy.
    pub(crate) fn is_sounding(&self) -> bool {
        !self.carriers.rows.is_empty()
    }

    /// Returns the energies of the bands.
    pub(crate) fn energy(&self) -> &[Row] {
        &self.carriers.energy
    }

    /// Spreads the energies of this bus, up to one row beyond its own bands: farther away there is
    /// nothing to mask.
    pub(crate) fn spread(&mut self, gain: f32) {
        let Range { start, end } = self.carriers.rows.clone();
        let rows = if start < end { start.saturating_sub(1)..end + 1 } else { 0..0 };
        let rows = rows.start..rows.end.min(self.rows());
        self.masking.spread(&self.carriers.energy, rows, gain);
    }

    /// Decides which bands are audible and plans their partials, once thresholds are known. Returns
    /// the number of partials.
    pub(crate) fn plan_partials(&mut self, level: Level, block: usize, gain: f32) -> usize {
        dispatch!(level, simd => plan_rows(simd, self, block, gain));
        self.compaction.pack(&self.action, &self.plan)
    }

    /// Keeps at most `most` rows, the loudest. Returns how many are left.
    pub(crate) fn limit_rows(&mut self, most: usize) -> usize {
        let rows = self.compaction.rows();
        if rows > most {
            self.compaction.limit_rows(most, &self.loudness, &mut self.start);
        }
        rows.min(most)
    }

    /// Renders the block: partials, and impulses sorted by time.
    pub(crate) fn render<'a>(
        &mut self,
        level: Level,
        impulses: impl Iterator<Item = RoutedImpulse<'a>>,
        out: &mut [f32],
    ) {
        let mut waiting = 0;
        let mut first = true;
        for impulse in impulses {
            if waiting == MAX_IMPULSES {
                self.render_pass(level, waiting, out);
                (waiting, first) = (0, false);
            }
            let Self { impulses, compaction, carriers, start, .. } = &mut *self;
            impulses[waiting].fill(impulse, compaction, &carriers.back, start);
            waiting += 1;
        }
        if first || waiting > 0 {
            self.render_pass(level, waiting, out);
        }
    }

    fn render_pass(&mut self, level: Level, impulses: usize, out: &mut [f32]) {
        render(level, &self.compaction.partials, &self.impulses[..impulses], &mut self.lanes, out);
        self.compaction.clear();
    }

    /// Clears all amplitudes and carriers after non-finite output.
    pub(crate) fn clear(&mut self) {
        self.band_centres.reset_carriers(&mut self.carriers, &mut self.plan);
        self.bands.fill(BandAccumulator::default());
        self.start.re.fill(Row::default());
        self.start.im.fill(Row::default());
        self.is_idle = false;
    }
}

/// An impulse on one bus.
#[derive(Clone, Copy)]
pub(crate) struct RoutedImpulse<'a> {
    /// Sample of the block.
    pub(crate) at: usize,
    pub(crate) bands: &'a [BandImpulse],
    /// Gains at the impulse and at the end of the block.
    pub(crate) gain: f32,
    pub(crate) end_gain: f32,
}

impl TimedImpulse {
    /// Adds an impulse to the sounding partials, its end amplitudes relative to their carriers, and
    /// to the start of the next block.
    fn fill(
        &mut self,
        RoutedImpulse { at, bands, gain, end_gain }: RoutedImpulse<'_>,
        compaction: &Compaction,
        back: &Pair,
        start: &mut Pair,
    ) {
        self.at = at;
        let rows = compaction.rows();
        let Self { initial, at_end, .. } = self;
        let [once_re, once_im, end_re, end_im] =
            [&mut initial.re, &mut initial.im, &mut at_end.re, &mut at_end.im].map(|rows_of| {
                rows_of[..rows].fill(Row::default());
                flat_mut(rows_of)
            });
        let (back_re, back_im) = (flat(&back.re), flat(&back.im));
        let (start_re, start_im) = (flat_mut(&mut start.re), flat_mut(&mut start.im));
        for jump in bands {
            let band = jump.band as usize;
            let Some(partial) = compaction.of(band) else { continue };
            let ([r, i], hr, hi) =
                (jump.at_end.map(|x| end_gain * x), back_re[band], back_im[band]);
            start_re[band] += r;
            start_im[band] += i;
            once_re[partial] += gain * jump.initial[0];
            once_im[partial] += gain * jump.initial[1];
            end_re[partial] += hr * r - hi * i;
            end_im[partial] += hr * i + hi * r;
        }
    }
}

#[simd]
fn plan_rows<S: Simd>(simd: S, partials: &mut PartialBus, block: usize, gain: f32) {
    let width = S::f32s::LEN;
    let [zero, ends, sounds, share] =
        [0.0, FADES_OUT, SOUNDS, 1.0 / block as f32].map(|x| S::f32s::splat(simd, x));
    let PartialBus { start, masking, carriers, plan, action, loudness, .. } = partials;
    for row in 0..action.len() {
        for lane in (0..LANES).step_by(width) {
            let part = lane..lane + width;
            let load = |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[part.clone()]);
            let store = |v: S::f32s, rows: &mut [Row]| {
                v.store_slice(&mut rows[row].0[part.clone()]);
            };
            let (energy, threshold) = (load(&carriers.energy) * gain, load(&masking.threshold));
            let total = load(&masking.total);
            let on = total.simd_ge(threshold) & energy.simd_ge(threshold.max(total) * LEAST_SHARE);
            store(energy / threshold, loudness);
            let (er, ei) =
                (on.select(load(&carriers.end.re), zero), on.select(load(&carriers.end.im), zero));
            let (hr, hi) = (load(&carriers.back.re), load(&carriers.back.im));
            let (sr, si) = (load(&start.re), load(&start.im));
            store(sr, &mut plan.amplitude.re);
            store(si, &mut plan.amplitude.im);
            // The path goes through the mean of the two ends, scaled by the power compensation, plus
            // the bend of gains.
            let (br, bi) = (
                on.select(load(&carriers.bend.re), zero),
                on.select(load(&carriers.bend.im), zero),
            );
            let (br, bi) = (hr.mul_sub(br, hi * bi), hr.mul_add(bi, hi * br));
            let (tr, ti) = (hr.mul_sub(er, hi * ei) + sr, hr.mul_add(ei, hi * er) + si);
            let power_compensation = load(&carriers.power_compensation);
            let (mr, mi) =
                (tr * power_compensation + (br + br), ti * power_compensation + (bi + bi));
            store((mr - (sr + sr)) * share, &mut plan.slope.re);
            store((mi - (si + si)) * share, &mut plan.slope.im);
            store((tr - mr) * (share + share), &mut plan.slope_change.re);
            store((ti - mi) * (share + share), &mut plan.slope_change.im);
            store(er, &mut start.re);
            store(ei, &mut start.im);
            let was = sr.abs().max(si.abs()).simd_gt(zero);
            store(on.select(sounds, was.select(ends, zero)), action);
        }
    }
}
