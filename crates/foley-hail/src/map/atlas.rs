//! Which texels belong to which collider.

use super::filling::{Filling, lost};
use crate::{HailError, Impact, Shape, Targets};

/// A collider's rectangle of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Its first column and row.
    pub at: [u32; 2],
    /// Its width and height.
    pub size: [u32; 2],
}

/// A rectangle of texels for every collider: all with as many texels a metre.
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas {
    size: [u32; 2],
    patches: Vec<Patch>,
    /// Of each patch: kinds of texels, how many there are, and how likely an impact falls on one.
    chances: Vec<Vec<(f64, f64)>>,
}

/// A map is at most so wide and high.
const LARGEST: u32 = 4096;

impl Atlas {
    /// As fine as a map of `size` texels allows.
    pub fn new(targets: &Targets, size: [u32; 2]) -> Result<Self, HailError> {
        if let Some(side) = size.iter().find(|side| !(1..=LARGEST).contains(*side)) {
            return Err(HailError::Setting {
                key: "map size",
                value: f64::from(*side),
                must: "from 1 to 4096 texels wide and high",
            });
        }
        let extents: Vec<[f64; 2]> = targets.as_slice().iter().map(|t| extent(t.shape())).collect();
        // Where nothing is larger than a texel, no coarser map helps.
        let coarsest = 1.0 / (1.0 + extents.as_flattened().iter().fold(0.0, |a: f64, b| a.max(*b)));
        let Some(mut patches) = pack(&extents, coarsest, size) else {
            return Err(HailError::TooMany {
                what: "colliders of one map",
                found: extents.len() as u64,
                most: u64::from(size[0]) * u64::from(size[1]),
                remedy: "make the map larger",
            });
        };
        // Halving the interval of texels a metre, on a scale of factors.
        let (mut low, mut high) = (coarsest, coarsest * 1e12);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            match pack(&extents, middle, size) {
                Some(fits) => (patches, low) = (fits, middle),
                None => high = middle,
            }
        }
        let each = targets.as_slice().iter().zip(&patches);
        let chances = each.map(|(t, patch)| Filling::of(t.shape()).chances(patch)).collect();
        Ok(Self { size, patches, chances })
    }

    /// Width and height of the map.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The rectangles, by the numbers of colliders.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// The texel of an impact, as column and row; none if its collider is not on the map.
    pub fn texel(&self, impact: &Impact) -> Option<[u32; 2]> {
        let patch = self.patches.get(impact.collider as usize)?;
        Some(std::array::from_fn(|i| {
            let cells = patch.size[i];
            patch.at[i] + ((impact.uv[i] * f64::from(cells)) as u32).min(cells - 1)
        }))
    }

    /// How many of n impacts on each collider are expected to be lost because another was first in
    /// their texel: `n − m (1 − (1 − 1/m)ⁿ)` of m texels, if every place on a collider is as likely as any
    /// other. Where texels stand for different areas (at the rim of a disc, along a cone) each has its
    /// own chance. Spheres and cylinders, which hail strikes on one side only, lose more.
    pub fn expected_lost(&self, impacts: &[u64]) -> f64 {
        let each = self.chances.iter().zip(impacts);
        each.map(|(chances, n)| lost(chances, *n as f64)).sum()
    }
}

/// How long a shape is along u and along v, about: the product is its area, or that of the rectangle
/// around a disc, and neither is more than twice the other, so that patches pack well.
fn extent(shape: &Shape) -> [f64; 2] {
    let [u, v] = sides(shape);
    let aspect = (u / v).clamp(0.5, 2.0).sqrt();
    let side = (u * v).sqrt();
    [side * aspect, side / aspect]
}

fn sides(shape: &Shape) -> [f64; 2] {
    let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
    let between = |a: [f64; 3], b: [f64; 3]| length(std::array::from_fn(|i| a[i] - b[i]));
    let area = shape.area_m2();
    match shape {
        Shape::Quad { corners_m: [a, b, c, d] } => {
            let [u, v] = [between(*a, *b) + between(*c, *d), between(*b, *c) + between(*d, *a)];
            let scale = (area / (u * v)).sqrt();
            [u * scale, v * scale]
        }
        Shape::Disc { axis_u_m, axis_v_m, .. } => {
            [2.0 * length(*axis_u_m), 2.0 * length(*axis_v_m)]
        }
        Shape::Sphere { radius_m, .. } => [area / (2.0 * radius_m), 2.0 * radius_m],
        Shape::Cylinder { axis_m, .. } | Shape::Cone { axis_m, .. } => {
            [area / length(*axis_m), length(*axis_m)]
        }
        Shape::Mesh(_) => [area.sqrt(); 2],
    }
}

/// Rectangles side by side on shelves, the highest first; none if they do not fit.
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
