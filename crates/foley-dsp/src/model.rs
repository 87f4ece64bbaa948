//! The modal model M = {f, d, A} of FoleyAutomatic 2001, eq. 1.
//!
//! A unit impulse (1 N·s) at surface point k sounds as
//! `y_k(t) = Σ_n a_nk e^{−d_n t} sin(2π f_n t)`, in pascals at one metre.

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
    /// a_nk, Pa at 1 m per N·s, signed, point after point (`[point][mode]`).
    pub gains: Vec<f32>,
    /// The body behind the surface.
    pub body: Body,
}

/// A checked modal model: every number finite, every length consistent, never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct ModalModel(ModalParts);

impl std::ops::Deref for ModalModel {
    type Target = ModalParts;
    fn deref(&self) -> &ModalParts {
        &self.0
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
    ///     gains: vec![1.0],
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
        let gains = modes.saturating_mul(points);
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
        check_values(&parts)?;
        Ok(Self(parts))
    }

    /// The parts, to be changed and checked again.
    pub fn into_parts(self) -> ModalParts {
        self.0
    }

    /// N.
    pub fn mode_count(&self) -> usize {
        self.frequencies_hz.len()
    }

    /// K.
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// The gains of surface point `k`, one per mode.
    pub fn gains_of_point(&self, k: usize) -> &[f32] {
        &self.gains[k * self.mode_count()..(k + 1) * self.mode_count()]
    }

    /// The gains at the surface point closest to `at`, barycentric between the
    /// corners of its triangle (FoleyAutomatic 2001, §2; signed, as computed mode
    /// shapes are). Non-finite coordinates fall on the first point.
    pub fn gains_at(&self, at: [f64; 3]) -> Vec<f32> {
        let mut best = (f64::INFINITY, [0usize; 3], [1.0, 0.0, 0.0]);
        if self.triangles.is_empty() {
            for (k, p) in self.points.iter().enumerate() {
                let d = squared(sub(at, *p));
                if d < best.0 {
                    best = (d, [k; 3], [1.0, 0.0, 0.0]);
                }
            }
        }
        for t in &self.triangles {
            let corners = t.map(|k| k as usize);
            let (d, weights) = closest_on_triangle(at, corners.map(|k| self.points[k]));
            if d < best.0 {
                best = (d, corners, weights);
            }
        }
        let (_, corners, weights) = best;
        let rows = corners.map(|k| self.gains_of_point(k));
        (0..self.mode_count())
            .map(|n| (0..3).map(|i| weights[i] * f64::from(rows[i][n])).sum::<f64>() as f32)
            .collect()
    }
}

fn check_values(parts: &ModalParts) -> Result<(), ModelError> {
    let all = |what, values: &mut dyn Iterator<Item = f64>, must, ok: fn(f64) -> bool| match values
        .enumerate()
        .find(|(_, v)| !ok(*v))
    {
        Some((index, value)) => Err(ModelError::Value { what, index, value, must }),
        None => Ok(()),
    };
    let positive = |v: f64| v.is_finite() && v > 0.0;
    let body = parts.body;
    all(
        "frequency",
        &mut parts.frequencies_hz.iter().copied(),
        "positive and at most 1 MHz",
        |v| v > 0.0 && v <= 1e6,
    )?;
    all("decay rate", &mut parts.decays.iter().copied(), "between 0 and 1e7 per second", |v| {
        (0.0..=1e7).contains(&v)
    })?;
    all("coordinate", &mut parts.points.iter().flatten().copied(), "finite", f64::is_finite)?;
    all("gain", &mut parts.gains.iter().map(|&g| f64::from(g)), "at most 1e20", |v| {
        v.abs() <= 1e20
    })?;
    let corners = parts.points.len();
    for (index, k) in parts.triangles.iter().flatten().enumerate() {
        if *k as usize >= corners {
            let (what, must) = ("triangle corner", "the index of a point");
            return Err(ModelError::Value { what, index, value: f64::from(*k), must });
        }
    }
    all("mass", &mut [body.mass_kg].into_iter(), "positive", positive)?;
    all("Young's modulus", &mut [body.young_pa].into_iter(), "positive", positive)?;
    all("Poisson's ratio", &mut [body.poisson].into_iter(), "above -1 and below 0.5", |v| {
        v > -1.0 && v < 0.5
    })?;
    all("radius", &mut [body.radius_m].into_iter(), "positive (infinite when flat)", |v| v > 0.0)
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn squared(a: [f64; 3]) -> f64 {
    dot(a, a)
}

/// Squared distance from `p` to a triangle and the barycentric weights of the
/// closest point: the interior projection, or the best of the three edges.
fn closest_on_triangle(p: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> (f64, [f64; 3]) {
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
    let (d00, d01, d11) = (dot(ab, ab), dot(ab, ac), dot(ac, ac));
    let det = d00 * d11 - d01 * d01;
    if det > 1e-12 * d00 * d11 {
        let v = (d11 * dot(ap, ab) - d01 * dot(ap, ac)) / det;
        let w = (d00 * dot(ap, ac) - d01 * dot(ap, ab)) / det;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return (squared(sub(ap, mix(ab, v, ac, w))), [1.0 - v - w, v, w]);
        }
    }
    let edges = [(a, b, 0, 1), (b, c, 1, 2), (c, a, 2, 0)];
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for (from, to, i, j) in edges {
        let (e, fp) = (sub(to, from), sub(p, from));
        let length = squared(e);
        let t = if length > 0.0 { (dot(fp, e) / length).clamp(0.0, 1.0) } else { 0.0 };
        let d = squared(sub(fp, mix(e, t, e, 0.0)));
        if d < best.0 {
            let mut weights = [0.0; 3];
            weights[i] += 1.0 - t;
            weights[j] += t;
            best = (d, weights);
        }
    }
    best
}

fn mix(a: [f64; 3], s: f64, b: [f64; 3], t: f64) -> [f64; 3] {
    [a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t]
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
            gains: vec![0., 0., 1., 0., 1., 1., 0., 1.],
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
        assert!(broken(|p| p.gains.truncate(3)).contains("gains has 3"));
        assert!(broken(|p| p.body.mass_kg = 0.0).contains("mass"));
        assert!(broken(|p| p.frequencies_hz.clear()).contains("no modes"));
    }
}
