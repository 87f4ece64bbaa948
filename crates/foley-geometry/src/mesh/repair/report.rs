//! Report of a repair: changes, measures and notes.

use crate::mesh::Measures;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Counts of what a repair changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repairs {
    /// Vertices before the repair.
    pub vertices_read: usize,
    /// Triangles before the repair.
    pub triangles_read: usize,
    /// Vertices merged into another at the same place.
    pub welded: usize,
    /// Vertices dropped because no triangle uses them.
    pub unused: usize,
    /// Degenerate triangles dropped.
    pub degenerate: usize,
    /// Duplicate triangles dropped, whatever their winding.
    pub duplicate: usize,
    /// Triangles whose winding was reversed.
    pub flipped: usize,
}

/// Report of a repair, as text by `Display` and as data by serde.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// Changes.
    pub repairs: Repairs,
    /// Measures of the repaired mesh.
    pub measures: Measures,
    /// Remarks to the owner of the mesh, in sentences.
    pub notes: Vec<String>,
}

impl Report {
    pub(super) fn new(repairs: Repairs, measures: Measures, units: Option<String>) -> Self {
        let mut notes = Vec::new();
        notes.extend(units);
        if measures.pieces > 1 {
            notes.push(format!("{} pieces that do not touch: each sounds alone", measures.pieces));
        }
        if measures.non_manifold_edges > 0 {
            let n = measures.non_manifold_edges;
            notes.push(format!("{n} edges with more than two triangles: inner walls or seams"));
        }
        if measures.twisted_edges > 0 {
            let n = measures.twisted_edges;
            notes.push(format!("{n} edges where the surface turns into its own back"));
        }
        if !measures.closed && measures.volume_m3.is_none() && measures.open_edges > 0 {
            let (holes, edges) = (measures.holes, measures.open_edges);
            notes.push(format!("open: {edges} edges in {holes} rims or holes"));
        }
        Self { repairs, measures, notes }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (r, m) = (&self.repairs, &self.measures);
        let [low, high] = m.bounds_m;
        let side = |i: usize| length(high[i] - low[i]);
        writeln!(f, "{} vertices, {} triangles, {} piece(s)", m.vertices, m.triangles, m.pieces)?;
        writeln!(f, "size    {} x {} x {}", side(0), side(1), side(2))?;
        writeln!(f, "edges   {} on average", length(m.mean_edge_m))?;
        writeln!(f, "area    {} m2", short(m.area_m2))?;
        match m.volume_m3 {
            Some(volume) => writeln!(f, "closed, volume {} m3", short(volume))?,
            None => writeln!(f, "not closed")?,
        }
        let changes = [
            (r.welded, "vertices welded"),
            (r.unused, "unused vertices dropped"),
            (r.degenerate, "triangles without area dropped"),
            (r.duplicate, "duplicate triangles dropped"),
            (r.flipped, "triangles turned over"),
        ];
        for (count, what) in changes.iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "repair  {count} {what}")?;
        }
        for note in &self.notes {
            writeln!(f, "note    {note}")?;
        }
        Ok(())
    }
}

/// Formats a length in mm or m.
fn length(metres: f64) -> String {
    match metres {
        0.0 => "0".to_owned(),
        m if m < 1e-6 => format!("{m:.2e} m"),
        m if m < 1.0 => format!("{} mm", short(m * 1e3)),
        m => format!("{} m", short(m)),
    }
}

/// Formats four digits without trailing zeros.
fn short(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let digits = (3 - value.abs().max(1e-3).log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
