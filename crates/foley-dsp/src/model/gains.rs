//! Modal gains a_nk at the surface points.

use super::interpolate_gains;
use super::surface_point::ClosestPoint;
use fearless_simd::{Level, dispatch};
use glam::DVec3;
use half::f16;

/// Gains at surface points, Pa at 1 m per N·s, point by point.
#[derive(Debug, Clone, PartialEq)]
pub enum Gains {
    /// Signed gains for forces along the surface normal, `[point][mode]`.
    Normal(Vec<f32>),
    /// Gains for forces in any direction: mode shapes as vectors.
    ///
    /// A force along the unit vector e has the gain `levels[mode] · shapes[point][mode] · e`. Half
    /// precision has a relative error of 0.05 %; entries below 6e-5 of the mode's largest have an
    /// error of 3e-8 of that.
    Vector {
        /// The largest component of each mode, Pa at 1 m per N·s.
        levels: Vec<f32>,
        /// `[point][mode][x, y, z]`, each between −1 and 1.
        shapes: Vec<f16>,
    },
}

impl Default for Gains {
    fn default() -> Self {
        Self::Normal(Vec::new())
    }
}

impl From<Vec<f32>> for Gains {
    fn from(gains: Vec<f32>) -> Self {
        Self::Normal(gains)
    }
}

impl Gains {
    /// Compresses mode shapes, given for each mode as vectors at all points, Pa at 1 m per N·s.
    pub fn vectors(modes: &[Vec<[f32; 3]>]) -> Self {
        let most =
            |mode: &Vec<[f32; 3]>| mode.iter().flatten().fold(0.0, |m: f32, x| m.max(x.abs()));
        let levels: Vec<f32> = modes.iter().map(most).collect();
        let points = modes.iter().map(Vec::len).min().unwrap_or(0);
        let mut shapes = Vec::with_capacity(3 * points * modes.len());
        for k in 0..points {
            for (mode, level) in modes.iter().zip(&levels) {
                let unit = |x: f32| if *level > 0.0 { x / level } else { 0.0 };
                shapes.extend(mode[k].map(|x| f16::from_f32(unit(x))));
            }
        }
        Self::Vector { levels, shapes }
    }

    /// Returns the numbers per point and mode.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Normal(_) => 1,
            Self::Vector { .. } => 3,
        }
    }

    /// Returns the total of numbers.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Normal(gains) => gains.len(),
            Self::Vector { shapes, .. } => shapes.len(),
        }
    }

    /// Returns whether all gains are zero.
    pub fn is_silent(&self) -> bool {
        match self {
            Self::Normal(gains) => gains.iter().all(|g| *g == 0.0),
            Self::Vector { levels, .. } => levels.iter().all(|l| *l == 0.0),
        }
    }

    /// Returns the mean square of each mode's gains over all points.
    pub(super) fn mean_squares(&self, modes: usize) -> Vec<f64> {
        let mut sums = vec![0.0; modes];
        match self {
            Self::Normal(gains) => {
                for point in gains.chunks_exact(modes) {
                    sums.iter_mut().zip(point).for_each(|(sum, g)| *sum += f64::from(*g).powi(2));
                }
            }
            Self::Vector { levels, shapes } => {
                for point in shapes.chunks_exact(3 * modes) {
                    let (vectors, _) = point.as_chunks::<3>();
                    for ((sum, shape), level) in sums.iter_mut().zip(vectors).zip(levels) {
                        let square: f64 = shape.iter().map(|x| f64::from(*x).powi(2)).sum();
                        *sum += f64::from(*level).powi(2) * square;
                    }
                }
            }
        }
        let points = (self.len() / self.width() / modes.max(1)).max(1) as f64;
        sums.into_iter().map(|sum| sum / points).collect()
    }

    /// Returns the gains of a force along e, one per mode. Gains along the normal are multiplied by
    /// the cosine between the two.
    pub(super) fn at(&self, modes: usize, spot: &ClosestPoint, e: DVec3) -> Vec<f32> {
        let (level, w) = (Level::new(), spot.weights);
        let mut found = vec![0.0; modes];
        match self {
            Self::Normal(gains) => {
                let corners = spot.points.map(|k| &gains[k * modes..][..modes]);
                let cosine = spot.normal.dot(e);
                dispatch!(level, simd => interpolate_gains::normals(simd, corners, w, cosine, &mut found));
            }
            Self::Vector { levels, shapes } => {
                let corners = spot.points.map(|k| &shapes[3 * k * modes..][..3 * modes]);
                dispatch!(level, simd => interpolate_gains::vectors(simd, corners, levels, w, e.to_array(), &mut found));
            }
        }
        found
    }
}

impl FromIterator<f32> for Gains {
    /// Collects gains along the normal, `[point][mode]`.
    fn from_iter<I: IntoIterator<Item = f32>>(gains: I) -> Self {
        Self::Normal(gains.into_iter().collect())
    }
}
