//! Targets of perceptual synthesis.

use serde_json::{Value, json};

use super::measure::Row;
use super::pareto_front::worst_margin;

const FASTER: f64 = 7.0;
const DECIDING_PERCENT: f64 = 5.0;
const SHARE_PERCENT: f64 = 10.0;
const MOS: f64 = 4.5;
/// Tolerance of quality: less than two digits show.
const ROUNDING: f64 = 0.01;

/// Returns each target with its figure; targets of quality only where there are scores.
pub(crate) fn check(rows: &[Row]) -> Vec<Value> {
    let Some(ours) = rows.iter().find(|row| row.method.key == "partials") else {
        return Vec::new();
    };
    let full = &rows[0];
    let deciding = ours.deciding_of_saved(full).unwrap_or_default();
    let mut targets = vec![
        at_least("times_faster", "less time than every mode, ×", full.cpu / ours.cpu, FASTER),
        at_most("deciding", "deciding, % of what it saves", 100.0 * deciding, DECIDING_PERCENT),
        at_most("share", "modes computed, %", 100.0 * ours.share, SHARE_PERCENT),
    ];
    if let Some(score) = ours.score {
        targets.push(at_least("mos", "Zimtohrli's MOS", score.zimtohrli_mos, MOS));
    }
    let points = |ours: bool| {
        let mine = rows.iter().filter(move |row| if ours { row.is_ours() } else { row.is_paper() });
        mine.filter_map(Row::point).collect::<Vec<_>>()
    };
    if let Some(margin) = worst_margin(&points(true), &points(false)) {
        let name = "MOS above the paper's rule with no more modes, at worst";
        let met = margin >= -ROUNDING;
        targets.push(target("curve", name, margin, ("≥", 0.0), met));
    }
    targets
}

fn at_least(key: &str, name: &str, figure: f64, value: f64) -> Value {
    target(key, name, figure, ("≥", value), figure >= value)
}

fn at_most(key: &str, name: &str, figure: f64, value: f64) -> Value {
    target(key, name, figure, ("≤", value), figure <= value)
}

fn target(key: &str, name: &str, figure: f64, (sign, value): (&str, f64), met: bool) -> Value {
    json!({
        "key": key, "name": name, "figure": figure, "sign": sign, "target": value,
        "met": met,
    })
}
