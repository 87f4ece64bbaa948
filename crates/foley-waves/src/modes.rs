//! Radiation of all modes of a body: which frequencies to solve, with which meshes, and what
//! lies between and above them.

mod air_mass;
mod coincidence;
mod cost;
mod high_frequency;
mod interpolate;
mod plan;
mod report;
mod rigid;

pub use report::{Method, Report, Solve};
pub use rigid::{RigidRadiation, radiate_rigid_body};

use crate::exterior::{Exterior, MAX_UNKNOWNS};
use crate::far_field::{FarField, SphereGrid};
use crate::operator::Elements;
use crate::resolution::{Transfer, resample};
use crate::surface::Kind;
use crate::velocity::{NormalVelocity, check_size};
use crate::{Surface, WavesError};
use derive_setters::Setters;
use foley_geometry::clock;
use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, SOUND_SPEED_M_S};
use std::f64::consts::TAU;

/// A mode of vibration.
#[derive(Debug, Clone)]
pub struct ModeVelocity {
    /// Frequency, Hz.
    pub frequency_hz: f64,
    /// Normal velocity of the surface at unit peak modal velocity: the mode shape's normal part.
    pub velocity: NormalVelocity,
}

/// Called with the completed fraction, 0 … 1; returning false cancels.
pub type Progress<'a> = dyn FnMut(f64) -> bool + 'a;

/// Options of [`radiate_modes`].
#[derive(Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options<'a> {
    /// Time to spend, s; default 15. It is compared with a model of the cost on two processor
    /// cores of the year 2022, not with a clock, so that results are the same on every machine.
    pub budget_s: f64,
    /// Modes above are given the high-frequency approximation; default 20 kHz.
    pub max_frequency_hz: f64,
    /// Largest number of unknowns; default [`MAX_UNKNOWNS`].
    pub max_unknowns: usize,
    /// Largest degree of the spherical harmonics that are kept; default 40. The power is always
    /// that of all degrees.
    pub max_degree: usize,
    /// Progress callback; may cancel.
    #[setters(strip_option)]
    pub progress: Option<&'a mut Progress<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            budget_s: 15.0,
            max_frequency_hz: 20_000.0,
            max_unknowns: MAX_UNKNOWNS,
            max_degree: 40,
            progress: None,
        }
    }
}

impl Options<'_> {
    fn report(&mut self, done: f64) -> bool {
        self.progress.as_mut().is_none_or(|progress| progress(done.clamp(0.0, 1.0)))
    }
}

/// Radiation of one mode at its frequency.
#[derive(Debug, Clone)]
pub struct ModeRadiation {
    /// Far field at unit peak modal velocity. Its phase is that of the solved frequency below, so
    /// that modes between the same two frequencies can be compared by
    /// [`FarField::mutual_power_w`]: the resistance matrix of modes that overlap.
    pub far_field: FarField,
    /// Radiated power at unit peak modal velocity, W, of all degrees.
    pub power_w: f64,
    /// Mass of the air that moves with it at unit modal velocity, kg; `None` where it is not solved: closed bodies, pieces of
    /// a wall, and [`Method::HighFrequency`].
    pub air_mass_kg: Option<f64>,
    /// How it was found.
    pub method: Method,
}

impl ModeRadiation {
    /// Returns the decay rate by radiation, 1/s, of amplitudes e^{−dt}, for the modal mass in kg
    /// (1 for mass-normalised shapes). With E = m q̇²/2 and −dE/dt = 2dE = W, `d = W/m`.
    pub fn damping_per_s(&self, modal_mass_kg: f64) -> f64 {
        self.power_w / modal_mass_kg
    }

    /// Returns the radiation efficiency σ = W / (½ ρ₀c₀ ∫v² dA), with v² counted on both sides
    /// of sheets; zero for a surface at rest.
    pub fn efficiency(&self, surface: &Surface, velocity: &NormalVelocity) -> f64 {
        let squares = surface.square_velocity_m4_s2(velocity);
        match squares > 0.0 {
            true => self.power_w / (0.5 * AIR_IMPEDANCE_PA_S_M * squares),
            false => 0.0,
        }
    }
}

/// Radiation of all modes.
#[derive(Debug, Clone)]
pub struct ModesRadiation {
    /// One entry per mode, in the order given.
    pub modes: Vec<ModeRadiation>,
    /// What was solved, interpolated and approximated.
    pub report: Report,
}

/// Returns power and directivity of every mode at its frequency.
///
/// Modes are solved at a set of frequencies around their own, each on a mesh as coarse as the
/// sound and the mode shapes allow there, and interpolated between. Where waves are too short for
/// the budget, [`Method::HighFrequency`] takes over.
pub fn radiate_modes(
    surface: &Surface,
    modes: &[ModeVelocity],
    options: &mut Options<'_>,
) -> Result<ModesRadiation, WavesError> {
    let started = clock::now();
    check(surface, modes, options)?;
    let plan = plan::plan(surface, modes, options);
    let mut report = Report::default();
    let mut brackets: Vec<interpolate::Bracket> = Vec::new();
    brackets.resize_with(modes.len(), Default::default);
    let mut air = vec![air_mass::AirMass::default(); modes.len()];

    let mut mesh = None;
    let total: f64 = plan.solves.iter().map(|solve| solve.cost_s).sum::<f64>() + plan.high_cost_s;
    let mut spent = 0.0;
    for planned in &plan.solves {
        let share = planned.cost_s / total.max(1e-9);
        let base = spent / total.max(1e-9);
        let before = clock::now();
        let velocities: Vec<&NormalVelocity> =
            planned.modes.iter().map(|&m| &modes[m].velocity).collect();
        let Solved { fields, unknowns, air_masses_kg } =
            solve(surface, planned, &velocities, &mut mesh, options, &mut |done, options| {
                options.report(base + share * done)
            })?;
        for (&m, kg) in planned.modes.iter().zip(air_masses_kg) {
            air[m].add(planned.frequency_hz, kg);
        }
        for (&m, field) in planned.modes.iter().zip(fields) {
            brackets[m].add(planned.frequency_hz, field, options.max_degree, true);
        }
        report.solves.push(Solve {
            frequency_hz: planned.frequency_hz,
            unknowns,
            edge_m: planned.edge_m,
            modes: planned.modes.len(),
            expected_s: planned.cost_s,
            seconds: clock::elapsed(before).as_secs_f64(),
        });
        spent += planned.cost_s;
    }
    high_frequency::complete(surface, modes, &plan, &mut brackets, &mut report, options)?;

    let factors = coincidence::factors(surface, modes, &plan, options)?;
    let solutions = brackets.into_iter().zip(air).zip(factors);
    let radiations = modes.iter().zip(solutions).map(|(mode, ((bracket, air), factor))| {
        let (mut far_field, mut power_w, method) = bracket.at(mode.frequency_hz);
        if method == Method::Interpolated {
            power_w *= factor;
            far_field.coefficients.iter_mut().for_each(|c| *c *= factor.sqrt());
        }
        let air_mass_kg = air.at(mode.frequency_hz);
        ModeRadiation { far_field, power_w, air_mass_kg, method }
    });
    let modes: Vec<ModeRadiation> = radiations.collect();
    report.count(&modes);
    report.seconds = clock::elapsed(started).as_secs_f64();
    options.report(1.0);
    Ok(ModesRadiation { modes, report })
}

/// A resampled surface and the way of velocities to it.
struct CoarseMesh {
    edge_m: f64,
    surface: Surface,
    transfer: Transfer,
}

impl CoarseMesh {
    /// Makes edges of about `edge_m`, longer ones where that gives more unknowns than allowed or
    /// than were planned.
    fn new(given: &Surface, edge_m: f64, max_unknowns: usize) -> Result<Self, WavesError> {
        let planned = 1.3 * cost::unknowns(given.area_m2(), edge_m) + 30.0;
        let mut longer_m = edge_m;
        loop {
            let surface = resample(given, longer_m)?;
            let elements = Elements::new(&surface);
            let unknowns = elements.unknowns;
            let allowed = unknowns <= max_unknowns || given.kind == Kind::Baffled;
            if allowed && (unknowns as f64 <= planned || longer_m > 1.3 * edge_m) {
                let transfer = Transfer::new(given, &elements, longer_m);
                return Ok(Self { edge_m, surface, transfer });
            }
            if longer_m > 4.0 * given.radius {
                return Err(WavesError::TooManyUnknowns { unknowns, limit: max_unknowns });
            }
            longer_m *= 1.07;
        }
    }
}

/// A solution at one frequency.
struct Solved {
    /// One per mode.
    fields: Vec<FarField>,
    unknowns: usize,
    /// One per mode of a sheet.
    air_masses_kg: Vec<f64>,
}

/// Solves at one frequency on a resampled surface.
fn solve(
    surface: &Surface,
    planned: &plan::PlannedSolve,
    velocities: &[&NormalVelocity],
    mesh: &mut Option<CoarseMesh>,
    options: &mut Options<'_>,
    progress: &mut dyn FnMut(f64, &mut Options<'_>) -> bool,
) -> Result<Solved, WavesError> {
    let k = TAU * planned.frequency_hz / SOUND_SPEED_M_S;
    if !progress(0.0, options) {
        return Err(WavesError::Cancelled);
    }
    let mesh = match mesh {
        Some(mesh) if mesh.edge_m == planned.edge_m => mesh,
        _ => mesh.insert(CoarseMesh::new(surface, planned.edge_m, options.max_unknowns)?),
    };
    let grid = SphereGrid::for_source(k * surface.radius);
    if surface.kind == Kind::Baffled {
        let fields = high_frequency::walls(surface, &mesh.surface, k, &grid, velocities);
        return Ok(Solved { fields, unknowns: 0, air_masses_kg: Vec::new() });
    }
    let limit = options.max_unknowns;
    let exterior = Exterior::with_progress(&mesh.surface, k, limit, &mut |done| {
        progress(0.9 * done, options)
    })?;
    let loads = mesh.transfer.loads(velocities);
    let densities = exterior.solve_loads(&loads)?;
    if !progress(0.95, options) {
        return Err(WavesError::Cancelled);
    }
    let fields = exterior.far_fields_about(surface.center, &densities, &grid);
    let air_masses_kg = air_mass::of_fields(&exterior, &loads, &densities);
    Ok(Solved { fields, unknowns: exterior.unknowns(), air_masses_kg })
}

fn check(
    surface: &Surface,
    modes: &[ModeVelocity],
    options: &Options<'_>,
) -> Result<(), WavesError> {
    for (what, value) in [
        ("time budget", options.budget_s),
        ("largest frequency", options.max_frequency_hz),
        ("largest number of unknowns", options.max_unknowns as f64),
    ] {
        if !(value > 0.0) {
            return Err(WavesError::NotPositive { what, value });
        }
    }
    for mode in modes {
        let value = mode.frequency_hz;
        if !(value > 0.0 && value < 1e7) {
            return Err(WavesError::NotPositive { what: "frequency of a mode", value });
        }
        check_size("the velocity field", surface.len(), mode.velocity.corners.len())?;
    }
    Ok(())
}
