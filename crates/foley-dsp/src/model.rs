//! The modal model M = {f, d, A}, \[FA\] eq. 1.
//!
//! The response to a unit impulse (1 N·s) at surface point k is
//! `y_k(t) = Σ_n a_nk e^{−d_n t} sin(2π f_n t)`, in pascals at one metre.

mod validate;
mod gains;
mod mobility;
mod interpolate_gains;
mod surface_point;
mod directivity;
mod bvh;

pub use directivity::{BANDS_PER_OCTAVE, Directivity};
pub use gains::Gains;
pub use mobility::StrikeSolution;

use crate::excitation::RigidRadiation;
use glam::DVec3;
use surface_point::unit_or;
use thiserror::Error;

/// Most modes of a model: far more than audible, well within memory.
pub const MAX_MODES: usize = 1 << 20;
/// Most gains of a model (modes × points).
pub const MAX_GAINS: usize = 1 << 28;

/// Largest decay rate, 1/s.
pub const MAX_DECAY: f64 = 1e7;

/// Invalid parts of a modal model.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum ModelError {
    /// The model has no modes.
    #[error("the model has no modes; lower the minimum frequency or check size and material")]
    NoModes,
    /// The model has no surface points.
    #[error("the model has no surface points; it needs at least one")]
    NoPoints,
    /// Arrays of inconsistent length.
    #[error("{what} has {found} entries where {expected} are needed")]
    Length { what: &'static str, found: usize, expected: usize },
    /// More than the limit.
    #[error("{found} {what} are more than the limit of {limit}")]
    TooMany { what: &'static str, found: usize, limit: usize },
    /// A quantity out of range.
    #[error("{what} {index} is {value}; it must be {must}")]
    Value { what: &'static str, index: usize, value: f64, must: &'static str },
}

/// Rigid and elastic properties of an object, for Hertz contact. The default has none, which no model may have.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactBody {
    /// Mass of the object, kg.
    pub mass_kg: f64,
    /// Young's modulus, Pa.
    pub young_pa: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Radius of curvature at the contact, m; infinite when flat.
    pub radius_m: f64,
}

/// How the body moves with its modes, so that a contact feels it give way.
#[derive(Debug, Clone, PartialEq)]
pub struct Vibration {
    /// p_n, Pa at 1 m for unit modal velocity (1 m/s √kg). A mode shape is its gains over this.
    pub pressures_pa: Vec<f32>,
    /// Whether the body is free to move as a whole. One whose edges are held is not.
    pub free: bool,
}

/// The arrays of a model before validation; see [`ModalModel::new`]. The default has no modes and no points, which
/// no model may have: it completes parts of which little is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModalParts {
    /// Name of the object.
    pub name: String,
    /// f_n, Hz: damped frequencies.
    pub frequencies_hz: Vec<f64>,
    /// d_n, 1/s: amplitudes fall as e^{−d t}; T60 = 3 ln 10 / d.
    pub decays: Vec<f64>,
    /// Surface points with known gains, m.
    pub points: Vec<[f64; 3]>,
    /// Triangles of the surface; a line segment repeats its last point. May be empty: then strikes
    /// use the nearest point.
    pub triangles: Vec<[u32; 3]>,
    /// a_nk, Pa at 1 m per N·s.
    pub gains: Gains,
    /// Mass and elasticity of the object.
    pub body: ContactBody,
    /// How the body moves with its modes; `None` where only its sound is known, as from recordings.
    pub vibration: Option<Vibration>,
    /// How loud the body is when it is accelerated as a whole along x, y and z; `None` where that is not known.
    pub rigid: Option<[RigidRadiation; 3]>,
    /// In which directions its modes are louder than in the mean; `None`: alike in all, or not known.
    pub directivity: Option<Directivity>,
}

/// A validated modal model: all numbers finite, all lengths consistent, never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct ModalModel {
    parts: ModalParts,
    bvh: bvh::TriangleBvh,
}

impl std::ops::Deref for ModalModel {
    type Target = ModalParts;
    fn deref(&self) -> &ModalParts {
        &self.parts
    }
}

impl ModalModel {
    /// Validates the parts.
    ///
    /// ```
    /// use foley_dsp::model::{ContactBody, ModalModel, ModalParts};
    /// let model = ModalModel::new(ModalParts {
    ///     name: "tine".into(),
    ///     frequencies_hz: vec![440.0],
    ///     decays: vec![3.0],
    ///     points: vec![[0.0; 3]],
    ///     triangles: vec![],
    ///     gains: vec![1.0].into(),
    ///     body: ContactBody { mass_kg: 0.1, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY },
    ///     ..ModalParts::default()
    /// })?;
    /// assert_eq!(model.mode_count(), 1);
    /// # Ok::<(), foley_dsp::model::ModelError>(())
    /// ```
    pub fn new(parts: ModalParts) -> Result<Self, ModelError> {
        let (modes, points) = (parts.frequencies_hz.len(), parts.points.len());
        if modes == 0 {
            return Err(ModelError::NoModes);
        }
        if points == 0 {
            return Err(ModelError::NoPoints);
        }
        let too_many = |what, found, limit| Err(ModelError::TooMany { what, found, limit });
        if modes > MAX_MODES {
            return too_many("modes", modes, MAX_MODES);
        }
        let gains = modes.saturating_mul(points).saturating_mul(parts.gains.width());
        if gains > MAX_GAINS {
            return too_many("gains", gains, MAX_GAINS);
        }
        if parts.triangles.len() > MAX_GAINS {
            return too_many("triangles", parts.triangles.len(), MAX_GAINS);
        }
        let length = |what, found, expected| {
            if found == expected {
                Ok(())
            } else {
                Err(ModelError::Length { what, found, expected })
            }
        };
        length("decays", parts.decays.len(), modes)?;
        length("gains", parts.gains.len(), gains)?;
        if let Gains::Vector { levels, .. } = &parts.gains {
            length("levels", levels.len(), modes)?;
        }
        if let Some(vibration) = &parts.vibration {
            length("pressures", vibration.pressures_pa.len(), modes)?;
        }
        validate::values(&parts)?;
        Ok(Self { bvh: bvh::TriangleBvh::new(&parts), parts })
    }

    /// Returns the parts, to be changed and validated again.
    pub fn into_parts(self) -> ModalParts {
        self.parts
    }

    /// Returns the same modes with other decay rates, 1/s.
    pub fn with_decays(&self, decays: Vec<f64>) -> Result<Self, ModelError> {
        Self::new(ModalParts { decays, ..self.parts.clone() })
    }

    /// Returns N, the number of modes.
    pub fn mode_count(&self) -> usize {
        self.frequencies_hz.len()
    }

    /// Returns K, the number of surface points.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Returns the root mean square of each mode's gains over all points.
    pub fn rms_gains(&self) -> Vec<f32> {
        let squares = self.gains.mean_squares(self.mode_count());
        squares.into_iter().map(|square| square.sqrt() as f32).collect()
    }

    /// Returns the time after which every mode is 60 dB below the loudest one at the beginning, s,
    /// between 0.5 and 12, for the gains of a surface point.
    pub fn ring_time_s(&self, gains: &[f32]) -> f64 {
        let gains = gains.iter().map(|a| f64::from(a.abs()));
        let loudest = gains.clone().fold(0.0, f64::max);
        let times = gains.zip(&self.decays).map(|(a, d)| (1e3 * a / loudest).ln() / d);
        times.fold(0.0, f64::max).clamp(0.5, 12.0)
    }

    /// Returns the gains of surface point `k` for a force along the normal there, one per mode.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn gains_of_point(&self, k: usize) -> Vec<f32> {
        let spot = surface_point::point(self, k);
        self.gains.at(self.mode_count(), &spot, spot.normal)
    }

    /// Returns the gains at the surface point closest to `at` for a force along the normal there,
    /// by barycentric interpolation in its triangle (\[FA\] §2; signed, like computed mode shapes).
    /// Non-finite coordinates map to the first point.
    pub fn gains_at(&self, at: [f64; 3]) -> Vec<f32> {
        let spot = surface_point::closest(self, &self.bvh, at.into());
        self.gains.at(self.mode_count(), &spot, spot.normal)
    }

    /// Returns the unit normal at the surface point closest to `at`.
    pub fn normal_at(&self, at: [f64; 3]) -> DVec3 {
        surface_point::closest(self, &self.bvh, at.into()).normal
    }

    /// Returns the unit normal at surface point `k`.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn normal_of_point(&self, k: usize) -> DVec3 {
        surface_point::point(self, k).normal
    }

    /// Returns the same for a force along `direction`, of any length. Gains known only along the
    /// normal are multiplied by the cosine between the two.
    pub fn gains_along(&self, at: [f64; 3], direction: [f64; 3]) -> Vec<f32> {
        let spot = surface_point::closest(self, &self.bvh, at.into());
        self.gains.at(self.mode_count(), &spot, unit_or(direction.into(), spot.normal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_square() -> ModalParts {
        ModalParts {
            name: "square".into(),
            frequencies_hz: vec![100.0, 200.0],
            decays: vec![1.0, 2.0],
            points: vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            gains: vec![0., 0., 1., 0., 1., 1., 0., 1.].into(),
            body: ContactBody {
                mass_kg: 1.0,
                young_pa: 1e9,
                poisson: 0.3,
                radius_m: f64::INFINITY,
            },
            ..ModalParts::default()
        }
    }

    /// Gains that are linear over the surface are reproduced exactly, also from outside it.
    #[test]
    fn barycentric_interpolation_is_exact_for_linear_gains() {
        let model = ModalModel::new(unit_square()).unwrap();
        for at in [[0.25, 0.5, 0.0], [0.9, 0.1, 0.7], [0.3, 0.3, -2.0]] {
            let g = model.gains_at(at);
            assert!((f64::from(g[0]) - at[0]).abs() < 1e-6, "{g:?}");
            assert!((f64::from(g[1]) - at[1]).abs() < 1e-6, "{g:?}");
        }
        assert_eq!(model.gains_at([5.0, 5.0, 0.0]), [1.0, 1.0]);
    }

    #[test]
    fn a_line_of_segments_interpolates_too() {
        let mut parts = unit_square();
        parts.triangles = vec![[0, 1, 1], [1, 2, 2]];
        let model = ModalModel::new(parts).unwrap();
        let g = model.gains_at([1.0, 0.4, 0.0]);
        assert!((g[0] - 1.0).abs() < 1e-6 && (g[1] - 0.4).abs() < 1e-6);
    }

    #[test]
    fn bad_numbers_are_named() {
        let broken = |change: fn(&mut ModalParts)| {
            let mut parts = unit_square();
            change(&mut parts);
            ModalModel::new(parts).unwrap_err().to_string()
        };
        assert!(broken(|p| p.frequencies_hz[1] = f64::NAN).contains("frequency 1 is NaN"));
        assert!(broken(|p| p.decays[0] = -1.0).contains("decay rate 0"));
        assert!(broken(|p| p.triangles[0][1] = 9).contains("triangle corner 1"));
        assert!(broken(|p| p.gains = vec![0.0; 3].into()).contains("gains has 3"));
        assert!(broken(|p| p.body.mass_kg = 0.0).contains("mass"));
        assert!(broken(|p| p.frequencies_hz.clear()).contains("no modes"));
    }

    /// A corner with the mode shape (1, 2, 3) responds with the component along the force.
    #[test]
    fn vector_gains_respond_in_every_direction() {
        let mut parts = unit_square();
        let first = (0..4u8).map(|k| [1.0, 2.0, 3.0 + f32::from(k)]).collect();
        parts.gains = Gains::vectors(&[first, vec![[-7.0, 0.0, 1e-3]; 4]]);
        let model = ModalModel::new(parts).unwrap();
        let close = |found: &[f32], wanted: [f64; 2]| {
            for (f, w) in found.iter().zip(wanted) {
                assert!((f64::from(*f) - w).abs() <= 1e-3 * w.abs() + 1e-6, "{found:?} {wanted:?}");
            }
        };
        close(&model.gains_of_point(0), [3.0, 1e-3]);
        close(&model.gains_along([0.0, 1.0, 0.0], [0.0, 0.0, -2.0]), [-6.0, -1e-3]);
        close(&model.gains_at([0.5, 0.0, 1.0]), [3.5, 1e-3]);
        close(&model.gains_along([0.0; 3], [5.0, 0.0, 0.0]), [1.0, -7.0]);
        close(&model.gains_along([0.0; 3], [f64::NAN; 3]), [3.0, 1e-3]);
        // Gains along the normal scale with the cosine.
        let scalar = ModalModel::new(unit_square()).unwrap();
        let slanted = scalar.gains_along([1.0, 0.0, 0.0], [1.0, 0.0, 1.0]);
        assert!((slanted[0] - 0.5f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn overall_gains_are_those_of_all_points() {
        let found = ModalModel::new(unit_square()).unwrap().rms_gains();
        found.iter().for_each(|gain| assert!((gain - 0.5f32.sqrt()).abs() < 1e-6, "{found:?}"));
        let mut parts = unit_square();
        let first = (0..4u8).map(|k| [3.0, 0.0, 2.0 * f32::from(k)]).collect();
        parts.gains = Gains::vectors(&[first, vec![[0.0; 3]; 4]]);
        let found = ModalModel::new(parts).unwrap().rms_gains();
        let truth = f32::sqrt(9.0 + (0.0 + 4.0 + 16.0 + 36.0) / 4.0);
        assert!((found[0] / truth - 1.0).abs() < 1e-3 && found[1] == 0.0, "{found:?}");
    }

    #[test]
    fn bad_vectors_are_named() {
        let broken = |levels: Vec<f32>, shape: f32| {
            let shapes = vec![half::f16::from_f32(shape); 24];
            let parts = ModalParts { gains: Gains::Vector { levels, shapes }, ..unit_square() };
            ModalModel::new(parts).unwrap_err().to_string()
        };
        assert!(broken(vec![1.0], 0.5).contains("levels has 1"));
        assert!(broken(vec![1.0, -1.0], 0.5).contains("level 1 is -1"));
        assert!(broken(vec![1.0, 1.0], 1.5).contains("mode shape entry 0 is 1.5"));
        assert!(broken(vec![1.0, 1.0], f32::NAN).contains("mode shape entry 0 is NaN"));
    }
}
