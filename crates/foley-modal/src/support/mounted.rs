//! Losses at the edges of a plate that is built into a frame: a window, a door, a roof.
//!
//! In a diffuse field of bending waves with the energy E per area, the power c_g E/π meets each metre of edge. An edge with
//! the absorption coefficient α takes that share of it, so that a plate of perimeter U and area S loses
//!
//! ```text
//! η_edge = α U c_g / (π ω S) = α U λ_B / (π² S),    c_g = 2 c_B = ω λ_B / π,    λ_B = 2π (D/ρh)^¼ / √ω
//! ```
//!
//! (Heckl, *J. Acoust. Soc. Am.* 34, 803 (1962); in EN 12354-1, Annex C, with the critical frequency f_c at which
//! λ_B = c₀/f: `η_edge = c₀ Σ l_k α_k / (π² S √(f f_c))`.) A mode decays by `½ η ω` more.

use super::{HeldError, MOST_DAMPING};
use crate::shape::{Edge, Shape};
use foley_dsp::model::ModalModel;
use std::f64::consts::{PI, TAU};

/// α of screwed, bolted or sealed edges, mean of all.
const ABSORPTION: f64 = 0.2;

/// Returns the decay rate that the edges of a mounted plate add to each mode, 1/s; `shape` is that of the model.
pub fn edge_decays(model: &ModalModel, shape: &Shape) -> Result<Vec<f64>, HeldError> {
    let not_mounted = || HeldError::NotMounted { what: shape.to_string() };
    let [area, perimeter, h] = held_plate(shape).ok_or_else(not_mounted)?;
    let body = &model.body;
    let bending = body.young_pa * h.powi(3) / (12.0 * (1.0 - body.poisson * body.poisson));
    let stiffness = (bending * area / body.mass_kg).sqrt();
    let decay = |(f, own): (&f64, &f64)| {
        let omega = TAU * f;
        let wavelength = TAU * (stiffness / omega).sqrt();
        let loss_factor = ABSORPTION * perimeter * wavelength / (PI * PI * area);
        (0.5 * loss_factor * omega).min((MOST_DAMPING * omega - own).max(0.0))
    };
    Ok(model.frequencies_hz.iter().zip(&model.decays).map(decay).collect())
}

/// Returns area, perimeter and thickness of a plate whose edges are held.
fn held_plate(shape: &Shape) -> Option<[f64; 3]> {
    match shape {
        Shape::Plate(plate) if plate.edge != Edge::Free => {
            let [a, b] = [plate.length(), plate.width()];
            Some([a * b, 2.0 * (a + b), plate.thickness()])
        }
        Shape::Disc(disc) if disc.edge != Edge::Free => {
            let radius = 0.5 * disc.diameter();
            Some([PI * radius * radius, TAU * radius, disc.thickness()])
        }
        _ => None,
    }
}
