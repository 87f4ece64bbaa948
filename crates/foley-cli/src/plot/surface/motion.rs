//! How the surface moves in one mode.
//!
//! The gain of a blow along e is `level · u · e` with the mode shape u (reciprocity: where a
//! mode is struck well it also moves much), so gains draw mode shapes. Where only the gain
//! `a` along the normal n is known, the motion drawn is `a n`.

use foley_dsp::model::{Gains, ModalModel};

use super::body::Body;
use super::vector::{Vector, dot, length, scaled};

/// The motion of a mode, in units of its largest displacement along the normal.
#[derive(Debug, Clone)]
pub(super) struct Motion {
    /// Displacement at each corner.
    pub vectors: Vec<Vector>,
    /// Its part along the outward normal.
    pub outward: Vec<f64>,
    /// The largest displacement in any direction; zero when the mode is silent.
    pub largest: f64,
}

/// The motion of mode `n` at the corners of a body.
pub(super) fn motion(model: &ModalModel, body: &Body, n: usize) -> Motion {
    let modes = model.mode_count();
    let vectors: Vec<Vector> = match &model.gains {
        Gains::Normal(gains) => {
            let gain = |k: usize| f64::from(gains[k * modes + n]);
            body.source.iter().zip(&body.normals).map(|(k, e)| scaled(*e, gain(*k))).collect()
        }
        Gains::Vector { levels, shapes } => {
            let level = f64::from(levels[n]);
            let at = |k: usize, axis: usize| f64::from(shapes[3 * (k * modes + n) + axis]);
            body.source.iter().map(|&k| [0, 1, 2].map(|axis| level * at(k, axis))).collect()
        }
    };
    let outward: Vec<f64> = vectors.iter().zip(&body.normals).map(|(u, e)| dot(*u, *e)).collect();
    let largest = body.corners().map(|i| length(vectors[i])).fold(0.0, f64::max);
    let most = body.corners().map(|i| outward[i].abs()).fold(0.0, f64::max);
    // A mode that moves within the surface is not blown up into one that moves out of it.
    let unit = most.max(0.02 * largest);
    if !(unit > 0.0) {
        let still = vec![[0.0; 3]; vectors.len()];
        return Motion { outward: vec![0.0; still.len()], vectors: still, largest: 0.0 };
    }
    Motion {
        vectors: vectors.into_iter().map(|u| scaled(u, 1.0 / unit)).collect(),
        outward: outward.into_iter().map(|a| a / unit).collect(),
        largest: largest / unit,
    }
}

impl Motion {
    /// How far to move the corners: the largest displacement as a part of the object's size,
    /// and where waves are short so little that the surface does not fold.
    pub(super) fn exaggeration(&self, body: &Body) -> f64 {
        const LARGEST: f64 = 0.09;
        const STEEPEST: f64 = 0.8;
        if self.largest == 0.0 {
            return 0.0;
        }
        let slope = |t| body.slope(t, &self.outward);
        let mut slopes: Vec<f64> = (0..body.triangles.len()).map(slope).collect();
        slopes.sort_by(f64::total_cmp);
        let steep = slopes[(slopes.len() - 1) * 95 / 100];
        (LARGEST / self.largest).min(STEEPEST / steep.max(1e-9))
    }
}
