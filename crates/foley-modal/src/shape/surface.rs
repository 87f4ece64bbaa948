//! Sample points of a line, a rectangle or a disc, and the triangles between them.
//!
//! The spacing follows the highest kept mode of wavenumber k: eight points on each
//! half-wave π/k, as far as the bounds on the number of points allow. Linear
//! interpolation is then off by at most (π/8)²/8, 2 % of the antinode.

use std::f64::consts::{PI, TAU};

const POINTS_PER_HALF_WAVE: f64 = 8.0;
const MAX_SEGMENTS: usize = 200;
const MAX_SURFACE_POINTS: usize = 1500;
/// The same for a surface whose radiation is solved.
const MAX_RADIATING_POINTS: usize = 8000;

/// Returns the number of rings of a disc with at most this many points, 1 + 3 n (n + 1).
fn max_rings(points: usize) -> usize {
    (((points - 1) as f64 / 3.0 + 0.25).sqrt() - 0.5) as usize
}

/// Points and the triangles between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Intervals on a length, an even number so that the middle is a point.
fn intervals(length: f64, k: f64, [min, max]: [usize; 2]) -> usize {
    let wanted = (length * k / PI * POINTS_PER_HALF_WAVE).ceil();
    (wanted.clamp(min as f64, max as f64) as usize).next_multiple_of(2).min(max)
}

impl Surface {
    /// A line along x; each segment is a triangle that repeats its last point.
    pub(super) fn line(length: f64, k: f64) -> Self {
        let n = intervals(length, k, [8, MAX_SEGMENTS]);
        let points = (0..=n).map(|i| [place(i, n, length), 0.0, 0.0]).collect();
        let triangles = (0..n as u32).map(|i| [i, i + 1, i + 1]).collect();
        Self { points, triangles }
    }

    /// A rectangle, two triangles to a cell.
    pub(super) fn rectangle(a: f64, b: f64, k: f64) -> Self {
        Self::fine_rectangle(a, b, k, MAX_SURFACE_POINTS)
    }

    /// A rectangle with more points, for its radiation.
    pub(super) fn radiating_rectangle(a: f64, b: f64, k: f64) -> Self {
        Self::fine_rectangle(a, b, k, MAX_RADIATING_POINTS)
    }

    fn fine_rectangle(a: f64, b: f64, k: f64, max_points: usize) -> Self {
        // The finest spacing 1/q that the bound allows: (a q + 1)(b q + 1) = max.
        let (sum, max) = (a + b, max_points as f64);
        let q = ((sum * sum + 4.0 * a * b * (max - 1.0)).sqrt() - sum) / (2.0 * a * b);
        let at_most = |length: f64| ((length * q) as usize & !1).max(2);
        let (mut nx, mut ny) =
            (intervals(a, k, [4, at_most(a).max(4)]), intervals(b, k, [4, at_most(b).max(4)]));
        if nx > ny {
            nx = nx.min((max_points / (ny + 1) - 1) & !1);
        } else {
            ny = ny.min((max_points / (nx + 1) - 1) & !1);
        }
        let mut surface = Self::default();
        for j in 0..=ny {
            surface.points.extend((0..=nx).map(|i| [place(i, nx, a), place(j, ny, b), 0.0]));
        }
        let index = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
        for (i, j) in (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j))) {
            let [p, q, r, s] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
            surface.triangles.extend([[p, q, r], [p, r, s]]);
        }
        surface
    }

    /// A disc: its centre and rings of 6, 12, 18, … points.
    pub(super) fn disc(radius: f64, k: f64) -> Self {
        Self::fine_disc(radius, k, MAX_SURFACE_POINTS)
    }

    /// A disc with more points, for its radiation.
    pub(super) fn radiating_disc(radius: f64, k: f64) -> Self {
        Self::fine_disc(radius, k, MAX_RADIATING_POINTS)
    }

    fn fine_disc(radius: f64, k: f64, max_points: usize) -> Self {
        let most = max_rings(max_points);
        let rings = (radius * k / PI * POINTS_PER_HALF_WAVE).ceil().clamp(4.0, most as f64);
        let rings = rings as usize;
        let mut surface = Self { points: vec![[0.0; 3]], triangles: Vec::new() };
        // The first point of ring i; ring 0 is the centre.
        let first = |i: usize| if i == 0 { 0 } else { 1 + 3 * i * (i - 1) };
        for i in 1..=rings {
            let r = radius * i as f64 / rings as f64;
            surface.points.extend((0..6 * i).map(|j| {
                let (sin, cos) = (TAU * j as f64 / (6 * i) as f64).sin_cos();
                [r * cos, r * sin, 0.0]
            }));
            // In each sixth, i triangles stand on the outer ring, i − 1 on the inner.
            let outer = |j: usize| (first(i) + j % (6 * i)) as u32;
            let inner = |j: usize| (first(i - 1) + j % (6 * (i - 1)).max(1)) as u32;
            for sixth in 0..6 {
                let (o, n) = (sixth * i, sixth * (i - 1));
                surface
                    .triangles
                    .extend((0..i).map(|j| [outer(o + j), outer(o + j + 1), inner(n + j)]));
                surface
                    .triangles
                    .extend((1..i).map(|j| [inner(n + j - 1), outer(o + j), inner(n + j)]));
            }
        }
        surface
    }
}

/// Returns the i-th of n + 1 places on a length centred on 0; exactly 0 in the middle.
fn place(i: usize, n: usize, length: f64) -> f64 {
    length * (2 * i as i64 - n as i64) as f64 / (2 * n) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(surface: &Surface) -> f64 {
        let corner = |k: u32| surface.points[k as usize];
        let signed = |t: &[u32; 3]| {
            let [a, b, c] = t.map(corner);
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
        };
        surface
            .triangles
            .iter()
            .map(|t| {
                let s = signed(t);
                assert!(s > 0.0);
                s
            })
            .sum()
    }

    #[test]
    fn triangles_cover_the_rectangle_once() {
        for (a, b, k) in [(0.3, 0.2, 10.0), (0.3, 0.2, 1e9), (5.0, 0.001, 1e4), (1e-3, 4.0, 1e9)] {
            let surface = Surface::rectangle(a, b, k);
            assert!((area(&surface) / (a * b) - 1.0).abs() < 1e-9);
            assert!(surface.points.len() <= MAX_SURFACE_POINTS, "{}", surface.points.len());
            assert!(surface.points.contains(&[0.0; 3]));
        }
        assert!(Surface::rectangle(1.0, 1.0, 1e9).points.len() > 1300);
    }

    #[test]
    fn triangles_cover_the_disc_once() {
        for k in [1.0, 30.0, 1e9] {
            let surface = Surface::disc(0.5, k);
            let outer = surface.points.iter().filter(|p| p[0].hypot(p[1]) > 0.4999).count();
            let polygon = 0.5 * 0.25 * outer as f64 * (TAU / outer as f64).sin();
            assert!((area(&surface) / polygon - 1.0).abs() < 1e-12);
            assert!(surface.points.len() <= MAX_SURFACE_POINTS);
        }
    }

    #[test]
    fn half_waves_get_eight_points_where_possible() {
        let half_waves = 5.0;
        let line = Surface::line(2.0, half_waves * PI / 2.0);
        assert!(line.points.len() > 40 && line.points.len() < 50);
        assert_eq!(Surface::line(2.0, 1e6).points.len(), MAX_SEGMENTS + 1);
        assert!(Surface::line(2.0, 1e6).points.contains(&[0.0; 3]));
    }
}
