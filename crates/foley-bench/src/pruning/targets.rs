//! What is promised of our rule.

use serde_json::{Value, json};

use super::curve::worst_margin;
use super::measure::Row;

const FASTER: f64 = 7.0;
const DECIDING_PERCENT: f64 = 5.0;
const SHARE_PERCENT: f64 = 10.0;
const MOS: f64 = 4.5;
/// Of quality, what two digits do not show.
const ROUNDING: f64 = 0.01;

/// Each promise with its figure; those about quality only when an ear has heard the sounds.
pub(super) fn of(rows: &[Row]) -> Vec<Value> {
    let Some(ours) = rows.iter().find(|row| row.rule.key == "partials") else { return Vec::new() };
    let full = &rows[0];
    let deciding = ours.deciding_of_saved(full).unwrap_or_default();
    let mut promises = vec![
        at_least("times_faster", "less time than every mode, ×", full.cpu / ours.cpu, FASTER),
        at_most("deciding", "deciding, % of what it saves", 100.0 * deciding, DECIDING_PERCENT),
        at_most("share", "modes computed, %", 100.0 * ours.share, SHARE_PERCENT),
    ];
    if let Some(score) = ours.score {
        promises.push(at_least("mos", "Zimtohrli's MOS", score.zimtohrli_mos, MOS));
    }
    let points = |ours: bool| {
        let mine = rows.iter().filter(move |row| if ours { row.is_ours() } else { row.is_paper() });
        mine.filter_map(Row::point).collect::<Vec<_>>()
    };
    if let Some(margin) = worst_margin(&points(true), &points(false)) {
        let name = "MOS above the paper's rule with no more modes, at worst";
        let kept = margin >= -ROUNDING;
        promises.push(promise("curve", name, margin, ("≥", 0.0), kept));
    }
    promises
}

fn at_least(key: &str, name: &str, figure: f64, promised: f64) -> Value {
    promise(key, name, figure, ("≥", promised), figure >= promised)
}

fn at_most(key: &str, name: &str, figure: f64, promised: f64) -> Value {
    promise(key, name, figure, ("≤", promised), figure <= promised)
}

fn promise(key: &str, name: &str, figure: f64, (sign, promised): (&str, f64), kept: bool) -> Value {
    json!({
        "key": key, "name": name, "figure": figure, "sign": sign, "promised": promised,
        "kept": kept,
    })
}
