//! Finds closed bodies and orients them outwards.
//!
//! A sheet is what is connected through edges of two triangles. It bounds a body when all its
//! edges have two triangles and its windings agree. A void inside a body, a closed sheet whose
//! windings point inwards as given, cannot be heard and is dropped.

use super::Surface;
use super::edges::{HalfEdge, edges, half_edges};
use foley_geometry::vector::bounds;
use glam::DVec3;

struct Sheet {
    triangles: Vec<usize>,
    closed: bool,
    /// Whether the windings agreed as given.
    consistent: bool,
}

pub(super) fn orient(surface: &mut Surface) {
    let halves = half_edges(&surface.triangles);
    let sheets = flood(surface, &halves);
    let mut voids = Vec::new();
    let boxes: Vec<[DVec3; 2]> = sheets.iter().map(|sheet| bounding_box(surface, sheet)).collect();
    for (s, sheet) in sheets.iter().enumerate().filter(|(_, sheet)| sheet.closed) {
        let volume = enclosed(surface, sheet);
        let inside = |other: usize| {
            other != s
                && sheets[other].closed
                && boxes[other][0].cmplt(boxes[s][0]).all()
                && boxes[other][1].cmpgt(boxes[s][1]).all()
        };
        if volume < 0.0 && sheet.consistent && (0..sheets.len()).any(inside) {
            voids.push(s);
            continue;
        }
        for &t in &sheet.triangles {
            surface.triangles[t].closed = true;
            if volume < 0.0 {
                flip(surface, t);
            }
        }
    }
    let mut keep = vec![true; surface.triangles.len()];
    voids.iter().flat_map(|&s| &sheets[s].triangles).for_each(|&t| keep[t] = false);
    let mut keep = keep.into_iter();
    surface.triangles.retain(|_| keep.next().unwrap_or(true));
}

/// Exchanges two corners.
fn flip(surface: &mut Surface, t: usize) {
    let triangle = &mut surface.triangles[t];
    triangle.corners.swap(1, 2);
    triangle.source.swap(1, 2);
    triangle.flipped = !triangle.flipped;
}

/// Collects the sheets and makes the windings of each agree as far as possible.
fn flood(surface: &mut Surface, halves: &[HalfEdge]) -> Vec<Sheet> {
    let count = surface.triangles.len();
    // Neighbours of each triangle, and whether their windings agree; `None` at other edges.
    let mut neighbours = vec![[None; 3]; count];
    for edge in edges(halves) {
        if let [a, b] = edge {
            let agree = a.along != b.along;
            neighbours[a.triangle as usize][a.opposite as usize] = Some((b.triangle, agree));
            neighbours[b.triangle as usize][b.opposite as usize] = Some((a.triangle, agree));
        }
    }
    let mut flipped: Vec<Option<bool>> = vec![None; count];
    let mut sheets = Vec::new();
    for start in 0..count {
        if flipped[start].is_some() {
            continue;
        }
        flipped[start] = Some(false);
        let mut sheet = Sheet { triangles: vec![start], closed: true, consistent: true };
        let mut next = 0;
        while let Some(&t) = sheet.triangles.get(next) {
            next += 1;
            let own = flipped[t] == Some(true);
            for neighbour in neighbours[t] {
                let Some((other, agree)) = neighbour else {
                    sheet.closed = false;
                    continue;
                };
                // Flipped like this triangle where the windings agree, else the other way.
                let wanted = own == agree;
                sheet.consistent &= agree;
                match flipped[other as usize] {
                    None => {
                        flipped[other as usize] = Some(wanted);
                        sheet.triangles.push(other as usize);
                    }
                    Some(found) => sheet.closed &= found == wanted,
                }
            }
        }
        sheets.push(sheet);
    }
    for (t, flipped) in flipped.into_iter().enumerate() {
        if flipped == Some(true) {
            flip(surface, t);
        }
    }
    sheets
}

fn bounding_box(surface: &Surface, sheet: &Sheet) -> [DVec3; 2] {
    let points = sheet.triangles.iter().flat_map(|&t| surface.corners(t));
    bounds(points).unwrap_or([DVec3::ZERO; 2])
}

/// Returns Σ a·(b × c)/6 about the center.
fn enclosed(surface: &Surface, sheet: &Sheet) -> f64 {
    let of = |&t: &usize| {
        let [a, b, c] = surface.corners(t).map(|p| p - surface.center);
        a.dot(b.cross(c)) / 6.0
    };
    sheet.triangles.iter().map(of).sum()
}
