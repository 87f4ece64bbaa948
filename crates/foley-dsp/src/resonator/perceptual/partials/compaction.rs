//! Only the cells that are heard sing: they stand together, sixteen to a row.

use crate::resonator::perceptual::partials::oscillators::{BRIEF, Partials, Span};
use crate::simd::{LANES, Pair, Row, flat, flat_mut};

/// A cell that is not heard.
const NOBODY: u32 = u32::MAX;

/// What a cell does in a block: nothing, end what it began, sing.
pub(crate) const ENDS: f32 = 1.0;
pub(crate) const SINGS: f32 = 2.0;

/// The partials of a block, and which cells they are.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    pub(crate) partials: Partials,
    /// The cell of each partial.
    cells: Vec<u32>,
    /// The partial of each cell that is heard, or [`NOBODY`].
    partial: Vec<u32>,
    /// The loudest cell of each row over its threshold, to choose among rows.
    order: Vec<(f32, usize)>,
}

impl Packing {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            partials: Partials::new(rows),
            cells: Vec::with_capacity(rows * LANES),
            partial: vec![NOBODY; rows * LANES],
            order: Vec::with_capacity(rows),
        }
    }

    /// Packs the cells that sing or end. Returns how many there are.
    pub(crate) fn pack(&mut self, does: &[Row], plan: &Partials) -> usize {
        let Self { partials, cells, partial, .. } = self;
        cells.clear();
        for ((cell, does), partial) in (0..).zip(flat(does)).zip(partial.iter_mut()) {
            *partial = if *does == SINGS { cells.len() as u32 } else { NOBODY };
            if *does > 0.0 {
                cells.push(cell);
            }
        }
        let rows = cells.len().div_ceil(LANES);
        partials.spans.clear();
        partials.spans.resize(rows, Span::Whole);
        let Partials { carrier, amplitude, slope, bend, .. } = partials;
        let columns = [
            (carrier, &plan.carrier),
            (amplitude, &plan.amplitude),
            (slope, &plan.slope),
            (bend, &plan.bend),
        ];
        for (packed, plan) in columns {
            for (packed, plan) in [(&mut packed.re, &plan.re), (&mut packed.im, &plan.im)] {
                let (packed, plan) = (flat_mut(&mut packed[..rows]), flat(plan));
                let (sing, empty) = packed.split_at_mut(cells.len());
                for (packed, cell) in sing.iter_mut().zip(&*cells) {
                    *packed = plan[*cell as usize];
                }
                empty.fill(0.0);
            }
        }
        // Nobody's carrier stands still: it can be divided by.
        flat_mut(&mut partials.carrier.re[..rows])[cells.len()..].fill(1.0);
        cells.len()
    }

    /// Rows of partials.
    pub(crate) fn rows(&self) -> usize {
        self.partials.spans.len()
    }

    /// The partial of a cell that is heard.
    #[inline(always)]
    pub(crate) fn of(&self, cell: usize) -> Option<usize> {
        self.partial.get(cell).filter(|partial| **partial != NOBODY).map(|p| *p as usize)
    }

    /// There is time for so many rows only: the others fade at once, the softest first, and
    /// their cells start from nothing afterwards.
    pub(crate) fn limit(&mut self, most: usize, loudness: &[Row], start: &mut Pair) {
        let Self { partials, cells, partial, order } = self;
        let louder = |cells: &[u32]| {
            cells.iter().map(|cell| flat(loudness)[*cell as usize]).fold(0.0, f32::max)
        };
        order.clear();
        order.extend(cells.chunks(LANES).map(louder).zip(0..));
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let share = -1.0 / BRIEF as f32;
        for (_, row) in order.iter().skip(most).copied() {
            let Partials { amplitude, slope, bend, spans, .. } = &mut *partials;
            (bend.re[row], bend.im[row]) = (Row::default(), Row::default());
            slope.re[row] = Row(amplitude.re[row].0.map(|a| share * a));
            slope.im[row] = Row(amplitude.im[row].0.map(|a| share * a));
            spans[row] = Span::Brief;
            for cell in cells.iter().skip(row * LANES).take(LANES).map(|cell| *cell as usize) {
                flat_mut(&mut start.re)[cell] = 0.0;
                flat_mut(&mut start.im)[cell] = 0.0;
                partial[cell] = NOBODY;
            }
        }
    }

    /// The partials have been sung; what comes now comes on top.
    pub(crate) fn hush(&mut self) {
        let rows = self.rows();
        let Partials { amplitude, slope, bend, .. } = &mut self.partials;
        for pair in [amplitude, slope, bend] {
            pair.re[..rows].fill(Row::default());
            pair.im[..rows].fill(Row::default());
        }
    }
}
