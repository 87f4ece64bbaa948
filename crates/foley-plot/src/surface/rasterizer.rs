//! Rasterizer: a depth buffer with several samples per pixel.
//!
//! The visible triangle of each sample is found first, its colour afterwards (`shading`), so that
//! hidden triangles are not shaded. Samples are averaged in linear light, before sRGB
//! encoding.

use super::shading::{Facet, Light, Palette};
use super::view::Window;
use crate::picture::color::{Color, srgb_from_linear};
use glam::{DVec3, Vec3};

/// Samples along the side of a pixel.
pub(crate) const FINE: usize = 3;
/// Half the width of an outline, samples.
const HALF_LINE: f64 = 1.7;
const NOTHING: u32 = u32::MAX;
const LINE: u32 = u32::MAX - 1;

/// Triangles and lines to rasterize.
pub(crate) struct Raster<'a> {
    /// Vertices: right, up, towards the viewer.
    pub points: &'a [DVec3],
    /// Triangles as vertex indices.
    pub triangles: &'a [[usize; 3]],
    /// Normals at the vertices: right, up, towards the viewer.
    pub normals: &'a [DVec3],
    /// Values, 0 to 1; NaN where unknown.
    pub values: &'a [f32],
    /// Colour map.
    pub colors: fn(f64) -> Color,
    /// Opacity of the nodal line (value ½) in each triangle; or empty.
    pub nodes: &'a [f32],
    /// Lines behind all triangles.
    pub lines: &'a [[DVec3; 2]],
    /// Lighting.
    pub light: Light,
}

/// Renders pixels, row after row.
pub(crate) fn render(scene: &Raster, window: &Window) -> Vec<[u8; 3]> {
    let (width, height) = window.size;
    let (columns, rows) = (width * FINE, height * FINE);
    let place = |p: DVec3| {
        let fine = FINE as f64;
        (window.place(p) * DVec3::new(fine, fine, 1.0)).as_vec3()
    };
    let facets: Vec<Facet> =
        (0..scene.triangles.len()).map(|t| Facet::new(scene, t, place)).collect();
    let mut seen = vec![NOTHING; columns * rows];
    for line in scene.lines {
        draw_line(line.map(place), &mut seen, columns, rows);
    }
    let mut depth = vec![f32::NEG_INFINITY; columns * rows];
    for (t, facet) in facets.iter().enumerate() {
        cover(facet, columns, rows, |at, z| {
            if z > depth[at] {
                (depth[at], seen[at]) = (z, t as u32);
            }
        });
    }
    drop(depth);
    let paint = Palette::new(scene);
    let light = |x: usize, y: usize| match seen[y * columns + x] {
        NOTHING => paint.ground,
        LINE => paint.line,
        t => paint.light(&facets[t as usize], x as f32 + 0.5, y as f32 + 0.5),
    };
    // Where all samples of a pixel show the same triangle, its middle stands for their mean.
    let alone = |row: usize, column: usize| {
        let first = seen[row * FINE * columns + column * FINE];
        let same = |j: usize| {
            let from = (row * FINE + j) * columns + column * FINE;
            seen[from..from + FINE].iter().all(|t| *t == first)
        };
        scene.nodes.is_empty() && (0..FINE).all(same)
    };
    let mut pixels = Vec::with_capacity(width * height);
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        if alone(row, column) {
            let middle = light(column * FINE + FINE / 2, row * FINE + FINE / 2);
            pixels.push(middle.map(|c| srgb_from_linear(f64::from(c))));
            continue;
        }
        let mut sum = [0.0f32; 3];
        for (j, i) in (0..FINE).flat_map(|j| (0..FINE).map(move |i| (j, i))) {
            let sample = light(column * FINE + i, row * FINE + j);
            (0..3).for_each(|c| sum[c] += sample[c]);
        }
        let samples = (FINE * FINE) as f32;
        pixels.push(sum.map(|c| srgb_from_linear(f64::from(c / samples))));
    }
    pixels
}

/// Calls `put` with each sample whose centre the triangle covers, and its depth there.
fn cover(facet: &Facet, columns: usize, rows: usize, mut put: impl FnMut(usize, f32)) {
    let [a, b, c] = facet.corners;
    let range = |axis: usize, count: usize| {
        let low = a[axis].min(b[axis]).min(c[axis]).floor().max(0.0) as usize;
        let high = a[axis].max(b[axis]).max(c[axis]).ceil().max(0.0) as usize;
        low..high.min(count)
    };
    // A small tolerance avoids gaps between neighbours.
    const HAIR: f32 = -1e-4;
    for y in range(1, rows) {
        for x in range(0, columns) {
            let w = facet.weights(x as f32 + 0.5, y as f32 + 0.5);
            if w.iter().all(|w| *w >= HAIR) {
                put(y * columns + x, w[0] * a.z + w[1] * b.z + w[2] * c.z);
            }
        }
    }
}

/// Marks the samples of a line.
fn draw_line(line: [Vec3; 2], seen: &mut [u32], columns: usize, rows: usize) {
    let [from, to] = line.map(|p| p.as_dvec3().truncate());
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.hypot(dy).ceil().max(1.0) as usize;
    for step in 0..=steps {
        let s = step as f64 / steps as f64;
        let (x, y) = (from.x + s * dx, from.y + s * dy);
        let about = |v: f64, count: usize| {
            let low = (v - HALF_LINE).max(0.0) as usize;
            low..((v + HALF_LINE).max(0.0) as usize + 1).min(count)
        };
        for (j, i) in about(y, rows).flat_map(|j| about(x, columns).map(move |i| (j, i))) {
            if (i as f64 + 0.5 - x).hypot(j as f64 + 0.5 - y) <= HALF_LINE {
                seen[j * columns + i] = LINE;
            }
        }
    }
}
