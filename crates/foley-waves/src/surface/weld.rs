//! Checks and cleans triangles: welds coincident vertices, drops triangles without area and
//! duplicates.

use super::Triangle;
use crate::WavesError;
use foley_geometry::vector::{area_vector, bounds};
use glam::DVec3;
use std::collections::{HashMap, HashSet};

/// Vertices closer than this fraction of the extent are one.
const WELD: f64 = 1e-9;
/// Triangles whose height is below this fraction of their longest edge have no area.
const SLIVER: f64 = 1e-7;
/// Largest extent, m, at which squares and cubes of lengths keep their digits.
const MAX_EXTENT_M: f64 = 1e6;

/// Largest number of triangles: the transfer to a coarser mesh then needs half a gigabyte.
const MAX_TRIANGLES: usize = 1_000_000;

pub(super) struct Welded {
    pub(super) points: Vec<DVec3>,
    pub(super) triangles: Vec<Triangle>,
}

pub(super) fn weld(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Welded, WavesError> {
    if let Some(vertex) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(WavesError::PointNotFinite { vertex });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= points.len()) {
            let vertices = points.len();
            return Err(WavesError::NoSuchVertex { triangle, vertex, vertices });
        }
    }
    if triangles.len() > MAX_TRIANGLES {
        let (triangles, limit) = (triangles.len(), MAX_TRIANGLES);
        return Err(WavesError::TooManyTriangles { triangles, limit });
    }
    let used = triangles.iter().flatten().map(|&v| DVec3::from(points[v as usize]));
    let [low, high] = bounds(used).ok_or(WavesError::NoArea)?;
    let extent = (high - low).max_element();
    if !(extent <= MAX_EXTENT_M && low.abs().max(high.abs()).max_element() <= MAX_EXTENT_M) {
        return Err(WavesError::NotPositive { what: "extent of the surface", value: extent });
    }

    let cell = |p: [f64; 3]| {
        let place = (DVec3::from(p) - low) / (WELD * extent.max(f64::MIN_POSITIVE));
        place.round().to_array().map(|x| x as i64)
    };
    let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
    let mut welded = Welded { points: Vec::new(), triangles: Vec::new() };
    let mut seen = HashSet::new();
    for source in triangles {
        let corners = source.map(|v| {
            let p = points[v as usize];
            *numbers.entry(cell(p)).or_insert_with(|| {
                welded.points.push(p.into());
                welded.points.len() as u32 - 1
            })
        });
        let places = corners.map(|v| welded.points[v as usize]);
        let [a, b, c] = places;
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let mut sorted = corners;
        sorted.sort_unstable();
        if area_vector(places).length() > SLIVER * longest * longest && seen.insert(sorted) {
            welded.triangles.push(Triangle {
                corners,
                source: *source,
                flipped: false,
                closed: false,
                normal: DVec3::ZERO,
                area: 0.0,
            });
        }
    }
    Ok(welded)
}
