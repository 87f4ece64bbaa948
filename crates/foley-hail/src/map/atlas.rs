//! The texture atlas: the rectangle of texels of each target.

use super::occupancy_statistics::{TexelDistribution, expected_losses};
use crate::{CheckedTarget, HailError, Impact, Surface, TargetSet};
use glam::DVec3;

/// The rectangle of texels of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Its first column and row.
    pub at: [u32; 2],
    /// Its width and height.
    pub size: [u32; 2],
}

/// A texture atlas: a rectangle of texels for each target, at the same texel density.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    size: [u32; 2],
    patches: Vec<Patch>,
    /// For each patch, classes of texels: the count, and the probability of one texel per impact.
    probabilities: Vec<Vec<(f64, f64)>>,
}

/// The largest width and height of a map.
const LARGEST: u32 = 4096;

impl Atlas {
    /// Packs an atlas of `size` texels at the largest density that fits.
    pub fn new(targets: &TargetSet, size: [u32; 2]) -> Result<Self, HailError> {
        if let Some(side) = size.iter().find(|side| !(1..=LARGEST).contains(*side)) {
            return Err(HailError::Setting {
                key: "map size",
                value: f64::from(*side),
                must: "from 1 to 4096 texels wide and high",
            });
        }
        let extents: Vec<[f64; 2]> =
            targets.as_slice().iter().map(|t| extent(&t.target().surface)).collect();
        // At this density nothing is larger than a texel; a coarser map would not help.
        let coarsest = 1.0 / (1.0 + extents.as_flattened().iter().fold(0.0, |a: f64, b| a.max(*b)));
        let Some(mut patches) = pack(&extents, coarsest, size) else {
            return Err(HailError::TooMany {
                what: "targets of one map",
                found: extents.len() as u64,
                limit: u64::from(size[0]) * u64::from(size[1]),
                remedy: "make the map larger",
            });
        };
        // Bisection of the density (texels per metre) on a logarithmic scale.
        let (mut low, mut high) = (coarsest, coarsest * 1e12);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            match pack(&extents, middle, size) {
                Some(fits) => (patches, low) = (fits, middle),
                None => high = middle,
            }
        }
        let each = targets.as_slice().iter().zip(&patches);
        let texels = |(target, patch): (&CheckedTarget, &Patch)| {
            TexelDistribution::of(&target.target().surface).texels(patch)
        };
        let probabilities = each.map(texels).collect();
        Ok(Self { size, patches, probabilities })
    }

    /// Returns the width and height of the map.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the rectangles by target index.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// Returns column and row of the texel of an impact; none if its target is not on the map.
    pub fn texel(&self, impact: &Impact) -> Option<[u32; 2]> {
        let patch = self.patches.get(impact.target as usize)?;
        Some(std::array::from_fn(|i| {
            let cells = patch.size[i];
            patch.at[i] + ((impact.uv[i] * f64::from(cells)) as u32).min(cells - 1)
        }))
    }

    /// Returns how many of n impacts on each target are expected to be lost to an earlier one in the same
    /// texel (the occupancy problem): `n − m (1 − (1 − 1/m)ⁿ)` for m texels and uniformly distributed impacts.
    /// Texels of different area (at the rim of a disc, along a cone) have their own probabilities. Spheres and
    /// cylinders are hit on one side only and lose more.
    pub fn expected_lost(&self, impacts: &[u64]) -> f64 {
        let each = self.probabilities.iter().zip(impacts);
        each.map(|(probabilities, n)| expected_losses(probabilities, *n as f64)).sum()
    }
}

/// Returns the approximate length of a surface along u and v. The product is its area, or that of the rectangle
/// around a disc; the ratio is clamped to 2 so that patches pack well.
fn extent(surface: &Surface) -> [f64; 2] {
    let [u, v] = sides(surface);
    let aspect = (u / v).clamp(0.5, 2.0).sqrt();
    let side = (u * v).sqrt();
    [side * aspect, side / aspect]
}

fn sides(surface: &Surface) -> [f64; 2] {
    let length = |v: [f64; 3]| DVec3::from(v).length();
    let area = surface.area_m2();
    match surface {
        Surface::Quad { corners_m } => {
            let [a, b, c, d] = corners_m.map(DVec3::from);
            let [u, v] = [a.distance(b) + c.distance(d), b.distance(c) + d.distance(a)];
            let scale = (area / (u * v)).sqrt();
            [u * scale, v * scale]
        }
        Surface::Disc { axis_u_m, axis_v_m, .. } => {
            [2.0 * length(*axis_u_m), 2.0 * length(*axis_v_m)]
        }
        Surface::Sphere { radius_m, .. } => [area / (2.0 * radius_m), 2.0 * radius_m],
        Surface::Cylinder { axis_m, .. } | Surface::Cone { axis_m, .. } => {
            [area / length(*axis_m), length(*axis_m)]
        }
        Surface::Mesh(_) => [area.sqrt(); 2],
    }
}

/// Shelf packing, tallest first; none if the rectangles do not fit.
fn pack(extents: &[[f64; 2]], per_m: f64, [width, height]: [u32; 2]) -> Option<Vec<Patch>> {
    let texels = |m: f64| (m * per_m).round().clamp(1.0, 1e9) as u32;
    let sizes: Vec<[u32; 2]> = extents.iter().map(|e| e.map(texels)).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(sizes[*i][1]));
    let mut patches = vec![Patch { at: [0; 2], size: [1; 2] }; sizes.len()];
    let (mut x, mut y, mut shelf) = (0_u32, 0_u32, 0_u32);
    for i in order {
        let [w, h] = sizes[i];
        if x.checked_add(w)? > width {
            (x, y, shelf) = (0, y + shelf, 0);
        }
        if w > width || y.checked_add(h)? > height {
            return None;
        }
        patches[i] = Patch { at: [x, y], size: [w, h] };
        x += w;
        shelf = shelf.max(h);
    }
    Some(patches)
}
