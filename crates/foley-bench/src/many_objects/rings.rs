//! The rings of \[LS\], Figures 7 and 8: audio frames a second, each acceleration on and off.
//!
//! A frame is the sound of a hundredth of a second. Time is processor time of the audio thread. The last
//! method has a budget of half the cost of the densest block.

use anyhow::Result;
use foley_engine::Budget;
use serde_json::{Value, json};
use std::path::Path;

use super::accelerations;
use crate::Progress;
use crate::measurement::median;
use crate::scene::BenchScene;
use crate::timed_render::{Method, SimulatedScene, TimedRender, median_times};
use foley_plot::AtomicFile;
use foley_plot::{Axis, LineChart, Series, draw_line_chart};

/// Audio frames a second in real time.
const REAL_TIME_FPS: f64 = 100.0;
/// Samples between clock readings, about a frame.
const STEP: usize = 512;
const RATE: f64 = 48_000.0;
/// Steps over which times are averaged.
const AVERAGE: usize = 9;
/// The budget as a share of the cost of the densest block.
const BUDGET: f64 = 0.5;

/// Figures of the rings.
pub struct Rings {
    modes: usize,
    seconds: f64,
    budget_us: f64,
    rows: Vec<Row>,
}

/// Figures of one combination of accelerations.
struct Row {
    method: Method,
    share: f64,
    left_out: f64,
    cpu: f64,
    /// (time in s, frames a second).
    curve: Vec<(f64, f64)>,
}

/// Measures the rings.
pub fn measure(rounds: usize, progress: &dyn Progress) -> Result<Rings> {
    let scene = BenchScene::named("rings", progress)?;
    let simulated = SimulatedScene::new(&scene)?;
    let mut methods = accelerations();
    // The cost of the densest block by the cost model.
    let all = methods[methods.len() - 1].clone();
    let plenty = Method { budget: Some(Budget::offline(1e9)), ..all.clone() };
    let budget_us = BUDGET * simulated.render(&plenty, STEP)?.most_used_us;
    let budget = Some(Budget::offline(budget_us));
    methods.push(Method { name: "+ budget".into(), key: "budget".into(), budget, ..all });
    let task = progress.begin("rings", (methods.len() * rounds) as u64);
    let renders = simulated.render_rounds(&methods, STEP, rounds, &*task)?;
    let rows = methods.into_iter().zip(&renders).map(|(method, renders)| Row::new(method, renders));
    let (modes, seconds) = (scene.mode_count(), scene.scene.seconds);
    Ok(Rings { modes, seconds, budget_us, rows: rows.collect() })
}

impl Row {
    fn new(method: Method, renders: &[TimedRender]) -> Self {
        let steps = median_times(renders, |step| step.render_s);
        let modes = renders[0].modes.max(1) as f64;
        Self {
            method,
            share: renders[0].share(),
            left_out: renders[0].left_out as f64 / modes,
            cpu: steps.iter().sum::<f64>() / renders[0].seconds,
            curve: frames_per_second(&steps),
        }
    }

    fn report(&self) -> Value {
        let mut fps: Vec<f64> = self.curve.iter().map(|point| point.1).collect();
        let middle = median(&mut fps);
        json!({
            "rule": self.method.key, "name": self.method.name, "block": self.method.block,
            "share_of_modes": self.share, "left_out": self.left_out,
            "cpu_percent": 100.0 * self.cpu, "least_fps": fps[0], "median_fps": middle,
        })
    }
}

/// Returns frames a second over time: the times of several steps are averaged, not their rates.
fn frames_per_second(steps: &[f64]) -> Vec<(f64, f64)> {
    let step_s = STEP as f64 / RATE;
    let windows = steps.windows(AVERAGE.min(steps.len()).max(1)).enumerate();
    let curve = windows.map(|(i, steps)| {
        let time = steps.iter().sum::<f64>() / steps.len() as f64;
        let at_s = (i as f64 + 0.5 * steps.len() as f64) * step_s;
        (at_s, REAL_TIME_FPS * step_s / time.max(1e-9))
    });
    curve.collect()
}

impl Rings {
    /// Returns the figures as JSON.
    pub fn report(&self) -> Value {
        json!({
            "modes": self.modes, "seconds": self.seconds, "budget_us": self.budget_us,
            "rules": self.rows.iter().map(Row::report).collect::<Vec<_>>(),
        })
    }

    /// Draws frames a second over time, as in Figure 8.
    pub fn draw(&self, path: &Path) -> Result<AtomicFile> {
        let series = self.rows.iter().map(|row| Series {
            name: row.method.name.clone(),
            points: row.curve.clone(),
            ..Series::default()
        });
        let lines = LineChart {
            title: "100 rings fall on a table".into(),
            facts: format!("{} modes; real time is {REAL_TIME_FPS} frames a second", self.modes),
            x: Axis::linear("Time (s)").between(0.0, self.seconds),
            y: Axis::log("Audio frames a second"),
            series: series.collect(),
        };
        draw_line_chart(&lines, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_time_is_a_hundred_frames_a_second() {
        let step_s = STEP as f64 / RATE;
        let curve = frames_per_second(&[step_s; 40]);
        assert!(curve.iter().all(|(_, fps)| (fps - REAL_TIME_FPS).abs() < 1e-9));
        assert_eq!(curve.len(), 40 - AVERAGE + 1);
        let busy = frames_per_second(&[&[step_s; 20][..], &[4.0 * step_s; 20]].concat());
        assert!((busy[busy.len() - 1].1 - 25.0).abs() < 1e-9 && (busy[0].1 - 100.0).abs() < 1e-9);
        assert_eq!(frames_per_second(&[step_s]).len(), 1);
    }
}
