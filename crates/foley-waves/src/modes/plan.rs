//! Plan of the solves: frequencies and meshes within the budget.
//!
//! Frequencies form a geometric series over the modes; each mode is solved at the two around its
//! own. Low frequencies cost nearly nothing and get fine meshes. If all cost too much, in this
//! order: coarser meshes where they are expensive, fewer frequencies, and at last a lower limit
//! above which the high-frequency approximation takes over.

use super::coincidence::SHARE;
use super::{ModeVelocity, Options, cost};
use crate::far_field::SphereGrid;
use crate::resolution::structural_wave_number;
use crate::surface::{Kind, Surface};
use foley_geometry::constants::SOUND_SPEED_M_S;
use std::f64::consts::TAU;

/// One solve.
#[derive(Debug, Clone)]
pub(super) struct PlannedSolve {
    pub(super) frequency_hz: f64,
    /// Wanted length of edges; zero where waves are too short for any.
    pub(super) edge_m: f64,
    /// The modes to solve, and their structural wave numbers.
    pub(super) modes: Vec<usize>,
    pub(super) kappas: Vec<f64>,
    pub(super) cost_s: f64,
}

/// All solves, and the modes that are left to the approximation.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) solves: Vec<PlannedSolve>,
    /// Solves of the approximation.
    pub(super) high: Vec<PlannedSolve>,
    pub(super) high_cost_s: f64,
}

/// Ratios of neighbouring frequencies to try, finest first.
const RATIOS: [f64; 4] = [1.08, 1.12, 1.18, 1.25];
/// Elements per acoustic and per structural wavelength to choose from, finest first. The second is
/// larger: what little of a mode radiates is left over from the cancellation of its half-waves.
const RESOLUTIONS: [[f64; 2]; 8] = [
    [9.0, 16.0],
    [8.0, 13.0],
    [7.5, 11.0],
    [7.0, 9.0],
    [6.0, 8.0],
    [5.5, 7.0],
    [5.0, 6.0],
    [4.5, 5.0],
];
/// Steps of the lengths of edges, so that neighbouring frequencies share a mesh.
const EDGES_PER_OCTAVE: f64 = 12.0;
/// Part of the budget that is left to the approximation, if that is needed.
const HIGH_SHARE: f64 = 0.2;
/// The approximation may use this much of a small budget, up to this time, s.
const HIGH_LEAST: (f64, f64) = (0.5, 1.0);
/// Ratio of neighbouring frequencies of the approximation.
const HIGH_RATIO: f64 = 1.12;
/// Quadrature points of the approximation per wavelength.
const HIGH_PER_WAVELENGTH: f64 = 4.0;
/// Elements along the radius, also where waves are longer.
const LEAST_PER_RADIUS: f64 = 8.0;

/// A mode as the plan sees it.
#[derive(Clone, Copy)]
struct Wave {
    mode: usize,
    hz: f64,
    /// Structural wave number.
    kappa: f64,
}

pub(super) fn plan(surface: &Surface, modes: &[ModeVelocity], options: &Options<'_>) -> Plan {
    let wave = |(mode, given): (usize, &ModeVelocity)| Wave {
        mode,
        hz: given.frequency_hz,
        kappa: structural_wave_number(surface, &given.velocity),
    };
    let mut waves: Vec<Wave> = modes.iter().enumerate().map(wave).collect();
    waves.sort_by(|a, b| a.hz.total_cmp(&b.hz).then(a.mode.cmp(&b.mode)));
    let below = waves.partition_point(|wave| wave.hz <= options.max_frequency_hz);
    let planner = Planner { surface, area: surface.area_m2(), max_unknowns: options.max_unknowns };

    for ratio in RATIOS {
        let needs = planner.needs(&waves[..below], ratio);
        if let Some(solves) = planner.within(&needs, (1.0 - SHARE) * options.budget_s) {
            let high = planner.approximate(&waves[below..], options.budget_s);
            return finished(solves, high);
        }
    }
    // The lowest frequencies that the budget allows, with two of them at least.
    let needs = planner.needs(&waves[..below], RATIOS[2]);
    let budget_s = (1.0 - HIGH_SHARE) * options.budget_s;
    let counts = (2..needs.len()).rev();
    let solves = counts.filter_map(|count| planner.within(&needs[..count], budget_s)).next();
    let solves = solves.unwrap_or_default();
    let limit_hz = solves.last().map_or(0.0, |solve| solve.frequency_hz);
    let above = waves.partition_point(|wave| wave.hz <= limit_hz);
    finished(solves, planner.approximate(&waves[above..], options.budget_s))
}

fn finished(solves: Vec<PlannedSolve>, high: Vec<PlannedSolve>) -> Plan {
    let high_cost_s = high.iter().map(|solve| solve.cost_s).sum();
    Plan { solves, high, high_cost_s }
}

/// A frequency and the modes that need it.
struct Need<'a> {
    hz: f64,
    waves: &'a [Wave],
}

struct Planner<'a> {
    surface: &'a Surface,
    area: f64,
    max_unknowns: usize,
}

impl Planner<'_> {
    /// Returns a geometric series of frequencies from the first to the last mode, each with the
    /// modes between its neighbours.
    fn needs<'w>(&self, waves: &'w [Wave], ratio: f64) -> Vec<Need<'w>> {
        let (Some(first), Some(last)) = (waves.first(), waves.last()) else { return Vec::new() };
        let range = (last.hz / first.hz).ln();
        let steps = (range / ratio.ln()).ceil().clamp(0.0, 1000.0) as usize;
        let at = |i: usize| first.hz * (range * i as f64 / steps.max(1) as f64).exp();
        let need = |i: usize| {
            let low = if i > 0 { at(i - 1) } else { 0.0 };
            let high = if i < steps { at(i + 1) } else { f64::INFINITY };
            let start = waves.partition_point(|wave| wave.hz <= low * (1.0 + 1e-12));
            let end = waves.partition_point(|wave| wave.hz < high * (1.0 - 1e-12));
            Need { hz: at(i), waves: &waves[start.min(end)..end] }
        };
        (0..=steps).map(need).filter(|need| !need.waves.is_empty()).collect()
    }

    /// Returns the solves with the finest meshes that fit the budget; `None` if the coarsest do
    /// not. All frequencies share one limit of the cost of a solve, found by bisection.
    fn within(&self, needs: &[Need<'_>], budget_s: f64) -> Option<Vec<PlannedSolve>> {
        let levels: Vec<Vec<PlannedSolve>> = needs
            .iter()
            .map(|need| RESOLUTIONS.iter().map(|level| self.solve(need, *level)).collect())
            .collect();
        let choose = |limit_s: f64| -> Vec<&PlannedSolve> {
            let fits = |solve: &&PlannedSolve| solve.cost_s <= limit_s;
            levels.iter().filter_map(|list| list.iter().find(fits).or(list.last())).collect()
        };
        let total = |limit_s: f64| choose(limit_s).iter().map(|solve| solve.cost_s).sum::<f64>();
        if !(total(0.0) <= budget_s) {
            return None;
        }
        let (mut low, mut high) = (0.0, budget_s);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            match total(middle) <= budget_s {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(choose(low).into_iter().cloned().collect())
    }

    fn solve(&self, need: &Need<'_>, [acoustic, structural]: [f64; 2]) -> PlannedSolve {
        let k = TAU * need.hz / SOUND_SPEED_M_S;
        let kappa = need.waves.iter().map(|wave| wave.kappa).fold(0.0, f64::max);
        let edge_m = (TAU / (acoustic * k))
            .min(TAU / (structural * kappa))
            .min(self.surface.radius / LEAST_PER_RADIUS);
        let edge_m = ((EDGES_PER_OCTAVE * edge_m.log2()).floor() / EDGES_PER_OCTAVE).exp2();
        let unknowns = cost::unknowns(self.area, edge_m);
        let directions = self.directions(k);
        let fields = need.waves.len() as f64;
        let solve_s = match self.surface.kind == Kind::Baffled {
            _ if directions.is_infinite() => f64::INFINITY,
            true => cost::far_field_s(2.0 * unknowns, 6.0 * unknowns, fields, directions),
            false if unknowns > 0.95 * self.max_unknowns as f64 => f64::INFINITY,
            false => cost::solve_s(unknowns, self.surface.is_closed(), fields, directions),
        };
        let cost_s = solve_s + cost::mesh_s(self.surface.len(), unknowns);
        self.planned(need, edge_m, cost_s)
    }

    /// Plans the approximation.
    fn approximate(&self, waves: &[Wave], budget_s: f64) -> Vec<PlannedSolve> {
        let needs = self.needs(waves, HIGH_RATIO);
        let least_s = (HIGH_LEAST.0 * budget_s).min(HIGH_LEAST.1);
        let limit_s = (HIGH_SHARE * budget_s).max(least_s) / needs.len().max(1) as f64;
        let plan = |need: &Need<'_>| {
            let k = TAU * need.hz / SOUND_SPEED_M_S;
            let kappa = need.waves.iter().map(|wave| wave.kappa).fold(k, f64::max);
            // A triangle has three quadrature points.
            let edge_m = (1.5 * TAU / (HIGH_PER_WAVELENGTH * kappa))
                .min(self.surface.radius / LEAST_PER_RADIUS);
            let unknowns = cost::unknowns(self.area, edge_m);
            let fields = need.waves.len() as f64;
            let cost_s =
                cost::far_field_s(2.0 * unknowns, 6.0 * unknowns, fields, self.directions(k));
            match cost_s <= limit_s {
                true => self.planned(need, edge_m, cost_s),
                // Too short for quadrature: a limit in closed form.
                false => self.planned(need, 0.0, 0.0),
            }
        };
        needs.iter().map(plan).collect()
    }

    /// Returns the number of directions of the far field; infinite if there would be too many.
    fn directions(&self, k: f64) -> f64 {
        SphereGrid::directions(k * self.surface.radius).map_or(f64::INFINITY, |count| count as f64)
    }

    fn planned(&self, need: &Need<'_>, edge_m: f64, cost_s: f64) -> PlannedSolve {
        PlannedSolve {
            frequency_hz: need.hz,
            edge_m,
            modes: need.waves.iter().map(|wave| wave.mode).collect(),
            kappas: need.waves.iter().map(|wave| wave.kappa).collect(),
            cost_s,
        }
    }
}
