//! The rings of [LS], Figures 7 and 8: audio frames a second, each acceleration on and off.
//!
//! A frame is sound for one picture of a hundred a second. Time is processor time of the audio
//! thread; a budget of half of what the densest block needs comes on top of all.

use anyhow::Result;
use foley_engine::{Budget, DEFAULT_PLAYBACK_DB};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::path::Path;

use super::accelerations;
use crate::bench::clock::median;
use crate::bench::level::full_scale_pa;
use crate::bench::take::{Level, Part, Rule, Take, medians, take};
use crate::scene::Scene;
use foley_plot::AtomicFile;
use foley_plot::{Axis, Lines, Series, draw_lines};

/// Pictures a second.
const PICTURES: f64 = 100.0;
/// The time is taken for so many samples, about a picture.
const STEP: usize = 512;
const RATE: f64 = 48_000.0;
/// Frames a second are averaged over so many steps.
const AVERAGE: usize = 9;
/// What the budget leaves of what the densest block needs.
const BUDGET: f64 = 0.5;

/// What was measured.
pub(super) struct Rings {
    modes: usize,
    seconds: f64,
    budget_us: f64,
    rows: Vec<Row>,
}

/// One combination of accelerations.
struct Row {
    rule: Rule,
    share: f64,
    left_out: f64,
    cpu: f64,
    /// Frames a second over time, s.
    curve: Vec<(f64, f64)>,
}

pub(super) fn measure(rounds: usize, bar: &ProgressBar) -> Result<Rings> {
    let scene = Scene::named("rings")?;
    let playback_db = DEFAULT_PLAYBACK_DB;
    let level = Level { full_scale_pa: full_scale_pa(&scene)?, playback_db };
    let mut rules = accelerations();
    let budget_us = BUDGET * most_us(&scene, &rules[rules.len() - 1], level)?;
    rules.extend(rules.last().cloned().map(|all| Rule {
        name: "+ budget".into(),
        key: "budget".into(),
        budget: Some(Budget::offline(budget_us)),
        ..all
    }));
    bar.set_message("rings");
    bar.set_length((rules.len() * rounds) as u64);
    bar.set_position(0);
    let mut takes: Vec<Vec<Take>> = vec![Vec::new(); rules.len()];
    for _ in 0..rounds {
        for (rule, takes) in rules.iter().zip(&mut takes) {
            takes.push(take(&scene, rule, level, STEP)?);
            bar.inc(1);
        }
    }
    let rows = rules.into_iter().zip(&takes).map(|(rule, takes)| Row::new(rule, takes));
    let (modes, seconds) = (scene.mode_count(), scene.seconds);
    Ok(Rings { modes, seconds, budget_us, rows: rows.collect() })
}

/// What the densest block needs by the table of costs, µs.
fn most_us(scene: &Scene, rule: &Rule, level: Level) -> Result<f64> {
    let plenty = Rule { budget: Some(Budget::offline(1e9)), ..rule.clone() };
    Ok(take(scene, &plenty, level, STEP)?.most_used_us)
}

impl Row {
    fn new(rule: Rule, takes: &[Take]) -> Self {
        let all: Vec<Vec<Part>> = takes.iter().map(|take| take.parts.clone()).collect();
        let parts = medians(&all, |part| part.render_s);
        let modes = takes[0].modes.max(1) as f64;
        Self {
            rule,
            share: takes[0].share(),
            left_out: takes[0].left_out as f64 / modes,
            cpu: parts.iter().sum::<f64>() / takes[0].seconds,
            curve: frames_per_second(&parts),
        }
    }

    fn report(&self) -> Value {
        let mut fps: Vec<f64> = self.curve.iter().map(|point| point.1).collect();
        let middle = median(&mut fps);
        json!({
            "rule": self.rule.key, "name": self.rule.name, "block": self.rule.block,
            "share_of_modes": self.share, "left_out": self.left_out,
            "cpu_percent": 100.0 * self.cpu, "least_fps": fps[0], "median_fps": middle,
        })
    }
}

/// Frames a second over time: the time of several steps is averaged, not their speed.
fn frames_per_second(parts: &[f64]) -> Vec<(f64, f64)> {
    let step_s = STEP as f64 / RATE;
    let averages = parts.windows(AVERAGE.min(parts.len()).max(1)).enumerate();
    let curve = averages.map(|(i, parts)| {
        let time = parts.iter().sum::<f64>() / parts.len() as f64;
        let at_s = (i as f64 + 0.5 * parts.len() as f64) * step_s;
        (at_s, PICTURES * step_s / time.max(1e-9))
    });
    curve.collect()
}

impl Rings {
    pub(super) fn report(&self) -> Value {
        json!({
            "modes": self.modes, "seconds": self.seconds, "budget_us": self.budget_us,
            "rules": self.rows.iter().map(Row::report).collect::<Vec<_>>(),
        })
    }

    /// Frames a second over time, as in Figure 8.
    pub(super) fn draw(&self, path: &Path) -> Result<AtomicFile> {
        let series = self.rows.iter().map(|row| Series {
            name: row.rule.name.clone(),
            points: row.curve.clone(),
            ..Series::default()
        });
        let lines = Lines {
            title: "100 rings fall on a table".into(),
            facts: format!("{} modes; real time is {PICTURES} frames a second", self.modes),
            x: Axis::linear("Time (s)").between(0.0, self.seconds),
            y: Axis::log("Audio frames a second"),
            series: series.collect(),
        };
        draw_lines(&lines, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_time_is_as_many_frames_as_pictures() {
        let step_s = STEP as f64 / RATE;
        let curve = frames_per_second(&[step_s; 40]);
        assert!(curve.iter().all(|(_, fps)| (fps - PICTURES).abs() < 1e-9));
        assert_eq!(curve.len(), 40 - AVERAGE + 1);
        let busy = frames_per_second(&[&[step_s; 20][..], &[4.0 * step_s; 20]].concat());
        assert!((busy[busy.len() - 1].1 - 25.0).abs() < 1e-9 && (busy[0].1 - 100.0).abs() < 1e-9);
        assert_eq!(frames_per_second(&[step_s]).len(), 1);
    }
}
