//! Quality over the share of modes computed: the paper's rule and ours, scene by scene.

use anyhow::Result;
use std::path::Path;

use super::measure::{Measured, Row};
use crate::plot::{Axis, Lines, SERIES, Series, draw_lines};
use crate::whole::Whole;

/// Draws ours as lines, the paper's dashed, each scene in its colour.
pub(super) fn draw(measured: &[Measured], path: &Path) -> Result<Whole> {
    let mut series = Vec::new();
    for (dashed, whose, is_theirs) in
        [(false, "", Row::is_ours as fn(&Row) -> bool), (true, "the paper, ", Row::is_paper)]
    {
        series.extend(measured.iter().enumerate().map(|(i, scene)| {
            let rows = scene.rows.iter().filter(|row| is_theirs(row));
            let mut points: Vec<(f64, f64)> = rows.filter_map(Row::point).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points.iter_mut().for_each(|point| point.0 *= 100.0);
            let name = format!("{whose}{}", scene.scene);
            let color = Some(SERIES[i % SERIES.len()]);
            Series { name, points, markers: true, color, dashed }
        }));
    }
    let lines = Lines {
        title: "What is left out, and what is heard of it".into(),
        facts: "our partials, and dashed the paper's rule; 5 is no difference".into(),
        x: Axis::log("Modes computed (%)"),
        y: Axis::linear("Quality by Zimtohrli (MOS)").between(1.0, 5.05),
        series,
    };
    draw_lines(&lines, path)
}
