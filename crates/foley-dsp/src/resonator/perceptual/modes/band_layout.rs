//! Assignment of the modes of an object to bands; shared by all voices of a model.

use num_complex::Complex64;

use crate::perception::{Tone, hearing_threshold_db};
use crate::resonator::layout::Pole;
use crate::resonator::layout::tiles::{Tile, pack};
use crate::resonator::perceptual::bands::Bands;
use crate::resonator::perceptual::bands::spreading::BAND_GROUP;
use crate::resonator::perceptual::masking_2004::masking_prefilter::MaskingPrefilter;
use crate::simd::{LANES, Row, flat_mut};

/// Layout and constants of banded modes.
#[derive(Debug, Clone)]
pub(crate) struct BandLayout {
    /// [`Listening::detail`](crate::resonator::Listening::detail).
    pub(crate) detail: f64,
    /// Sixteen bands and their rows of modes, the slowest decays first.
    pub(crate) tiles: Vec<Tile>,
    /// Frequency relative to the centre of the band, radians per sample.
    pub(crate) offset: Box<[Row]>,
    /// d/f_s.
    pub(crate) decay: Box<[Row]>,
    /// log2 of the energy of the hearing threshold, for each lane of each tile.
    pub(crate) threshold: Box<[Row]>,
    /// Modes per row.
    pub(crate) mode_counts: Box<[u8]>,
    /// Share of its energy that the slowest mode keeps over a block.
    pub(crate) energy_kept: f32,
    /// First and last [`BAND_GROUP`] with a mode.
    pub(crate) span: (usize, usize),
    /// The tone of each slot for the pruner of \[CS\] §4, at level −∞.
    pub(crate) tones: Box<[Tone]>,
    /// The [`MaskingPrefilter`] bin of each slot.
    pub(crate) prefilter_bins: Box<[[u16; LANES]]>,
    /// Energy at which a mode becomes audible in quiet, or slightly less, in multiples of 0 dB SPL;
    /// infinite where there is no mode.
    pub(crate) audible_energy: Box<[Row]>,
}

impl BandLayout {
    /// Assigns the sounding modes (`order`, by rising frequency) to bands and sets their slots.
    /// Returns the layout and its number of rows.
    pub(crate) fn new(
        poles: &[Pole],
        order: &[usize],
        sample_rate_hz: f64,
        block: usize,
        detail: f64,
        slots: &mut [Option<usize>],
    ) -> (Self, usize) {
        let bands = Bands::new(sample_rate_hz, block, detail);
        let hz = |lambda: Complex64| lambda.im * sample_rate_hz / std::f64::consts::TAU;
        let mut columns: Vec<(u32, Vec<usize>)> = Vec::new();
        for &m in order {
            let band = bands.of(hz(poles[m].lambda)) as u32;
            match columns.last_mut() {
                Some((last, modes)) if *last == band => modes.push(m),
                _ => columns.push((band, vec![m])),
            }
        }
        for (_, modes) in &mut columns {
            modes.sort_by(|&a, &b| poles[b].lambda.re.total_cmp(&poles[a].lambda.re));
        }
        let (tiles, rows) = pack(&columns, bands.len() as u32, slots);
        let zeros = || vec![Row::default(); rows].into_boxed_slice();
        let (mut offset, mut decay) = (zeros(), zeros());
        let mut mode_counts = vec![0; rows].into_boxed_slice();
        let mut slowest = f64::INFINITY;
        let mut span = (usize::MAX, 0);
        let mut tones = vec![Tone::new(0.0, f64::NEG_INFINITY); rows * LANES].into_boxed_slice();
        let mut prefilter_bins = vec![[0; LANES]; rows].into_boxed_slice();
        let mut audible_energy = vec![Row([f32::INFINITY; LANES]); rows].into_boxed_slice();
        for (m, slot) in slots.iter().enumerate().filter_map(|(m, slot)| slot.map(|s| (m, s))) {
            let Pole { lambda } = poles[m];
            let f = hz(lambda);
            let centre = bands.centre_hz(bands.of(f)) * std::f64::consts::TAU / sample_rate_hz;
            flat_mut(&mut offset)[slot] = (lambda.im - centre) as f32;
            flat_mut(&mut decay)[slot] = -lambda.re as f32;
            mode_counts[slot / LANES] += 1;
            slowest = slowest.min(-lambda.re);
            let group = bands.of(f) / BAND_GROUP;
            span = (span.0.min(group), span.1.max(group));
            tones[slot] = Tone::new(f, f64::NEG_INFINITY);
            prefilter_bins[slot / LANES][slot % LANES] = MaskingPrefilter::bin(&tones[slot]);
            let audible_db = tones[slot].threshold_db() - 0.01;
            flat_mut(&mut audible_energy)[slot] = 10f64.powf(audible_db / 10.0) as f32;
        }
        let threshold = tiles.iter().map(|tile| {
            Row(tile.cells.map(|c| {
                let f = if (c as usize) < bands.len() { bands.centre_hz(c as usize) } else { 1e3 };
                threshold_log2(f)
            }))
        });
        let energy_kept = (-2.0 * slowest * block as f64).exp() as f32;
        let threshold = threshold.collect();
        let band_layout = Self {
            detail,
            tiles,
            offset,
            decay,
            threshold,
            mode_counts,
            energy_kept,
            span,
            tones,
            prefilter_bins,
            audible_energy,
        };
        (band_layout, rows)
    }
}

/// Returns log2 of the energy of the hearing threshold, in multiples of 0 dB SPL.
fn threshold_log2(f_hz: f64) -> f32 {
    (hearing_threshold_db(f_hz.max(20.0)) / 10.0 * std::f64::consts::LOG2_10) as f32
}
