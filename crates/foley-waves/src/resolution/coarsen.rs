//! Coarsening by edge collapse, shortest edges first.
//!
//! The merged vertex goes where the error quadric of the faces, and of planes through the free
//! edges, is least, so that area and volume are kept on curved surfaces. Rims, seams and corners
//! stay what they are, and no triangle folds over.

use super::quadric::Quadric;
use foley_geometry::mesh::Mesh;
use foley_geometry::vector::area_vector;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Edges below this fraction of the wanted length collapse: lengths then end up around it.
const SHORT: f64 = 0.75;
/// Longest edge that a collapse may make, as a fraction of the wanted length.
const LONG: f64 = 1.7;
/// Largest distance from the old planes, root mean square, as a fraction of the wanted length.
const DEPARTURE: f64 = 0.1;
/// Cosine of the largest turn of a normal in one collapse.
const TURN: f64 = 0.5;
/// Least height of a triangle by its longest edge.
const FLAT: f64 = 0.12;
/// Cosine of the turn at which a rim has a corner.
const CORNER: f64 = 0.75;
/// Weight of the planes through free edges against those of faces.
const RIM: f64 = 3.0;

/// Collapses short edges; `edge_m` is the wanted length.
pub(super) fn collapse_short_edges(mesh: Mesh, edge_m: f64) -> Mesh {
    let mut collapse = Collapse::new(mesh, edge_m);
    while let Some(Reverse((_, u, v, stamp))) = collapse.queue.pop() {
        if stamp == collapse.stamp(u, v) && collapse.is_edge(u, v) {
            collapse.try_edge(u, v);
        }
    }
    collapse.finish()
}

/// An edge by its length (as bits: lengths are positive), its vertices and their stamps.
type Queued = Reverse<(u64, u32, u32, u64)>;

struct Collapse {
    edge_m: f64,
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    alive: Vec<bool>,
    around: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    /// Vertices on edges that do not have two triangles.
    rim: Vec<bool>,
    /// Vertices that never move.
    fixed: Vec<bool>,
    /// Changes of each vertex: older entries of the queue are void.
    stamps: Vec<u64>,
    queue: BinaryHeap<Queued>,
}

impl Collapse {
    fn new(mesh: Mesh, edge_m: f64) -> Self {
        let points: Vec<DVec3> = mesh.vertices.iter().map(|p| DVec3::from(*p)).collect();
        let n = points.len();
        let mut around = vec![Vec::new(); n];
        let mut edges: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (t, corners) in mesh.triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                around[a as usize].push(t as u32);
                edges.entry((a.min(b), a.max(b))).or_default().push(t as u32);
            }
        }
        let mut collapse = Self {
            edge_m,
            alive: vec![true; mesh.triangles.len()],
            triangles: mesh.triangles,
            around,
            quadrics: vec![Quadric::ZERO; n],
            rim: vec![false; n],
            fixed: vec![false; n],
            stamps: vec![0; n],
            queue: BinaryHeap::new(),
            points,
        };
        collapse.set_quadrics(&edges);
        collapse.fix_corners(&edges);
        edges.keys().for_each(|&(u, v)| collapse.enqueue(u, v));
        collapse
    }

    fn set_quadrics(&mut self, edges: &BTreeMap<(u32, u32), Vec<u32>>) {
        for t in 0..self.triangles.len() {
            let corners = self.corners(t as u32);
            let vector = area_vector(corners);
            let plane = Quadric::plane(vector.normalize_or_zero(), corners[0], vector.length());
            for v in self.triangles[t] {
                self.quadrics[v as usize] = self.quadrics[v as usize] + plane;
            }
        }
        for ((u, v), triangles) in edges.iter().filter(|(_, triangles)| triangles.len() != 2) {
            let (a, b) = (self.points[*u as usize], self.points[*v as usize]);
            for &t in triangles {
                let normal = area_vector(self.corners(t)).cross(b - a).normalize_or_zero();
                let plane = Quadric::plane(normal, a, RIM * a.distance_squared(b));
                for end in [*u as usize, *v as usize] {
                    self.quadrics[end] = self.quadrics[end] + plane;
                }
            }
        }
    }

    /// Fixes rim vertices where the rim turns sharply or branches.
    fn fix_corners(&mut self, edges: &BTreeMap<(u32, u32), Vec<u32>>) {
        let mut ends: Vec<Vec<u32>> = vec![Vec::new(); self.points.len()];
        for ((u, v), _) in edges.iter().filter(|(_, triangles)| triangles.len() != 2) {
            ends[*u as usize].push(*v);
            ends[*v as usize].push(*u);
        }
        for (v, ends) in ends.iter().enumerate() {
            self.rim[v] = !ends.is_empty();
            self.fixed[v] = match ends[..] {
                [] => false,
                [a, b] => {
                    let to =
                        |p: u32| (self.points[p as usize] - self.points[v]).normalize_or_zero();
                    -to(a).dot(to(b)) < CORNER
                }
                _ => true,
            };
        }
    }

    fn corners(&self, t: u32) -> [DVec3; 3] {
        self.triangles[t as usize].map(|v| self.points[v as usize])
    }

    fn stamp(&self, u: u32, v: u32) -> u64 {
        self.stamps[u as usize] + self.stamps[v as usize]
    }

    fn enqueue(&mut self, u: u32, v: u32) {
        let length = self.points[u as usize].distance(self.points[v as usize]);
        if length < SHORT * self.edge_m {
            let (u, v) = (u.min(v), u.max(v));
            self.queue.push(Reverse((length.to_bits(), u, v, self.stamp(u, v))));
        }
    }

    fn is_edge(&self, u: u32, v: u32) -> bool {
        self.around[u as usize].iter().any(|&t| self.triangles[t as usize].contains(&v))
    }

    fn neighbours(&self, v: u32) -> Vec<u32> {
        let corners = self.around[v as usize].iter().flat_map(|&t| self.triangles[t as usize]);
        let mut list: Vec<u32> = corners.filter(|&w| w != v).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    fn try_edge(&mut self, u: u32, v: u32) {
        let shared: Vec<u32> = self.around[u as usize]
            .iter()
            .copied()
            .filter(|&t| self.triangles[t as usize].contains(&v))
            .collect();
        // Link condition: only the triangles at the edge connect the neighbours of both ends.
        let beside = self.neighbours(v);
        let common = self.neighbours(u).iter().filter(|w| beside.binary_search(w).is_ok()).count();
        if common != shared.len() {
            return;
        }
        let Some(place) = self.place(u, v, shared.len()) else { return };
        if self.allowed(u, v, &shared, place) && self.allowed(v, u, &shared, place) {
            self.merge(u, v, &shared, place);
        }
    }

    /// Returns where the merged vertex goes.
    fn place(&self, u: u32, v: u32, triangles: usize) -> Option<DVec3> {
        let (a, b) = (u as usize, v as usize);
        let on_rim = triangles != 2;
        let place = match (self.rim[a], self.rim[b]) {
            // An edge across the surface must not pinch two rims together.
            (true, true) if !on_rim => return None,
            _ if self.fixed[a] && self.fixed[b] => return None,
            _ if self.fixed[a] => self.points[a],
            _ if self.fixed[b] => self.points[b],
            (true, false) => self.points[a],
            (false, true) => self.points[b],
            _ => {
                let middle = self.points[a].midpoint(self.points[b]);
                let best = (self.quadrics[a] + self.quadrics[b]).minimiser(middle);
                let reach = self.points[a].distance(self.points[b]);
                if best.distance(middle) <= reach { best } else { middle }
            }
        };
        let error = (self.quadrics[a] + self.quadrics[b]).error(place);
        (error <= (DEPARTURE * self.edge_m).powi(2)).then_some(place)
    }

    /// Whether the triangles around u, but those at the edge, stay good with u moved.
    fn allowed(&self, u: u32, v: u32, shared: &[u32], place: DVec3) -> bool {
        self.around[u as usize].iter().filter(|t| !shared.contains(t)).all(|&t| {
            let old = self.corners(t);
            let corners = self.triangles[t as usize];
            let new = [0, 1, 2].map(|k| if corners[k] == u { place } else { old[k] });
            let (before, after) = (area_vector(old), area_vector(new));
            let longest = [0, 1, 2].map(|k| new[k].distance(new[(k + 1) % 3]));
            let longest = longest.into_iter().fold(0.0, f64::max);
            !corners.contains(&v)
                && after.length() > FLAT * longest * longest
                && before.dot(after) > TURN * before.length() * after.length()
                && longest < LONG * self.edge_m
        })
    }

    /// Moves u to `place` and lets it take the triangles of v.
    fn merge(&mut self, u: u32, v: u32, shared: &[u32], place: DVec3) {
        for &t in shared {
            self.alive[t as usize] = false;
            for corner in self.triangles[t as usize] {
                self.around[corner as usize].retain(|other| *other != t);
            }
        }
        let moved = std::mem::take(&mut self.around[v as usize]);
        for &t in &moved {
            for corner in &mut self.triangles[t as usize] {
                if *corner == v {
                    *corner = u;
                }
            }
        }
        let (a, b) = (u as usize, v as usize);
        self.around[a].extend(moved);
        self.points[a] = place;
        self.quadrics[a] = self.quadrics[a] + self.quadrics[b];
        self.rim[a] |= self.rim[b];
        self.fixed[a] |= self.fixed[b];
        self.stamps[a] += 1;
        for w in self.neighbours(u) {
            self.enqueue(u, w);
        }
    }

    fn finish(self) -> Mesh {
        let alive = self.triangles.iter().zip(&self.alive).filter(|(_, alive)| **alive);
        let points = self.points.iter().map(|p| p.to_array()).collect();
        Mesh::new(points, alive.map(|(t, _)| *t).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::mesh::{Density, Measures, builtin};

    fn coarse(name: &str, edge: f64) -> [Measures; 2] {
        let mesh = builtin(name, Density::Medium).unwrap();
        let coarse = collapse_short_edges(mesh.clone(), edge);
        [Measures::of(&mesh).unwrap(), Measures::of(&coarse).unwrap()]
    }

    #[test]
    fn closed_bodies_stay_closed_and_keep_their_volume() {
        let mesh = builtin("die", Density::Medium).unwrap();
        let edge = 4.0 * Measures::of(&mesh).unwrap().mean_edge_m;
        let [before, after] = coarse("die", edge);
        assert!(after.closed && after.non_manifold_edges == 0);

        assert!(8 * after.triangles < before.triangles, "{}", after.triangles);
        let ratio = after.volume_m3.unwrap() / before.volume_m3.unwrap();
        assert!((ratio - 1.0).abs() < 0.04, "{ratio}");
    }

    #[test]
    fn a_square_keeps_its_outline() {
        let n = 40;
        let at = |i: usize| [(i % (n + 1)) as f64, (i / (n + 1)) as f64, 0.0];
        let points = (0..(n + 1) * (n + 1)).map(at).collect();
        let cells = (0..n * n).map(|c| (c / n * (n + 1) + c % n) as u32);
        let step = n as u32 + 1;
        let triangles = cells.flat_map(|a| [[a, a + 1, a + 1 + step], [a, a + 1 + step, a + step]]);
        let square = Mesh::new(points, triangles.collect());
        let after = Measures::of(&collapse_short_edges(square, 5.0)).unwrap();
        assert!((after.area_m2 / (n * n) as f64 - 1.0).abs() < 1e-9, "{}", after.area_m2);
        assert!((100..400).contains(&after.triangles), "{}", after.triangles);
        assert!((after.mean_edge_m - 5.0).abs() < 0.8, "{}", after.mean_edge_m);
        assert_eq!(after.holes, 1);
    }
}
