//! Nearest vertex by a uniform grid.

use glam::DVec3;
use std::collections::HashMap;

/// Rings of cells that are searched before a search of all points.
const RINGS: i64 = 8;

/// Points sorted into the cells of a uniform grid.
pub(super) struct VertexGrid<'a> {
    points: &'a [[f64; 3]],
    cells: HashMap<[i64; 3], Vec<u32>>,
    size: f64,
    low: [i64; 3],
    high: [i64; 3],
}

impl<'a> VertexGrid<'a> {
    /// Sorts points into cells; `size` should be about the distance between points.
    pub(super) fn new(points: &'a [[f64; 3]], size: f64) -> Self {
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        let (mut low, mut high) = ([i64::MAX; 3], [i64::MIN; 3]);
        for (k, p) in points.iter().enumerate() {
            let cell = cell(*p, size);
            for a in 0..3 {
                low[a] = low[a].min(cell[a]);
                high[a] = high[a].max(cell[a]);
            }
            cells.entry(cell).or_default().push(k as u32);
        }
        Self { points, cells, size, low, high }
    }

    /// Returns the index of the nearest point; 0 when there is none.
    pub(super) fn nearest(&self, p: [f64; 3]) -> usize {
        let centre = cell(p, self.size);
        let far = |a: usize| (centre[a] - self.low[a]).abs().max((self.high[a] - centre[a]).abs());
        let last = (0..3).map(far).max().unwrap_or(0);
        let mut best = (f64::INFINITY, 0);
        for ring in 0..=last {
            // All points of further rings are further away than this.
            if best.0.sqrt() <= (ring - 1) as f64 * self.size {
                break;
            }
            // Far from everything there are more cells than points.
            if ring > RINGS {
                return self.nearest_of_all(p);
            }
            self.search_ring(p, centre, ring, &mut best);
        }
        best.1
    }

    fn nearest_of_all(&self, p: [f64; 3]) -> usize {
        let distance = |q: &[f64; 3]| DVec3::from(p).distance_squared((*q).into());
        let all = self.points.iter().map(distance).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k)
    }

    fn search_ring(&self, p: [f64; 3], centre: [i64; 3], ring: i64, best: &mut (f64, usize)) {
        for dx in -ring..=ring {
            for dy in -ring..=ring {
                let inside = dx.abs() < ring && dy.abs() < ring;
                let step = if inside { (2 * ring).max(1) } else { 1 };
                for dz in (-ring..=ring).step_by(step as usize) {
                    let at = [centre[0] + dx, centre[1] + dy, centre[2] + dz];
                    for &k in self.cells.get(&at).into_iter().flatten() {
                        let q = self.points[k as usize].into();
                        let d = DVec3::from(p).distance_squared(q);
                        if d < best.0 {
                            *best = (d, k as usize);
                        }
                    }
                }
            }
        }
    }
}

fn cell(p: [f64; 3], size: f64) -> [i64; 3] {
    p.map(|x| (x / size).floor().clamp(-1e15, 1e15) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_the_nearest() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / f64::from(1 << 30) - 1.0
        };
        let points: Vec<[f64; 3]> = (0..500).map(|_| [random(), random(), random()]).collect();
        let grid = VertexGrid::new(&points, 0.1);
        for _ in 0..200 {
            let p = [2.0 * random(), random(), random()];
            let distance = |k: usize| (0..3).map(|a| (p[a] - points[k][a]).powi(2)).sum::<f64>();
            let truth = (0..500).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
            assert_eq!(grid.nearest(p), truth);
            let far = p.map(|x| 1e9 * x);
            let distance = |k: usize| (0..3).map(|a| (far[a] - points[k][a]).powi(2)).sum::<f64>();
            let truth = (0..500).map(distance).fold(f64::INFINITY, f64::min);
            assert_eq!(distance(grid.nearest(far)), truth);
        }
    }
}
