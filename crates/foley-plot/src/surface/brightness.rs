//! Brightness of a strike's sound at each vertex of a surface.
//!
//! \[FA\], §5 and Fig. 7, shows "the frequency weighted average of the gains":
//! `Σ_n |a_n| f_n / Σ_n |a_n|` for a strike along the normal. The weights are the gains
//! themselves and not their squares, as in the paper; computed gains have signs, measured ones
//! have none, so magnitudes are used.

use foley_dsp::model::{Gains, ModalModel};
use glam::DVec3;

use super::drawn_surface::DrawnSurface;

/// Vertices where the gains sum up to less than this fraction of the loudest vertex are silent:
/// the remainder is rounding.
const SILENT: f64 = 1e-5;

/// Returns the brightness at each vertex, Hz; `None` where it is silent.
pub(crate) fn brightness(model: &ModalModel, surface: &DrawnSurface) -> Vec<Option<f64>> {
    let sums: Vec<(f64, f64)> =
        (0..surface.points.len()).map(|i| sums(model, surface, i)).collect();
    let loudest = surface.corners().map(|i| sums[i].0).fold(0.0, f64::max);
    sums.into_iter()
        .map(|(all, weighted)| (all > SILENT * loudest && all > 0.0).then(|| weighted / all))
        .collect()
}

/// Returns Σ|a| and Σ|a| f at vertex i.
fn sums(model: &ModalModel, surface: &DrawnSurface, i: usize) -> (f64, f64) {
    let (modes, k, e) = (model.mode_count(), surface.source[i], surface.normals[i]);
    let mut sums = (0.0, 0.0);
    let mut count = |gain: f64, f: f64| {
        sums.0 += gain.abs();
        sums.1 += gain.abs() * f;
    };
    let row = k * modes..(k + 1) * modes;
    match &model.gains {
        Gains::Normal(gains) => {
            let gains = gains[row].iter().map(|a| f64::from(*a));
            gains.zip(&model.frequencies_hz).for_each(|(a, f)| count(a, *f));
        }
        Gains::Vector { levels, shapes } => {
            let shapes = shapes[3 * row.start..3 * row.end].chunks_exact(3);
            for ((u, level), f) in shapes.zip(levels).zip(&model.frequencies_hz) {
                let u = DVec3::new(f64::from(u[0]), f64::from(u[1]), f64::from(u[2]));
                count(f64::from(*level) * u.dot(e), *f);
            }
        }
    }
    sums
}
