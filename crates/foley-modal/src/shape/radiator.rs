//! What radiates: a slender body in closed form, or a sheet with air on both sides by boundary elements.

use super::modes::Field;
use super::surface::Surface;
use crate::radiation::{Powers, RadiatingSurface, SlenderBody};

/// Parts of a slender body per half-wave of its highest mode.
const PARTS_PER_HALF_WAVE: f64 = 16.0;
/// Fewest and most of them.
const PARTS: [f64; 2] = [64.0, 4000.0];

/// A radiating body, whose modes move along z.
#[derive(Debug)]
pub(super) enum Radiator {
    /// A bar, rod or string along x, with its length in m and the highest wavenumber.
    Slender { body: SlenderBody, length: f64, k: f64 },
    /// A sheet; its points are fine enough for the waves of all modes.
    Sheet(Surface),
}

impl Radiator {
    pub(super) fn is_sheet(&self) -> bool {
        matches!(self, Self::Sheet(_))
    }

    /// Returns what each mode radiates at unit peak modal velocity.
    pub(super) fn powers(
        &self,
        frequencies_hz: &[f64],
        field: &dyn Field,
        budget_s: f64,
    ) -> Powers {
        match self {
            Self::Slender { body, length, k } => {
                let wanted = length * k / std::f64::consts::PI * PARTS_PER_HALF_WAVE;
                let parts = wanted.clamp(PARTS[0], PARTS[1]) as usize;
                let middle = |i: usize| length * ((i as f64 + 0.5) / parts as f64 - 0.5);
                let places: Vec<[f64; 3]> = (0..parts).map(|i| [middle(i), 0.0, 0.0]).collect();
                let shapes = shapes(field, frequencies_hz.len(), &places);
                let radiated = |(f, shape): (&f64, &Vec<f64>)| {
                    (body.power_w(*f, shape), body.directivity(*f, shape))
                };
                let (watts, directivities) =
                    frequencies_hz.iter().zip(&shapes).map(radiated).unzip();
                Powers { watts, directivities, note: None }
            }
            Self::Sheet(Surface { points, triangles }) => {
                let shapes = shapes(field, frequencies_hz.len(), points);
                let surface = RadiatingSurface { points, triangles, frequencies_hz, budget_s };
                let shape = |n: usize| shapes[n].iter().map(|u| [0.0, 0.0, *u]).collect();
                surface.powers(&shape, &mut |_| true).unwrap_or_default()
            }
        }
    }
}

/// Returns the shape of each mode at all places.
fn shapes(field: &dyn Field, modes: usize, places: &[[f64; 3]]) -> Vec<Vec<f64>> {
    let mut shapes = vec![Vec::with_capacity(places.len()); modes];
    field.sample(places, &mut |u| {
        shapes.iter_mut().zip(u).for_each(|(shape, u)| shape.push(*u));
    });
    shapes
}
