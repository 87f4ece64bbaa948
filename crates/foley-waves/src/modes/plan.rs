//! Plan of the solves: frequencies and meshes within the budget.
//!
//! Frequencies form a geometric series over the modes; each mode is solved at the two around its
//! own. If that costs too much, in this order: fewer frequencies, coarser meshes, and at last a
//! lower limit above which the high-frequency approximation takes over.

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
    /// Wanted length of edges.
    pub(super) edge_m: f64,
    /// The modes to solve.
    pub(super) modes: Vec<usize>,
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

/// Choices to try in order: the ratio of neighbouring frequencies, elements per acoustic and per
/// structural wavelength.
const CHOICES: [(f64, f64, f64); 7] = [
    (1.08, 8.0, 14.0),
    (1.08, 7.0, 11.0),
    (1.12, 7.0, 9.0),
    (1.12, 6.0, 8.0),
    (1.19, 6.0, 7.0),
    (1.19, 5.0, 6.0),
    (1.26, 4.5, 5.0),
];
/// Steps of the lengths of edges, so that neighbouring frequencies share a mesh.
const EDGES_PER_OCTAVE: f64 = 6.0;
/// Part of the budget that the approximation may use.
const HIGH_SHARE: f64 = 0.2;
/// Ratio of neighbouring frequencies of the approximation.
const HIGH_RATIO: f64 = 1.12;
/// Quadrature points of the approximation per wavelength.
const HIGH_PER_WAVELENGTH: f64 = 4.0;
/// Elements along the radius, also where waves are longer.
const LEAST_PER_RADIUS: f64 = 10.0;

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

    let (mut solves, mut solved) = (Vec::new(), 0);
    for choice in CHOICES {
        solves = exact(surface, &waves[..below], choice, options);
        solved = affordable(&solves, (1.0 - HIGH_SHARE) * options.budget_s);
        if solved == solves.len() {
            break;
        }
    }
    let limit_hz = match (solved == solves.len(), solved) {
        (true, _) => f64::INFINITY,
        (false, 0) => 0.0,
        (false, count) => solves[count - 1].frequency_hz,
    };
    solves.truncate(solved);
    let above = waves[..below].partition_point(|wave| wave.hz <= limit_hz);
    let high = approximate(surface, &waves[above.min(below)..]);
    let high_cost_s = high.iter().map(|solve| solve.cost_s).sum();
    Plan { solves, high, high_cost_s }
}

/// Returns how many of the solves, lowest frequencies first, fit the budget.
fn affordable(solves: &[PlannedSolve], budget_s: f64) -> usize {
    let mut spent = 0.0;
    let fits = |solve: &&PlannedSolve| {
        spent += solve.cost_s;
        spent <= budget_s
    };
    solves.iter().take_while(fits).count()
}

/// Returns a geometric series from the first to the last mode.
fn series(waves: &[Wave], ratio: f64) -> Vec<f64> {
    let (Some(first), Some(last)) = (waves.first(), waves.last()) else { return Vec::new() };
    let octaves = (last.hz / first.hz).ln();
    let steps = (octaves / ratio.ln()).ceil().clamp(0.0, 1000.0);
    match steps > 0.0 {
        true => {
            (0..=steps as usize).map(|i| first.hz * (octaves * i as f64 / steps).exp()).collect()
        }
        false => vec![first.hz],
    }
}

/// Returns the modes that need a frequency: those between its neighbours.
fn needing<'a>(waves: &'a [Wave], series: &[f64], i: usize) -> &'a [Wave] {
    let low = if i > 0 { series[i - 1] } else { 0.0 };
    let high = series.get(i + 1).copied().unwrap_or(f64::INFINITY);
    let start = waves.partition_point(|wave| wave.hz <= low * (1.0 + 1e-12));
    let end = waves.partition_point(|wave| wave.hz < high * (1.0 - 1e-12));
    &waves[start.min(end)..end]
}

fn exact(
    surface: &Surface,
    waves: &[Wave],
    (ratio, acoustic, structural): (f64, f64, f64),
    options: &Options<'_>,
) -> Vec<PlannedSolve> {
    let area = surface.area_m2();
    let series = series(waves, ratio);
    let mut solves = Vec::new();
    for (i, &hz) in series.iter().enumerate() {
        let needing = needing(waves, &series, i);
        if needing.is_empty() {
            continue;
        }
        let k = TAU * hz / SOUND_SPEED_M_S;
        let kappa = needing.iter().map(|wave| wave.kappa).fold(0.0, f64::max);
        let edge_m = (TAU / (acoustic * k))
            .min(TAU / (structural * kappa))
            .min(surface.radius / LEAST_PER_RADIUS);
        let edge_m = ((EDGES_PER_OCTAVE * edge_m.log2()).floor() / EDGES_PER_OCTAVE).exp2();
        let unknowns = cost::unknowns(area, edge_m);
        let directions = SphereGrid::for_source(k * surface.radius).len() as f64;
        let fields = needing.len() as f64;
        let mesh_s = cost::mesh_s(surface.len(), unknowns);
        let cost_s = mesh_s
            + match surface.kind == Kind::Baffled {
                true => cost::far_field_s(2.0 * unknowns, 6.0 * unknowns, fields, directions),
                false if unknowns > 0.95 * options.max_unknowns as f64 => f64::INFINITY,
                false => cost::solve_s(unknowns, surface.is_closed(), fields, directions),
            };
        let modes = needing.iter().map(|wave| wave.mode).collect();
        solves.push(PlannedSolve { frequency_hz: hz, edge_m, modes, cost_s });
    }
    solves
}

/// Plans the approximation.
fn approximate(surface: &Surface, waves: &[Wave]) -> Vec<PlannedSolve> {
    let series = series(waves, HIGH_RATIO);
    let mut solves = Vec::new();
    for (i, &hz) in series.iter().enumerate() {
        let needing = needing(waves, &series, i);
        if needing.is_empty() {
            continue;
        }
        let k = TAU * hz / SOUND_SPEED_M_S;
        let kappa = needing.iter().map(|wave| wave.kappa).fold(k, f64::max);
        // A triangle has three quadrature points. Coarser than asked for rather than endless.
        let least = (surface.area_m2() / 40_000.0).sqrt();
        let edge_m = (1.5 * TAU / (HIGH_PER_WAVELENGTH * kappa))
            .min(surface.radius / LEAST_PER_RADIUS)
            .max(least);
        let unknowns = cost::unknowns(surface.area_m2(), edge_m);
        let directions = SphereGrid::for_source(k * surface.radius).len() as f64;
        let fields = needing.len() as f64;
        let cost_s = cost::far_field_s(2.0 * unknowns, 6.0 * unknowns, fields, directions);
        let modes = needing.iter().map(|wave| wave.mode).collect();
        solves.push(PlannedSolve { frequency_hz: hz, edge_m, modes, cost_s });
    }
    solves
}
