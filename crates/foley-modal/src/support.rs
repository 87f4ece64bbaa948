//! Support damping: what a body lies on or is held by takes energy out of its modes.
//!
//! At each point of contact k the body meets, in the direction n_k, a mobility Y_k: the spring of the contact in series
//! with what it touches ([`SupportContact`]). A mode of unit modal velocity moves these points with its mass-normalised shape
//! u_n = (u_n(x_k)·n_k)_k. The forces there follow from `(Y_t + Y_o) F = u_n`, with the diagonal matrix Y_t of the Y_k and
//! the mobility Y_o between the points that all other motion of the body has, rigid and modal. They act back on the mode as
//! `−u_nᵀ F`, so that it decays by
//!
//! ```text
//! d_support,n = ½ Re u_nᵀ (Y_t(ω_n) + Y_o(ω_n))⁻¹ u_n,    Y_o(ω) = R/(iω) + Σ_m iω u_m u_mᵀ / (ω_m² − ω²)
//! ```
//!
//! Where the supports are soft compared with the body this is `½ Σ_k Re Z_k (u_n(x_k)·n_k)²` with Z_k = 1/Y_k, the power
//! that the supports take (−dE/dt = 2 d E). Where they are hard, Y_o keeps it finite: a mode then moves with nodes near
//! the supports and loses little. Modes within a twelfth of an octave are left out of Y_o together: such modes share what
//! the supports take, and to first order their sum is right.
//!
//! Only decays change. A support also shifts frequencies, by `½ Im …` where it is light, and bodies rattle where they move
//! farther than their weight presses the contact together; neither is followed.

mod held;
mod mounted;
mod resting_points;
mod support_contact;

pub use held::{Held, HeldBody, HeldError, resting_on};
pub use mounted::edge_decays;
pub use resting_points::resting_points;
pub use support_contact::{ContactSpring, Foundation, Support, SupportContact, loss_factor};

use foley_dsp::model::{ModalModel, ModelError};
use foley_geometry::MassProperties;
use glam::{DMat3, DVec3};
use num_complex::Complex64;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Bands in an octave whose modes are left out of Y_o together.
const BANDS_PER_OCTAVE: f64 = 12.0;

/// Largest decay over ω: beyond, a mode would not oscillate.
const MOST_DAMPING: f64 = 0.5;

/// Returns the decay rate that touches add to each mode, 1/s; zeros where it is not known how the body moves.
pub fn support_decays(model: &ModalModel, contacts: &[SupportContact]) -> Vec<f64> {
    let mut decays = vec![0.0; model.mode_count()];
    let Some(vibration) = &model.vibration else { return decays };
    if contacts.is_empty() {
        return decays;
    }
    let shapes: Vec<Vec<f64>> = contacts
        .iter()
        .map(|contact| {
            let gains = model.gains_along(contact.at_m, contact.direction);
            vibration.mode_shapes(&gains).collect()
        })
        .collect();
    let rigid =
        if vibration.free { rigid_mobility(model, contacts) } else { zeros(contacts.len()) };
    let band = |f: f64| (BANDS_PER_OCTAVE * f.log2()).round() as i64;
    let mut bands: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (n, f) in model.frequencies_hz.iter().enumerate() {
        bands.entry(band(*f)).or_default().push(n);
    }
    for (band, modes) in bands {
        let centre = TAU * (band as f64 / BANDS_PER_OCTAVE).exp2();
        let others = other_mobility(model, &shapes, &rigid, &modes, centre);
        let supports: Vec<Complex64> =
            contacts.iter().map(|contact| contact.support.mobility(centre)).collect();
        for n in modes {
            let omega = TAU * model.frequencies_hz[n];
            let mut matrix: Vec<Vec<Complex64>> = others
                .iter()
                .map(|row| row.iter().map(|b| Complex64::new(0.0, *b)).collect())
                .collect();
            for (k, contact) in contacts.iter().enumerate() {
                matrix[k][k] += supports[k] + contact.spring_mobility(omega);
            }
            let u: Vec<f64> = shapes.iter().map(|shape| shape[n]).collect();
            let forces = solve(matrix, u.iter().map(|u| Complex64::from(*u)).collect());
            let work: f64 = u.iter().zip(&forces).map(|(u, force)| u * force.re).sum();
            let most = MOST_DAMPING * omega - model.decays[n];
            decays[n] = (0.5 * work).max(0.0).min(most.max(0.0));
        }
    }
    decays
}

/// Returns the model with the damping of touches added.
pub fn supported(
    model: &ModalModel,
    contacts: &[SupportContact],
) -> Result<ModalModel, ModelError> {
    damped(model, support_decays(model, contacts))
}

/// Returns the model with more damping: these decay rates are added, 1/s.
fn damped(model: &ModalModel, added: Vec<f64>) -> Result<ModalModel, ModelError> {
    model.with_decays(model.decays.iter().zip(added).map(|(d, more)| d + more).collect())
}

fn zeros(n: usize) -> Vec<Vec<f64>> {
    vec![vec![0.0; n]; n]
}

/// Returns R of the free rigid body: velocities at the points per impulse at each, along their directions, 1/kg.
fn rigid_mobility(model: &ModalModel, contacts: &[SupportContact]) -> Vec<Vec<f64>> {
    let mass_kg = model.body.mass_kg;
    let sheet = MassProperties::of_sheet(&model.points, &model.triangles, 1.0);
    let mass = match sheet.mass_kg > 0.0 {
        true => sheet.with_mass(mass_kg),
        false => MassProperties::of_points(&model.points, mass_kg),
    };
    let [low, high] = foley_geometry::vector::bounds(model.points.iter().map(|p| (*p).into()))
        .unwrap_or_default();
    let mass = mass.with_min_inertia((high - low).max_element().max(1e-6));
    let inertia = DMat3::from_cols_array_2d(&mass.inertia_kg_m2).inverse();
    let arms: Vec<(DVec3, DVec3)> = contacts
        .iter()
        .map(|contact| {
            let n = DVec3::from(contact.direction).normalize_or_zero();
            (n, (DVec3::from(contact.at_m) - DVec3::from(mass.centre_m)).cross(n))
        })
        .collect();
    let entry = |(n, arm): &(DVec3, DVec3), (m, other): &(DVec3, DVec3)| {
        n.dot(*m) / mass_kg + arm.dot(inertia * *other)
    };
    arms.iter().map(|a| arms.iter().map(|b| entry(a, b)).collect()).collect()
}

/// Returns Y_o at ω over i: without these modes, which are close to ω.
fn other_mobility(
    model: &ModalModel,
    shapes: &[Vec<f64>],
    rigid: &[Vec<f64>],
    close: &[usize],
    omega: f64,
) -> Vec<Vec<f64>> {
    let mut weights: Vec<f64> = model
        .frequencies_hz
        .iter()
        .map(|f| omega / ((TAU * f - omega) * (TAU * f + omega)))
        .collect();
    close.iter().for_each(|n| weights[*n] = 0.0);
    let mut matrix = zeros(shapes.len());
    for k in 0..shapes.len() {
        for l in 0..=k {
            let modes = shapes[k].iter().zip(&shapes[l]).zip(&weights);
            let sum: f64 = modes.map(|((a, b), w)| a * b * w).sum();
            matrix[k][l] = sum - rigid[k][l] / omega;
            matrix[l][k] = matrix[k][l];
        }
    }
    matrix
}

/// Solves A x = b by elimination with pivots, for as many unknowns as a body has contacts. A direction in which A
/// vanishes takes no force.
fn solve(mut a: Vec<Vec<Complex64>>, mut b: Vec<Complex64>) -> Vec<Complex64> {
    let n = b.len();
    let size = a.iter().flatten().map(|x| x.norm()).fold(0.0, f64::max);
    for i in 0..n {
        let pivot = (i..n).max_by(|p, q| a[*p][i].norm().total_cmp(&a[*q][i].norm())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        if !(a[i][i].norm() > 1e-14 * size) {
            continue;
        }
        for r in i + 1..n {
            let (above, below) = a.split_at_mut(r);
            let factor = below[0][i] / above[i][i];
            for (x, above) in below[0][i..].iter_mut().zip(&above[i][i..]) {
                *x -= factor * above;
            }
            let above = b[i];
            b[r] -= factor * above;
        }
    }
    for i in (0..n).rev() {
        let known: Complex64 = (i + 1..n).map(|c| a[i][c] * b[c]).sum();
        let pivot = a[i][i];
        b[i] = match pivot.norm() > 1e-14 * size {
            true => (b[i] - known) / pivot,
            false => Complex64::ZERO,
        };
    }
    b
}
