//! The high-frequency approximation: every visible point radiates as if it were in a rigid wall.
//!
//! D. W. Herrin, F. Martinus, T. W. Wu, A. F. Seybert, *An assessment of the high frequency boundary
//! element and Rayleigh integral approximations*, Appl. Acoust. 67 (2006): the Rayleigh integral over the
//! elements that face the direction. Exact in the limit of short waves on convex bodies, and it
//! keeps the cancellation of neighbouring half-waves below coincidence.
//!
//! It neglects that sound passes round the edges of sheets, where the two sides cancel. Below
//! coincidence, where edges are all that radiates, this matters. For a half-plane in bending waves
//! of wave number κ > k the Wiener–Hopf method gives the edge exactly: its far field is that of the
//! Rayleigh integral times √((k − α)/(k + κ)), where α is the wave number along the outward
//! direction. (With γ = √(α² − k²) = γ₊γ₋, the jump is −2iωρ₀ V(α) / (γ₋(α) γ₊(κ)); B. Noble,
//! *Methods based on the Wiener–Hopf technique* (1958), §2.) Over a pair of opposite edges the mean
//! of the square is k/(k + κ); corners, where two edges meet, have it twice. The power is therefore
//! multiplied by (k/(k + κ))^c, with the exponent c, 0 … 2, that fits the solver at the highest
//! solved frequency. Above k/κ = 0.92 the half-waves no longer cancel, and nothing is corrected.

use super::interpolate::Bracket;
use super::plan::{Plan, PlannedSolve};
use super::report::Report;
use super::{ModeVelocity, Options};
use crate::WavesError;
use crate::baffle::{Visible, Wall};
use crate::far_field::{Directivity, FarField, SphereGrid, far_fields};
use crate::operator::Elements;
use crate::resolution::resample;
use crate::surface::{Kind, Surface};
use crate::velocity::NormalVelocity;
use faer::Mat;
use foley_geometry::bvh::{Aabb, Bvh, Split};
use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, SOUND_SPEED_M_S};
use foley_geometry::vector::closest_on_triangle;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// Adds the fields of the modes that the plan leaves to the approximation, and compares it with
/// the solver at the highest solved frequency.
pub(super) fn complete(
    surface: &Surface,
    modes: &[ModeVelocity],
    plan: &Plan,
    brackets: &mut [Bracket],
    report: &mut Report,
    options: &mut Options<'_>,
) -> Result<(), WavesError> {
    if plan.high.is_empty() {
        return Ok(());
    }
    let mut exponent = 1.0;
    if let Some(last) = plan.solves.last() {
        let mut compared = approximate(surface, modes, last)?;
        let solved: Vec<f64> = last
            .modes
            .iter()
            .map(|&m| brackets[m].solved_power_w(last.frequency_hz).unwrap_or(0.0))
            .collect();
        exponent = fitted_exponent(last, &compared, &solved);
        correct(last, exponent, &mut compared);
        let all: Vec<f64> = compared
            .iter()
            .zip(&solved)
            .map(|(field, solved)| 10.0 * (field.power_w() / solved).log10())
            .filter(|db| db.is_finite())
            .collect();
        let count = all.len().max(1) as f64;
        report.high_frequency_mean_db = all.iter().sum::<f64>() / count;
        report.high_frequency_rms_db = (all.iter().map(|db| db * db).sum::<f64>() / count).sqrt();
    }
    for planned in &plan.high {
        let fields = match planned.edge_m > 0.0 {
            true => {
                let mut fields = approximate(surface, modes, planned)?;
                correct(planned, exponent, &mut fields);
                fields
            }
            false => {
                report.omnidirectional += planned.modes.len();
                omnidirectional(surface, modes, planned)
            }
        };
        for (&m, field) in planned.modes.iter().zip(fields) {
            brackets[m].add(planned.frequency_hz, field, options.max_degree, false);
        }
        if !options.report(0.99) {
            return Err(WavesError::Cancelled);
        }
    }
    Ok(())
}

/// Returns fields of equal strength in all directions, where waves are too short even for
/// quadrature: σ = 1/√(1 − κ²/k²), at most 2, above coincidence (Fahy & Gardonio, *Sound
/// and Structural Vibration*: a plate without edges), and below it σ = 2 (k/κ)², a crude bound.
fn omnidirectional(
    surface: &Surface,
    modes: &[ModeVelocity],
    planned: &PlannedSolve,
) -> Vec<FarField> {
    let k = TAU * planned.frequency_hz / SOUND_SPEED_M_S;
    let field = |(&m, kappa): (&usize, &f64)| {
        let square = (kappa / k).powi(2);
        let sigma = match square < 0.75 {
            true => 1.0 / (1.0 - square).sqrt(),
            false => 2.0 / square.max(1.0),
        };
        let power =
            sigma * 0.5 * AIR_IMPEDANCE_PA_S_M * surface.square_velocity_m4_s2(&modes[m].velocity);
        let half_space = surface.kind == Kind::Baffled;
        let sides = if half_space { 2.0 } else { 1.0 };
        let amplitude = (2.0 * AIR_IMPEDANCE_PA_S_M * sides * power).sqrt();
        let coefficients = vec![Complex64::from(amplitude)];
        let directivity = Directivity::omnidirectional();
        FarField { k, center: surface.center(), coefficients, half_space, directivity }
    };
    planned.modes.iter().zip(&planned.kappas).map(field).collect()
}

/// Returns ln(k/(k + κ)) below coincidence, fading to zero up to k/κ = 0.92.
fn edge_loss(k: f64, kappa: f64) -> f64 {
    const FADES: [f64; 2] = [0.8, 0.92];
    let ratio = if kappa > 0.0 { k / kappa } else { f64::INFINITY };
    let below = ((FADES[1] - ratio) / (FADES[1] - FADES[0])).clamp(0.0, 1.0);
    -below * ratio.recip().ln_1p()
}

/// Returns the exponent of the edge loss that fits solved powers in the mean.
fn fitted_exponent(planned: &PlannedSolve, fields: &[FarField], solved: &[f64]) -> f64 {
    let (mut measured, mut expected) = (0.0, 0.0);
    for ((field, solved), kappa) in fields.iter().zip(solved).zip(&planned.kappas) {
        let (difference, loss) = ((solved / field.power_w()).ln(), edge_loss(field.k, *kappa));
        if difference.is_finite() && loss < 0.0 {
            measured += difference;
            expected += loss;
        }
    }
    if expected < 0.0 { (measured / expected).clamp(0.0, 2.0) } else { 1.0 }
}

/// Multiplies powers by the edge loss.
fn correct(planned: &PlannedSolve, exponent: f64, fields: &mut [FarField]) {
    for (field, kappa) in fields.iter_mut().zip(&planned.kappas) {
        if !field.half_space {
            let scale = (0.5 * exponent * edge_loss(field.k, *kappa)).exp();
            field.coefficients.iter_mut().for_each(|c| *c *= scale);
        }
    }
}

fn approximate(
    surface: &Surface,
    modes: &[ModeVelocity],
    planned: &PlannedSolve,
) -> Result<Vec<FarField>, WavesError> {
    let k = TAU * planned.frequency_hz / SOUND_SPEED_M_S;
    let coarse = resample(surface, planned.edge_m)?;
    let grid = SphereGrid::for_source(k * surface.radius);
    let velocities: Vec<&NormalVelocity> =
        planned.modes.iter().map(|&m| &modes[m].velocity).collect();
    Ok(walls(surface, &coarse, k, &grid, &velocities))
}

/// Returns the far fields of velocities of `given` with the points of `coarse`.
pub(super) fn walls(
    given: &Surface,
    coarse: &Surface,
    k: f64,
    grid: &SphereGrid,
    velocities: &[&NormalVelocity],
) -> Vec<FarField> {
    let elements = Elements::new(coarse);
    let visible = if given.kind == Kind::Baffled { Visible::All } else { Visible::Facing };
    let wall = Wall { elements: &elements, k, visible };
    far_fields(&wall, &sampled(given, &elements, velocities), given.center, grid)
}

/// Returns velocities of the given surface at the quadrature points of the elements.
fn sampled(given: &Surface, to: &Elements, velocities: &[&NormalVelocity]) -> Mat<Complex64> {
    let tree = Bvh::new((0..given.len() as u32).collect(), 4, Split::Median, |t| {
        Aabb::from_points(given.corners(t as usize))
    });
    let places: Vec<Option<(usize, [f64; 3], f64)>> = (0..3 * to.list.len())
        .map(|q| {
            let element = &to.list[q / 3];
            let at = to.point(q);
            let mut found = None;
            tree.nearest(at, &mut |leaf, mut best| {
                for &t in &tree.order()[leaf] {
                    let t = t as usize;
                    let cosine = given.triangles[t].normal.dot(element.normal);
                    let same = if given.triangles[t].closed { cosine } else { cosine.abs() };
                    let (distance, place) = closest_on_triangle(at, given.corners(t));
                    if distance < best && same > 0.0 {
                        best = distance;
                        found = Some((t, place, cosine.signum()));
                    }
                }
                best
            });
            found
        })
        .collect();
    Mat::from_fn(places.len(), velocities.len(), |q, j| {
        let value = places[q].map_or(0.0, |(t, place, sign)| {
            let v = velocities[j].corners[t].map(f64::from);
            sign * (v[0] * place[0] + v[1] * place[1] + v[2] * place[2])
        });
        Complex64::from(value)
    })
}
