//! Picture of quality over the share of modes computed, for each scene.

use anyhow::Result;
use std::path::Path;

use super::measure::{Measured, Row};
use super::pareto_front::pareto_front;
use foley_plot::AtomicFile;
use foley_plot::{Axis, LineChart, SERIES, Series, draw_line_chart};

/// Draws Foley's method as solid lines and the paper's dashed, one colour for each scene.
pub(crate) fn draw(measured: &[Measured], path: &Path) -> Result<AtomicFile> {
    let mut series = Vec::new();
    for (dashed, whose, is_theirs) in
        [(false, "", Row::is_ours as fn(&Row) -> bool), (true, "the paper, ", Row::is_paper)]
    {
        series.extend(measured.iter().enumerate().map(|(i, scene)| {
            let rows = scene.rows.iter().filter(|row| is_theirs(row));
            let mut points = pareto_front(rows.filter_map(Row::point).collect());
            points.iter_mut().for_each(|point| point.0 *= 100.0);
            let name = format!("{whose}{}", scene.scene);
            let color = Some(SERIES[i % SERIES.len()]);
            Series { name, points, markers: true, color, dashed }
        }));
    }
    let lines = LineChart {
        title: "What is left out, and what is heard of it".into(),
        facts:
            "our partials, dashed the paper's rule, each at its best settings; 5 is no difference"
                .into(),
        x: Axis::log("Modes computed (%)"),
        y: Axis::linear("Quality by Zimtohrli (MOS)"),
        series,
    };
    draw_line_chart(&lines, path)
}
