//! The modal model M = {f, d, A} of FoleyAutomatic 2001, eq. 1.
//!
//! A unit impulse (1 N·s) at surface point k sounds as
//! `y_k(t) = Σ_n a_nk e^{−d_n t} sin(2π f_n t)`, in pascals at one metre.

mod interpolate_gains;
mod validate;
mod gains;
mod bvh;
mod surface_point;

pub use gains::Gains;

use thiserror::Error;

/// No model may have more modes than this: far beyond hearing, well within memory.
pub const MAX_MODES: usize = 1 << 20;
/// No model may hold more gains than this (modes × points).
pub const MAX_GAINS: usize = 1 << 28;

/// Why numbers do not make a modal model.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// There is nothing to hear.
    #[error("the model has no modes; lower the minimum frequency or check size and material")]
    NoModes,
    /// There is no place to strike.
    #[error("the model has no surface points; it needs at least one place to strike")]
    NoPoints,
    /// Arrays whose lengths contradict each other.
    #[error("{what} has {found} entries where {expected} are needed")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// More than the engine accepts.
    #[error("{found} {what} are more than the limit of {limit}")]
    TooMany {
        /// Modes, gains or triangles.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A number that no physical object has.
    #[error("{what} {index} is {value}; it must be {must}")]
    Value {
        /// Which quantity.
        what: &'static str,
        /// Where in its array.
        index: usize,
        /// The offending value.
        value: f64,
        /// What would be accepted.
        must: &'static str,
    },
}

/// What a striker feels of the object: the Hertz pair model needs both bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Mass of the whole object, kg.
    pub mass_kg: f64,
    /// Young's modulus, Pa.
    pub young_pa: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Radius of curvature where it is struck, m; infinite when flat.
    pub radius_m: f64,
}

/// The arrays of a model before they are checked; see [`ModalModel::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct ModalParts {
    /// What people call it.
    pub name: String,
    /// f_n, Hz: the damped frequencies that are heard.
    pub frequencies_hz: Vec<f64>,
    /// d_n, 1/s: amplitudes fall as e^{−d t}; T60 = 3 ln 10 / d.
    pub decays: Vec<f64>,
    /// Surface points with known gains, m.
    pub points: Vec<[f64; 3]>,
    /// How the points form a surface; a segment of a line repeats its last point.
    /// May be empty: then the nearest point is struck.
    pub triangles: Vec<[u32; 3]>,
    /// a_nk, Pa at 1 m per N·s.
    pub gains: Gains,
    /// The body behind the surface.
    pub body: Body,
}

/// A checked modal model: every number finite, every length consistent, never empty.
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
    /// Checks the parts and makes them a model.
    ///
    /// ```
    /// use foley_dsp::model::{Body, ModalModel, ModalParts};
    /// let model = ModalModel::new(ModalParts {
    ///     name: "tine".into(),
    ///     frequencies_hz: vec![440.0],
    ///     decays: vec![3.0],
    ///     points: vec![[0.0; 3]],
    ///     triangles: vec![],
    ///     gains: vec![1.0].into(),
    ///     body: Body { mass_kg: 0.1, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY },
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
        validate::values(&parts)?;
        Ok(Self { bvh: bvh::TriangleBvh::new(&parts), parts })
    }

    /// The parts, to be changed and checked again.
    pub fn into_parts(self) -> ModalParts {
        self.parts
    }

    /// N.
    pub fn mode_count(&self) -> usize {
        self.frequencies_hz.len()
    }

    /// K.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// How strongly each mode answers, on the whole: the root mean square of its gains over all
    /// points.
    pub fn rms_gains(&self) -> Vec<f32> {
        let squares = self.gains.mean_squares(self.mode_count());
        squares.into_iter().map(|square| square.sqrt() as f32).collect()
    }

    /// The gains of surface point `k` for a blow along the normal there, one per mode.
    ///
    /// # Panics
    /// When there is no such point.
    pub fn gains_of_point(&self, k: usize) -> Vec<f32> {
        let spot = surface_point::point(self, k);
        self.gains.at(self.mode_count(), &spot, spot.normal)
    }

    /// The gains of surface point `k` for a blow along `direction`.
    ///
    /// # Panics
    /// When there is no such point.
    pub fn gains_of_point_along(&self, k: usize, direction: [f64; 3]) -> Vec<f32> {
        let spot = surface_point::point(self, k);
        self.gains.at(self.mode_count(), &spot, towards(direction, spot.normal))
    }

    /// The gains at the surface point closest to `at` for a blow along the normal there,
    /// barycentric between the corners of its triangle (FoleyAutomatic 2001, §2; signed, as
    /// computed mode shapes are). Non-finite coordinates fall on the first point.
    pub fn gains_at(&self, at: [f64; 3]) -> Vec<f32> {
        let spot = surface_point::closest(self, &self.bvh, at);
        self.gains.at(self.mode_count(), &spot, spot.normal)
    }

    /// The same for a blow along `direction`, of any length. Gains that are known only along
    /// the normal answer with the cosine between the two.
    pub fn gains_along(&self, at: [f64; 3], direction: [f64; 3]) -> Vec<f32> {
        let spot = surface_point::closest(self, &self.bvh, at);
        self.gains.at(self.mode_count(), &spot, towards(direction, spot.normal))
    }
}

/// A unit vector; the normal when there is no direction.
fn towards(direction: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    match length > 0.0 && length.is_finite() {
        true => direction.map(|x| x / length),
        false => normal,
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
            body: Body { mass_kg: 1.0, young_pa: 1e9, poisson: 0.3, radius_m: f64::INFINITY },
        }
    }

    /// Gains that are linear over the surface are reproduced exactly, also from off it.
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

    /// A corner that moves (1, 2, 3) answers with the component along the blow.
    #[test]
    fn vectors_answer_in_every_direction() {
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
        close(&model.gains_of_point_along(3, [0.0, 0.0, -2.0]), [-6.0, -1e-3]);
        close(&model.gains_at([0.5, 0.0, 1.0]), [3.5, 1e-3]);
        close(&model.gains_along([0.0; 3], [5.0, 0.0, 0.0]), [1.0, -7.0]);
        close(&model.gains_along([0.0; 3], [f64::NAN; 3]), [3.0, 1e-3]);
        // Gains along the normal know only the cosine.
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
