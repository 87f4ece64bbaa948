//! Stream compaction: packs the audible bands side by side, sixteen to a row.

use super::oscillators::{FADE_SAMPLES, Partials, Span};
use crate::simd::{LANES, Pair, Row, flat, flat_mut};

/// Marks a band without a partial.
const NONE: u32 = u32::MAX;

/// What a band does in a block, besides nothing (0): fade out, or sound.
pub(crate) const FADES_OUT: f32 = 1.0;
pub(crate) const SOUNDS: f32 = 2.0;

/// The partials of a block and their bands.
#[derive(Debug, Clone)]
pub(crate) struct Compaction {
    pub(crate) partials: Partials,
    /// The band of each partial.
    bands: Vec<u32>,
    /// The partial of each sounding band, or [`NONE`].
    partial: Vec<u32>,
    /// The loudest band of each row relative to its threshold, to choose among rows.
    order: Vec<(f32, usize)>,
}

impl Compaction {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            partials: Partials::new(rows),
            bands: Vec::with_capacity(rows * LANES),
            partial: vec![NONE; rows * LANES],
            order: Vec::with_capacity(rows),
        }
    }

    /// Packs the bands that sound or fade out. Returns their number.
    pub(crate) fn pack(&mut self, action: &[Row], plan: &Partials) -> usize {
        let Self { partials, bands, partial, .. } = self;
        bands.clear();
        for ((band, action), partial) in (0..).zip(flat(action)).zip(partial.iter_mut()) {
            *partial = if *action == SOUNDS { bands.len() as u32 } else { NONE };
            if *action > 0.0 {
                bands.push(band);
            }
        }
        let rows = bands.len().div_ceil(LANES);
        partials.spans.clear();
        partials.spans.resize(rows, Span::Full);
        let Partials { carrier, amplitude, slope, slope_change, .. } = partials;
        let columns = [
            (carrier, &plan.carrier),
            (amplitude, &plan.amplitude),
            (slope, &plan.slope),
            (slope_change, &plan.slope_change),
        ];
        for (packed, plan) in columns {
            for (packed, plan) in [(&mut packed.re, &plan.re), (&mut packed.im, &plan.im)] {
                let (packed, plan) = (flat_mut(&mut packed[..rows]), flat(plan));
                let (sounding, empty) = packed.split_at_mut(bands.len());
                for (packed, band) in sounding.iter_mut().zip(&*bands) {
                    *packed = plan[*band as usize];
                }
                empty.fill(0.0);
            }
        }
        // Carriers of unused lanes are 1, since the impulse code divides by them.
        flat_mut(&mut partials.carrier.re[..rows])[bands.len()..].fill(1.0);
        bands.len()
    }

    /// Returns the number of rows of partials.
    pub(crate) fn rows(&self) -> usize {
        self.partials.spans.len()
    }

    /// Returns the partial of a sounding band.
    #[inline(always)]
    pub(crate) fn of(&self, band: usize) -> Option<usize> {
        self.partial.get(band).filter(|partial| **partial != NONE).map(|p| *p as usize)
    }

    /// Keeps the `most` loudest rows. The others fade out within [`FADE_SAMPLES`], and their bands
    /// restart from zero.
    pub(crate) fn limit_rows(&mut self, most: usize, loudness: &[Row], start: &mut Pair) {
        let Self { partials, bands, partial, order } = self;
        let loudest = |bands: &[u32]| {
            bands.iter().map(|band| flat(loudness)[*band as usize]).fold(0.0, f32::max)
        };
        order.clear();
        order.extend(bands.chunks(LANES).map(loudest).zip(0..));
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let share = -1.0 / FADE_SAMPLES as f32;
        for (_, row) in order.iter().skip(most).copied() {
            let Partials { amplitude, slope, slope_change, spans, .. } = &mut *partials;
            (slope_change.re[row], slope_change.im[row]) = (Row::default(), Row::default());
            slope.re[row] = Row(amplitude.re[row].0.map(|a| share * a));
            slope.im[row] = Row(amplitude.im[row].0.map(|a| share * a));
            spans[row] = Span::ShortFade;
            for band in bands.iter().skip(row * LANES).take(LANES).map(|band| *band as usize) {
                flat_mut(&mut start.re)[band] = 0.0;
                flat_mut(&mut start.im)[band] = 0.0;
                partial[band] = NONE;
            }
        }
    }

    /// Zeroes the amplitudes after a pass, so that the next pass adds impulses only.
    pub(crate) fn clear(&mut self) {
        let rows = self.rows();
        let Partials { amplitude, slope, slope_change, .. } = &mut self.partials;
        for pair in [amplitude, slope, slope_change] {
            pair.re[..rows].fill(Row::default());
            pair.im[..rows].fill(Row::default());
        }
    }
}
