//! Packs cells of modes into vectors.
//!
//! A *tile* puts sixteen cells side by side, one per lane; its rows run down through the modes of
//! each cell. Columns of about equal depth share a tile, so that few slots are empty, whether an
//! object has one mode per cell or hundreds (then a cell fills several lanes, or continues in
//! another tile). A cell is one of the spectral grid, or a band of perceptual synthesis.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::simd::LANES;

/// Largest depth of a tile.
const DEPTH: usize = 32;

/// Sixteen cells and their rows of modes.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) first_row: usize,
    pub(crate) rows: usize,
    /// Cell of each lane; unused lanes have the waste cell.
    pub(crate) cells: [u32; LANES],
    /// Decays so fast that silence must be detected in every block.
    pub(crate) fast: bool,
}

/// Packs cells (number, modes) into tiles and sets the slot of each mode; lanes without a cell get
/// `waste`. Returns the tiles and their number of rows.
pub(crate) fn pack(
    cells: &[(u32, Vec<usize>)],
    waste: u32,
    slots: &mut [Option<usize>],
) -> (Vec<Tile>, usize) {
    let parts = cells.iter().flat_map(|(c, modes)| modes.chunks(DEPTH).map(move |p| (*c, p)));
    let mut columns: BinaryHeap<(usize, Reverse<u32>, &[usize])> =
        parts.map(|(cell, modes)| (modes.len(), Reverse(cell), modes)).collect();
    let mut tiles = Vec::new();
    let mut rows = 0;
    while !columns.is_empty() {
        let group: Vec<_> = (0..LANES).filter_map(|_| columns.pop()).collect();
        let depth = depth_of(group.iter().map(|column| column.0), columns.is_empty());
        let mut tile = Tile { first_row: rows, rows: depth, cells: [waste; LANES], fast: false };
        for (lane, (_, Reverse(cell), modes)) in group.into_iter().enumerate() {
            let (here, rest) = modes.split_at(depth.min(modes.len()));
            tile.cells[lane] = cell;
            for (down, &m) in here.iter().enumerate() {
                slots[m] = Some((rows + down) * LANES + lane);
            }
            if !rest.is_empty() {
                columns.push((rest.len(), Reverse(cell), rest));
            }
        }
        rows += depth;
        tiles.push(tile);
    }
    (tiles, rows)
}

/// Returns the depth of a tile of these columns, longest first: as deep as leaves at most one slot
/// in sixteen empty, or the longest column when no more columns follow.
fn depth_of(lengths: impl Iterator<Item = usize> + Clone, last: bool) -> usize {
    let longest = lengths.clone().next().unwrap_or(1);
    let empty = |depth: usize| lengths.clone().map(|l| depth.saturating_sub(l)).sum::<usize>();
    let good = |depth: &usize| last || empty(*depth) <= *depth;
    (1..=longest).rev().find(good).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(sizes: &[usize]) -> f64 {
        let mut next = 0;
        let cells: Vec<(u32, Vec<usize>)> = sizes
            .iter()
            .enumerate()
            .map(|(c, &n)| {
                next += n;
                (c as u32, (next - n..next).collect())
            })
            .collect();
        let mut slots = vec![None; next];
        let (tiles, rows) = pack(&cells, 512, &mut slots);
        // Every mode has a slot of its own, in a lane of its cell.
        let mut taken = vec![false; rows * LANES];
        for (cell, modes) in &cells {
            for &m in modes {
                let slot = slots[m].unwrap();
                assert!(!std::mem::replace(&mut taken[slot], true));
                let row = slot / LANES;
                let below = |t: &&Tile| (t.first_row..t.first_row + t.rows).contains(&row);
                assert_eq!(tiles.iter().find(below).unwrap().cells[slot % LANES], *cell);
            }
        }
        next as f64 / (rows * LANES) as f64
    }

    #[test]
    fn few_places_stay_empty() {
        assert!(fill(&[1; 160]) == 1.0);
        assert!(fill(&[5000]) > 0.97);
        let skewed: Vec<usize> = (1..500).map(|k| 1 + 900 / k).collect();
        assert!(fill(&skewed) > 0.93, "{}", fill(&skewed));
        assert!(fill(&[3]) > 0.0);
    }
}
