//! How an object's modes are gathered into cells; shared by all objects of a model.

use num_complex::Complex64;

use super::cells::Cells;
use crate::perception::{bark_from_hz, hearing_threshold_db};
use crate::resonator::layout::Pole;
use crate::resonator::tiles::{Tile, pack};
use crate::simd::{LANES, Row, flat_mut};

/// Places and constants of gathered modes.
#[derive(Debug, Clone)]
pub(crate) struct Gathering {
    /// Sixteen cells and the rows of modes below them, the slowest decays first.
    pub(crate) tiles: Vec<Tile>,
    /// Frequency against the middle of the cell, radians per sample.
    pub(crate) offset: Box<[Row]>,
    /// d/f_s.
    pub(crate) decay: Box<[Row]>,
    /// log2 of the hearing threshold's energy, lane by lane of each tile.
    pub(crate) threshold: Box<[Row]>,
    /// Modes of each row.
    pub(crate) population: Box<[u8]>,
    /// What the slowest mode keeps of its energy over a block.
    pub(crate) keeps: f32,
    /// First and last whole Bark with a mode.
    pub(crate) barks: (usize, usize),
}

impl Gathering {
    /// Gathers the modes that sound (`order`, by rising frequency); notes their slots.
    /// Returns the gathering and how many rows it takes.
    pub(crate) fn new(
        poles: &[Pole],
        order: &[usize],
        sample_rate_hz: f64,
        block: usize,
        slots: &mut [Option<usize>],
    ) -> (Self, usize) {
        let cells = Cells::new(sample_rate_hz, block);
        let hz = |lambda: Complex64| lambda.im * sample_rate_hz / std::f64::consts::TAU;
        let mut columns: Vec<(u32, Vec<usize>)> = Vec::new();
        for &m in order {
            let cell = cells.of(hz(poles[m].lambda)) as u32;
            match columns.last_mut() {
                Some((last, modes)) if *last == cell => modes.push(m),
                _ => columns.push((cell, vec![m])),
            }
        }
        for (_, modes) in &mut columns {
            modes.sort_by(|&a, &b| poles[b].lambda.re.total_cmp(&poles[a].lambda.re));
        }
        let (tiles, rows) = pack(&columns, cells.len() as u32, slots);
        let zeros = || vec![Row::default(); rows].into_boxed_slice();
        let (mut offset, mut decay) = (zeros(), zeros());
        let mut population = vec![0; rows].into_boxed_slice();
        let mut slowest = f64::INFINITY;
        let mut barks = (usize::MAX, 0);
        for (m, slot) in slots.iter().enumerate().filter_map(|(m, slot)| slot.map(|s| (m, s))) {
            let Pole { lambda } = poles[m];
            let f = hz(lambda);
            let centre = cells.centre_hz(cells.of(f)) * std::f64::consts::TAU / sample_rate_hz;
            flat_mut(&mut offset)[slot] = (lambda.im - centre) as f32;
            flat_mut(&mut decay)[slot] = -lambda.re as f32;
            population[slot / LANES] += 1;
            slowest = slowest.min(-lambda.re);
            let bark = bark_from_hz(f) as usize;
            barks = (barks.0.min(bark), barks.1.max(bark));
        }
        let threshold = tiles.iter().map(|tile| {
            Row(tile.cells.map(|c| {
                let f = if (c as usize) < cells.len() { cells.centre_hz(c as usize) } else { 1e3 };
                threshold_log2(f)
            }))
        });
        let keeps = (-2.0 * slowest * block as f64).exp() as f32;
        let threshold = threshold.collect();
        (Self { tiles, offset, decay, threshold, population, keeps, barks }, rows)
    }
}

/// log2 of the hearing threshold's energy, in multiples of 0 dB SPL.
fn threshold_log2(f_hz: f64) -> f32 {
    (hearing_threshold_db(f_hz.max(20.0)) / 10.0 * std::f64::consts::LOG2_10) as f32
}
