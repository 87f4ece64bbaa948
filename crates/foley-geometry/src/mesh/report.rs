//! What was found in a mesh and what was done about it.

use super::Facts;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a repair changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Repairs {
    /// Vertices before.
    pub vertices_read: usize,
    /// Triangles before.
    pub triangles_read: usize,
    /// Vertices that were joined to another in the same place.
    pub welded: usize,
    /// Vertices that no triangle uses.
    pub unused: usize,
    /// Triangles without area.
    pub degenerate: usize,
    /// Triangles that were there already, whatever their winding.
    pub duplicate: usize,
    /// Triangles that were turned over.
    pub flipped: usize,
}

/// A mesh's certificate: shown to people by `Display`, to programs by serde.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What was changed.
    pub repairs: Repairs,
    /// What the mesh is now.
    pub facts: Facts,
    /// What its owner should look at, in sentences.
    pub notes: Vec<String>,
}

impl Report {
    pub(super) fn new(repairs: Repairs, facts: Facts, units: Option<String>) -> Self {
        let mut notes = Vec::new();
        notes.extend(units);
        if facts.pieces > 1 {
            notes.push(format!("{} pieces that do not touch: each sounds alone", facts.pieces));
        }
        if facts.non_manifold_edges > 0 {
            let n = facts.non_manifold_edges;
            notes.push(format!("{n} edges with more than two triangles: inner walls or seams"));
        }
        if facts.twisted_edges > 0 {
            let n = facts.twisted_edges;
            notes.push(format!("{n} edges where the surface turns into its own back"));
        }
        if !facts.closed && facts.volume_m3.is_none() && facts.open_edges > 0 {
            let (holes, edges) = (facts.holes, facts.open_edges);
            notes.push(format!("open: {edges} edges in {holes} rims or holes"));
        }
        Self { repairs, facts, notes }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (r, m) = (&self.repairs, &self.facts);
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

/// A length in a unit that suits it.
fn length(metres: f64) -> String {
    match metres {
        0.0 => "0".to_owned(),
        m if m < 1e-6 => format!("{m:.2e} m"),
        m if m < 1.0 => format!("{} mm", short(m * 1e3)),
        m => format!("{} m", short(m)),
    }
}

/// Four digits, without a tail of zeros.
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
