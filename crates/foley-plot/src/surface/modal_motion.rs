//! Motion of the surface in one mode.
//!
//! The gain of a strike along e is `level · u · e` with the mode shape u (reciprocity: where a
//! mode is excited strongly it also moves much), so gains give mode shapes. Where only the gain
//! `a` along the normal n is known, the motion drawn is `a n`.

use foley_dsp::model::{Gains, ModalModel};
use glam::DVec3;

use super::drawn_surface::DrawnSurface;

/// The motion of a mode, in units of its largest displacement along the normal (of one that
/// moves within the surface, in any direction).
#[derive(Debug, Clone)]
pub(crate) struct ModalMotion {
    /// Displacement at each vertex.
    pub vectors: Vec<DVec3>,
    /// Component along the outward normal.
    pub outward: Vec<f64>,
    /// The largest displacement in any direction; zero when the mode is silent.
    pub largest: f64,
    /// Whether the motion is nearly all tangential, as a twist is.
    pub within: bool,
}

/// Share of normal motion below which a mode is tangential: the
/// remainder is roughness of the triangles and must not be exaggerated.
const WITHIN: f64 = 0.25;

/// Returns the motion of mode `n` at the vertices of a surface.
pub(crate) fn motion(model: &ModalModel, surface: &DrawnSurface, n: usize) -> ModalMotion {
    let modes = model.mode_count();
    let vectors: Vec<DVec3> = match &model.gains {
        Gains::Normal(gains) => {
            let gain = |k: usize| f64::from(gains[k * modes + n]);
            surface.source.iter().zip(&surface.normals).map(|(k, e)| *e * gain(*k)).collect()
        }
        Gains::Vector { levels, shapes } => {
            let level = f64::from(levels[n]);
            let at = |k: usize, axis: usize| f64::from(shapes[3 * (k * modes + n) + axis]);
            surface
                .source
                .iter()
                .map(|&k| level * DVec3::from([0, 1, 2].map(|axis| at(k, axis))))
                .collect()
        }
    };
    let outward: Vec<f64> = vectors.iter().zip(&surface.normals).map(|(u, e)| u.dot(*e)).collect();
    let largest = surface.corners().map(|i| vectors[i].length()).fold(0.0, f64::max);
    let most = surface.corners().map(|i| outward[i].abs()).fold(0.0, f64::max);
    let within = most < WITHIN * largest;
    let unit = if within { largest } else { most };
    if !(unit > 0.0) {
        let still = vec![DVec3::ZERO; vectors.len()];
        return ModalMotion {
            outward: vec![0.0; still.len()],
            vectors: still,
            largest: 0.0,
            within,
        };
    }
    ModalMotion {
        within,
        vectors: vectors.into_iter().map(|u| u * (1.0 / unit)).collect(),
        outward: outward.into_iter().map(|a| a / unit).collect(),
        largest: largest / unit,
    }
}

impl ModalMotion {
    /// Returns the factor of displacements: the largest is a fraction of the object's size,
    /// smaller where short waves would fold the surface.
    pub(crate) fn exaggeration(&self, surface: &DrawnSurface) -> f64 {
        const LARGEST: f64 = 0.08;
        const STEEPEST: f64 = 0.8;
        if self.largest == 0.0 {
            return 0.0;
        }
        let slope = |t| surface.slope(t, &self.outward);
        let mut slopes: Vec<f64> = (0..surface.triangles.len()).map(slope).collect();
        slopes.sort_by(f64::total_cmp);
        let steep = slopes[(slopes.len() - 1) * 95 / 100];
        (LARGEST / self.largest).min(STEEPEST / steep.max(1e-9))
    }
}

/// Returns the opacity of the nodal line in each triangle.
///
/// Where almost nothing moves, the sign is noise and its changes are no nodes: lines are drawn
/// only where something moves nearby.
pub(crate) fn nodes(surface: &DrawnSurface, motion: &ModalMotion) -> Vec<f32> {
    const NEARBY: f64 = 0.04;
    if motion.within || motion.largest == 0.0 {
        return Vec::new();
    }
    let edges: Vec<(usize, usize)> =
        surface.triangles.iter().flat_map(|&[i, j, k]| [(i, j), (j, k), (k, i)]).collect();
    let far = |(i, j): &(usize, usize)| surface.points[*i].distance(surface.points[*j]);
    let mean = edges.iter().map(far).sum::<f64>() / edges.len().max(1) as f64;
    let mut most: Vec<f64> = motion.outward.iter().map(|a| a.abs()).collect();
    for _ in 0..((NEARBY / mean).ceil() as usize).clamp(1, 30) {
        let before = most.clone();
        for &(i, j) in &edges {
            most[i] = most[i].max(before[j]);
            most[j] = most[j].max(before[i]);
        }
    }
    let strength = |t: &[usize; 3]| {
        let near = t.iter().map(|i| most[*i]).fold(0.0, f64::max);
        let s = ((near - 0.03) / 0.07).clamp(0.0, 1.0);
        0.9 * (s * s * (3.0 - 2.0 * s)) as f32
    };
    surface.triangles.iter().map(strength).collect()
}
