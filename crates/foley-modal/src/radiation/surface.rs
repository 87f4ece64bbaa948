//! Radiated power of the modes of a surface, by boundary elements (`foley_waves`). What the air adds to the mass of a body is
//! neglected.

use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, SOUND_SPEED_M_S};
use foley_waves::{Directivity, ModeVelocity, NormalVelocity, Surface, WavesError, radiate_modes};
use std::f64::consts::{PI, TAU};

/// Powers of all modes, W at unit peak modal velocity.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Powers {
    /// One per mode; also the decay rate by radiation, 1/s, for mass-normalised shapes.
    pub watts: Vec<f64>,
    /// Mean-square pressure of each mode over directions.
    pub directivities: Vec<Directivity>,
    /// What was approximated, as a sentence.
    pub note: Option<String>,
}

/// A surface with the frequencies of its modes.
#[derive(Debug, Clone, Copy)]
pub struct RadiatingSurface<'a> {
    /// Vertices, m.
    pub points: &'a [[f64; 3]],
    /// Triangles; sheets have air on both sides, closed bodies outside.
    pub triangles: &'a [[u32; 3]],
    /// Frequencies of the modes, Hz.
    pub frequencies_hz: &'a [f64],
    /// Time to spend, s, on two processor cores of 2022; 0: nothing is solved.
    pub budget_s: f64,
}

impl RadiatingSurface<'_> {
    /// Solves the radiation of all modes. `shape` returns the mass-normalised displacements of mode n at the points,
    /// 1/√kg. `None` when `progress` returns false. Where the surface cannot be solved, every mode radiates like a
    /// pulsating sphere of the same area, and a note says so; without a budget they do, without a note.
    pub fn powers(
        &self,
        shape: &dyn Fn(usize) -> Vec<[f64; 3]>,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Option<Powers> {
        if self.budget_s == 0.0 {
            return Some(Powers { note: None, ..self.compact(shape, "") });
        }
        match self.solve(shape, progress) {
            Ok(powers) => Some(powers),
            Err(WavesError::Cancelled) => None,
            Err(error) => Some(self.compact(shape, &error.to_string())),
        }
    }

    fn solve(
        &self,
        shape: &dyn Fn(usize) -> Vec<[f64; 3]>,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Powers, WavesError> {
        let surface = Surface::new(self.points, self.triangles)?;
        let mode = |(n, frequency_hz): (usize, &f64)| {
            let velocity = NormalVelocity::from_vectors(&surface, &shape(n))?;
            Ok(ModeVelocity { frequency_hz: *frequency_hz, velocity })
        };
        let modes: Result<Vec<_>, WavesError> =
            self.frequencies_hz.iter().enumerate().map(mode).collect();
        // Of the far field, only the directivity is kept.
        let mut options = foley_waves::Options::default()
            .with_budget_s(self.budget_s)
            .with_max_degree(0)
            .with_progress(progress);
        let found = radiate_modes(&surface, &modes?, &mut options)?;
        let solved_hz = found.report.solves.last().map_or(0.0, |solve| solve.frequency_hz);
        let note = (found.report.high_frequency > 0).then(|| {
            format!(
                "radiation was solved up to {solved_hz:.0} Hz and approximated for the {} modes above",
                found.report.high_frequency
            )
        });
        let (watts, directivities) =
            found.modes.into_iter().map(|mode| (mode.power_w, mode.far_field.directivity)).unzip();
        Ok(Powers { watts, directivities, note })
    }

    fn compact(&self, shape: &dyn Fn(usize) -> Vec<[f64; 3]>, reason: &str) -> Powers {
        let mesh = foley_geometry::mesh::Mesh::new(self.points.to_vec(), self.triangles.to_vec());
        let areas: Vec<glam::DVec3> = (0..mesh.triangles.len())
            .map(|t| 0.5 * foley_geometry::vector::area_vector(mesh.corners(t)))
            .collect();
        let area: f64 = areas.iter().map(|a| a.length()).sum();
        let power = |(n, f): (usize, &f64)| {
            let shape = shape(n);
            let square = |(t, a): (&[u32; 3], &glam::DVec3)| {
                let normal = foley_geometry::vector::unit_or_zero(*a);
                let at = |v: &u32| glam::DVec3::from(shape[*v as usize]).dot(normal).powi(2);
                a.length() * t.iter().map(at).sum::<f64>() / 3.0
            };
            let squares: f64 = mesh.triangles.iter().zip(&areas).map(square).sum();
            let sigma = sphere_efficiency(*f, (area / (4.0 * PI)).sqrt());
            0.5 * AIR_IMPEDANCE_PA_S_M * sigma * squares
        };
        let watts: Vec<f64> = self.frequencies_hz.iter().enumerate().map(power).collect();
        let directivities = vec![Directivity::omnidirectional(); watts.len()];
        let note = format!("its radiation is that of a pulsating sphere: {reason}");
        Powers { watts, directivities, note: Some(note) }
    }
}

/// Returns the radiation efficiency σ = (ka)² / (1 + (ka)²) of a pulsating sphere of radius a.
fn sphere_efficiency(frequency_hz: f64, radius_m: f64) -> f64 {
    let ka = TAU * frequency_hz / SOUND_SPEED_M_S * radius_m;
    ka * ka / (1.0 + ka * ka)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A surface without area has no solution; the modes are silent, and nothing fails.
    #[test]
    fn what_cannot_be_solved_is_approximated_with_a_note() {
        let points = [[0.0; 3], [1.0, 0.0, 0.0]];
        let radiator = RadiatingSurface {
            points: &points,
            triangles: &[[0, 1, 1]],
            frequencies_hz: &[100.0],
            budget_s: 1.0,
        };
        let found = radiator.powers(&|_| vec![[0.0, 0.0, 1.0]; 2], &mut |_| true).unwrap();
        assert_eq!(found.watts, [0.0]);
        assert!(found.note.unwrap().contains("pulsating sphere"));
    }
}
