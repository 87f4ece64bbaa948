//! An object of a scene: its model, its position, and the area it exposes to hail.

use foley_dsp::model::ModalModel;
use std::f64::consts::{FRAC_2_PI, PI};
use std::sync::Arc;

/// An object and its position relative to the listener.
#[derive(Debug, Clone)]
pub struct SceneObject {
    /// Name.
    pub name: String,
    /// Modal model; objects may share one.
    pub model: Arc<ModalModel>,
    /// Distance from the listener, m: pressure falls as its inverse.
    pub distance_m: f64,
    /// Azimuth to the right of straight ahead, degrees.
    pub azimuth_deg: f64,
}

/// Angle between the direction of falling hail and the vertical, from every side alike: walls are
/// hit too.
const SLANT: f64 = PI / 9.0;

impl SceneObject {
    pub(super) fn new(
        name: impl Into<String>,
        model: impl Into<Arc<ModalModel>>,
        distance_m: f64,
        azimuth_deg: f64,
    ) -> Self {
        Self { name: name.into(), model: model.into(), distance_m, azimuth_deg }
    }

    /// Returns the area of each surface point projected along the falling hail, m².
    pub(super) fn exposure(&self) -> Vec<f64> {
        let model = &self.model;
        let mut seen = vec![0.0; model.point_count()];
        for t in &model.triangles {
            let [x, y, z] = area_vector(t.map(|k| model.points[k as usize]));
            let area = SLANT.cos() * z.abs() + SLANT.sin() * FRAC_2_PI * x.hypot(y);
            t.iter().for_each(|k| seen[*k as usize] += area / 3.0);
        }
        // A closed surface exposes one half.
        if is_closed(model) {
            seen.iter_mut().for_each(|area| *area *= 0.5);
        }
        seen
    }
}

/// Tells whether the triangles form a closed surface: then their area vectors sum to zero.
fn is_closed(model: &ModalModel) -> bool {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for t in &model.triangles {
        let own = area_vector(t.map(|k| model.points[k as usize]));
        (0..3).for_each(|i| sum[i] += own[i]);
        total += own.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    sum.iter().all(|x| x.abs() < 1e-6 * total)
}

/// Returns a triangle's normal, as long as its area.
pub(super) fn area_vector([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    let cross = |i: usize, j: usize| 0.5 * (u[i] * v[j] - u[j] * v[i]);
    [cross(1, 2), cross(2, 0), cross(0, 1)]
}
