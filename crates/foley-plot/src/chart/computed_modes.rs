//! Oscillators computed over time, and modes present.

use foley_scene::Scene;
use foley_scene::sonify::{Rendered, computed_share};

use super::line_chart::{Axis, LineChart, Series};

/// Returns the chart of oscillators computed and modes present while a scene sounded.
pub fn computed_modes(scene: &Scene, rendered: &Rendered) -> LineChart {
    let blocks = rendered.computed_over_time(scene);
    let of = |name: &str, k: usize| Series {
        name: name.into(),
        points: blocks.iter().map(|(t, counts)| (*t, counts[k] as f64)).collect(),
        ..Series::default()
    };
    LineChart {
        title: format!("{}: modes in use", scene.title),
        facts: format!(
            "oscillators computed: {:.1} % of the modes of all that was struck so far  ·  where modes \
             take over from partials, both count",
            100.0 * computed_share(&blocks)
        ),
        x: Axis::linear("Time (s)").between(0.0, scene.seconds),
        y: Axis::log("Number"),
        series: vec![of("modes there are", 1), of("oscillators computed", 0)],
    }
}
