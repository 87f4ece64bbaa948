//! An object of a scene: its model, where it stands, and how much hail it catches.

use foley_dsp::model::ModalModel;
use std::f64::consts::{FRAC_2_PI, PI};
use std::sync::Arc;

/// An object and where it is heard from.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    pub(crate) name: String,
    pub(crate) model: Arc<ModalModel>,
    /// From the listener, m: pressure falls as its inverse.
    pub(crate) distance_m: f64,
    /// To the right of straight ahead, degrees.
    pub(crate) azimuth_deg: f64,
}

/// Hail falls this far from the plumb line, from every side alike: walls are hit too.
const SLANT: f64 = PI / 9.0;

impl Thing {
    pub(super) fn new(
        name: impl Into<String>,
        model: impl Into<Arc<ModalModel>>,
        distance_m: f64,
        azimuth_deg: f64,
    ) -> Self {
        Self { name: name.into(), model: model.into(), distance_m, azimuth_deg }
    }

    /// Of each surface point, the area that falling hail sees of it, m².
    pub(super) fn exposure(&self) -> Vec<f64> {
        let model = &self.model;
        let mut seen = vec![0.0; model.point_count()];
        for t in &model.triangles {
            let [x, y, z] = area_vector(t.map(|k| model.points[k as usize]));
            let area = SLANT.cos() * z.abs() + SLANT.sin() * FRAC_2_PI * x.hypot(y);
            t.iter().for_each(|k| seen[*k as usize] += area / 3.0);
        }
        // A body with an inside shows one half of its surface.
        if closed(model) {
            seen.iter_mut().for_each(|area| *area *= 0.5);
        }
        seen
    }
}

/// Whether the triangles enclose something: then their area vectors add up to nothing.
fn closed(model: &ModalModel) -> bool {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for t in &model.triangles {
        let own = area_vector(t.map(|k| model.points[k as usize]));
        (0..3).for_each(|i| sum[i] += own[i]);
        total += own.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    sum.iter().all(|x| x.abs() < 1e-6 * total)
}

/// Normal to a triangle, as long as its area.
pub(super) fn area_vector([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    let cross = |i: usize, j: usize| 0.5 * (u[i] * v[j] - u[j] * v[i]);
    [cross(1, 2), cross(2, 0), cross(0, 1)]
}
