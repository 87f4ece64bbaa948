//! Legend: names of lines and marks, in rows above a panel.

use anyhow::Result;

use crate::layout::curve::{self, Mark, Pen};
use crate::layout::panel::NUMBERS;
use crate::picture::color::{Color, FAINT, LABEL};
use crate::picture::font::Face;
use crate::picture::{Anchor, Picture};

/// Height of a row, pixels.
const ROW: f32 = 29.0;
/// Length of a line sample, pixels.
const SAMPLE: f32 = 34.0;
/// Gaps between a sample and its name, and between a name and the next sample, pixels.
const GAPS: (f32, f32) = (10.0, 34.0);
/// Most entries that are named; further ones are counted.
const MOST: usize = 24;

/// A line or a mark with its name.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Name.
    pub name: String,
    /// The line, if any.
    pub pen: Option<Pen>,
    /// The mark, its radius and its colour, if any.
    pub mark: Option<(Mark, f32, Color)>,
}

/// Entries in rows.
#[derive(Debug)]
pub(crate) struct Legend {
    /// Entries, each with its row and its left end, pixels from the left of the rows.
    placed: Vec<(Entry, usize, f32)>,
    rows: usize,
}

impl Legend {
    /// Lays out entries in rows of this width, pixels.
    pub(crate) fn new(mut entries: Vec<Entry>, width: f32) -> Result<Self> {
        let face = Face::new(false)?;
        let more = entries.len().saturating_sub(MOST);
        entries.truncate(MOST);
        if more > 0 {
            entries.push(Entry { name: format!("… and {more} more"), pen: None, mark: None });
        }
        let (mut row, mut x, mut placed) = (0, 0.0, Vec::new());
        for mut entry in entries {
            entry.name = face.fitted(&entry.name, NUMBERS, width - entry.sample_width());
            let own = entry.sample_width() + face.width(&entry.name, NUMBERS);
            if x > 0.0 && x + own > width {
                (row, x) = (row + 1, 0.0);
            }
            placed.push((entry, row, x));
            x += own + GAPS.1;
        }
        let rows = if placed.is_empty() { 0 } else { row + 1 };
        Ok(Self { placed, rows })
    }

    /// Returns the height of all rows, pixels.
    pub(crate) fn height(&self) -> f32 {
        ROW * self.rows as f32
    }

    /// Draws the rows from this corner.
    pub(crate) fn draw(&self, picture: &mut Picture, (left, top): (f32, f32)) {
        for (entry, row, x) in &self.placed {
            let (x, y) = (left + x, top + ROW * (*row as f32 + 0.5));
            if let Some(pen) = entry.pen {
                curve::stroke(picture, vec![(x, y), (x + SAMPLE, y)], pen);
            }
            if let Some((mark, radius, color)) = entry.mark {
                let middle = if entry.pen.is_some() { 0.5 * SAMPLE } else { 8.0 };
                curve::put(picture, (x + middle, y), mark, radius, color);
            }
            let at = (x + entry.sample_width(), y + 0.36 * NUMBERS);
            let color = if entry.sample_width() > 0.0 { LABEL } else { FAINT };
            picture.text(at, NUMBERS, Anchor::Start, color, &entry.name);
        }
    }
}

impl Entry {
    fn sample_width(&self) -> f32 {
        match (self.pen, self.mark) {
            (Some(_), _) => SAMPLE + GAPS.0,
            (None, Some(_)) => 16.0 + GAPS.0,
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> Entry {
        Entry { name: name.into(), pen: None, mark: Some((Mark::Disc, 5.0, LABEL)) }
    }

    #[test]
    fn entries_flow_into_rows_and_never_overlap() {
        let face = Face::new(false).unwrap();
        let entries: Vec<Entry> = (0..20).map(|i| entry(&"name ".repeat(1 + i % 5))).collect();
        let legend = Legend::new(entries, 600.0).unwrap();
        assert!(legend.rows > 2 && legend.height() == ROW * legend.rows as f32);
        let end =
            |(e, _, x): &(Entry, usize, f32)| x + e.sample_width() + face.width(&e.name, NUMBERS);
        for pair in legend.placed.windows(2) {
            let next_row = pair[1].1 == pair[0].1 + 1 && pair[1].2 == 0.0;
            assert!(next_row || (pair[1].1 == pair[0].1 && pair[1].2 > end(&pair[0])));
        }
        assert!(legend.placed.iter().all(|p| end(p) <= 600.0));
    }

    #[test]
    fn none_one_too_long_and_too_many() {
        assert_eq!(Legend::new(vec![], 600.0).unwrap().height(), 0.0);
        let long = Legend::new(vec![entry(&"long\n".repeat(999))], 600.0).unwrap();
        assert!(long.rows == 1 && long.placed[0].0.name.ends_with('…'));
        let many = Legend::new(vec![entry("x"); 1000], 600.0).unwrap();
        assert_eq!(many.placed.last().unwrap().0.name, "… and 976 more");
    }
}
