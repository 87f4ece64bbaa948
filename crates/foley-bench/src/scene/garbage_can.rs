//! The garbage can: a shell of sheet steel with a hole in its floor.
//!
//! Its 1,361st mode lies near 10 kHz, where a bending wave is 31 mm long: six edges for each
//! wave make 22,500 vertices. With twice as many, modes move by half a percent, the lowest by two.
//! Every ring of the mesh has the same number, so that the modes
//! are found order by order (`cyclic_symmetry`).

use anyhow::Result;
use foley_dsp::model::{Body, Gains, ModalModel, ModalParts};
use foley_geometry::mesh::{Measures, Mesh};
use foley_modal::bake::Stage;
use foley_modal::fem::{Elastic, shell};
use foley_modal::{Material, radiation};
use std::f64::consts::{PI, TAU};

use super::cyclic_symmetry::{self, Rings};
use super::model_cache;
use super::object::area_vector;
use crate::Progress;

pub(crate) const MODES: usize = 1361;
/// Highest frequency of the solver, Hz; of the modes below it the lowest are taken.
const MAX_HZ: f64 = 10.5e3;
/// Approximate number of orders with modes below it, for progress.
const ORDERS: f64 = 36.0;
/// Thickness of the sheet, m.
const SHEET_M: f64 = 1e-3;

/// Resolution of the mesh.
#[derive(Debug, Clone, Copy)]
struct Division {
    /// Vertices on each ring.
    round: usize,
    /// Rows of the floor and of the wall.
    rows: [usize; 2],
}

const FINE: Division = Division { round: 180, rows: [26, 98] };
/// Strides of the vertices of a ring and of the rings that become surface points.
const STRUCK: [usize; 2] = [4, 2];

impl Division {
    /// (r, z) from the hole in the floor to the rim: 330 mm wide, 450 mm tall, three beads.
    fn profile(self) -> Vec<[f64; 2]> {
        let (hole, floor, rim, height) = (0.020, 0.140, 0.165, 0.45);
        let bead = |z: f64| {
            let near = |at: f64| (1.0 - ((z - at) / 0.0225).powi(2)).max(0.0).powi(2);
            0.006 * (near(0.09) + near(0.225) + near(0.36))
        };
        let part = |i: usize, rows: usize| i as f64 / rows as f64;
        let [flat, upright] = self.rows;
        let flat = (0..flat).map(|i| [hole + (floor - hole) * part(i, flat), 0.0]);
        let wall = (0..=upright).map(|i| height * part(i, upright));
        flat.chain(wall.map(|z| [floor + (rim - floor) * z / height + bead(z), z])).collect()
    }

    fn rings(self) -> Rings {
        Rings { count: self.rows[0] + self.rows[1] + 1, round: self.round }
    }

    fn mesh(self) -> Mesh {
        let mut mesh = Mesh::default();
        for (ring, [r, z]) in self.profile().into_iter().enumerate() {
            // Every second ring is rotated by half an edge: triangles of equal sides.
            let shift = 0.5 * (ring % 2) as f64;
            let vertex = |k: usize| {
                let (sin, cos) = (TAU * (k as f64 + shift) / self.round as f64).sin_cos();
                [r * cos, r * sin, z]
            };
            mesh.vertices.extend((0..self.round).map(vertex));
        }
        let rings = self.rings();
        mesh.triangles = band(rings, |ring| ring % 2 == 1);
        mesh
    }
}

/// Returns the triangles between rings; the diagonals of rotated rings lean the other way.
fn band(Rings { count, round }: Rings, is_rotated: impl Fn(usize) -> bool) -> Vec<[u32; 3]> {
    let cell = |(ring, k): (usize, usize)| {
        let at = |ring: usize, k: usize| (ring * round + k % round) as u32;
        let (a, b, c, d) = (at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k));
        if is_rotated(ring) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    };
    (0..count - 1).flat_map(|ring| (0..round).map(move |k| (ring, k))).flat_map(cell).collect()
}

/// Returns the garbage can's model, baked or from the cache.
pub fn garbage_can(progress: &dyn Progress) -> Result<ModalModel> {
    let (steel, mesh) = (Material::named("steel")?, FINE.mesh());
    let key = format!("{steel:?} {MODES} {SHEET_M} {STRUCK:?}");
    model_cache::load_or_bake("garbage-can", &mesh, &key, MODES, progress, |progress| {
        bake(FINE, &mesh, steel, MAX_HZ, MODES, progress)
    })
}

/// Bakes the lowest `most` modes up to `max_hz`.
fn bake(
    division: Division,
    mesh: &Mesh,
    material: &Material,
    max_hz: f64,
    most: usize,
    progress: &mut dyn FnMut(Stage, f64) -> bool,
) -> Result<ModalModel> {
    progress(Stage::Elements, 0.0);
    let rings = division.rings();
    let wall = vec![SHEET_M; mesh.triangles.len()];
    let body = shell::discretise(mesh, &Elastic::from(material), &wall, shell::free)?;
    let modes = cyclic_symmetry::modes(&body, rings, max_hz, |order| {
        let stage = Stage::Solving(foley_eigen::Stage::Iterating);
        progress(stage, (order as f64 / ORDERS).min(1.0));
    })?;
    progress(Stage::Gains, 0.0);
    let (areas, radiator_m) = (areas(mesh, rings), (Measures::of(mesh)?.area_m2 / PI).sqrt());
    let [every_k, every_ring] = STRUCK;
    let struck = Rings { count: rings.count.div_ceil(every_ring), round: rings.round / every_k };
    let places = (0..struck.count)
        .flat_map(|i| (0..struck.round).map(move |j| (i * every_ring, j * every_k)));
    let places: Vec<(usize, usize)> = places.collect();
    let (mut frequencies_hz, mut decays, mut gains) = (Vec::new(), Vec::new(), Vec::new());
    for mode in modes.iter().take(most) {
        let Some(f) = material.damping.damped_hz(mode.omega) else { continue };
        // Both sides of the sheet move air.
        let p = radiation::pressure(f, radiator_m, 2.0 * mode.normal_square(&areas, rings.round));
        let gain =
            |(ring, k): &(usize, usize)| mode.at(*ring, *k, rings.round).map(|u| (u * p) as f32);
        frequencies_hz.push(f);
        decays.push(material.damping.decay(mode.omega));
        gains.push(places.iter().map(gain).collect());
    }
    Ok(ModalModel::new(ModalParts {
        name: format!("{} garbage can", material.name),
        frequencies_hz,
        decays,
        points: places.iter().map(|(ring, k)| mesh.vertices[ring * rings.round + k]).collect(),
        triangles: band(struck, |_| false),
        gains: Gains::vectors(&gains),
        body: Body {
            mass_kg: body.mass_kg,
            young_pa: material.young_pa,
            poisson: material.poisson,
            radius_m: f64::INFINITY,
        },
    })?)
}

/// Returns a third of the sum of area vectors around the first vertex of each ring, m².
fn areas(mesh: &Mesh, Rings { count, round }: Rings) -> Vec<[f64; 3]> {
    let mut areas = vec![[0.0; 3]; count];
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let own = area_vector(mesh.corners(t));
        for vertex in corners.map(|v| v as usize).into_iter().filter(|v| v.is_multiple_of(round)) {
            (0..3).for_each(|i| areas[vertex / round][i] += own[i] / 3.0);
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    const COARSE: Division = Division { round: 24, rows: [4, 10] };

    /// Order by order or all at once, the modes are the same.
    #[test]
    fn the_orders_together_have_the_modes_of_the_full_mesh() {
        let mesh = COARSE.mesh();
        let steel = Elastic::from(Material::named("steel").unwrap());
        let wall = vec![SHEET_M; mesh.triangles.len()];
        let body = shell::discretise(&mesh, &steel, &wall, shell::free).unwrap();
        let full =
            foley_eigen::lowest(&body.problem, 46, &mut foley_eigen::Options::default()).unwrap();
        assert_eq!(full.zero_modes, 6);
        let parts = cyclic_symmetry::modes(&body, COARSE.rings(), 1500.0, |_| ()).unwrap();
        let motion = |n: usize, vertex: usize| {
            let u = body.displacements(full.vector(n))[vertex];
            u.map(|x| (x * body.units.shape()).powi(2)).iter().sum::<f64>()
        };
        let mut n = 0;
        while n + 6 < 45 {
            let omega = |n: usize| full.omega_squared[n + 6].sqrt() * body.units.omega();
            let ratio = parts[n].omega / omega(n);
            assert!((ratio - 1.0).abs() < 1e-6, "mode {n}: {ratio}");
            // Of a degenerate pair only the sum is defined: its angle around the axis is arbitrary.
            let pair = if omega(n + 1) / omega(n) < 1.0 + 1e-6 { 2 } else { 1 };
            for (ring, k) in [(0, 0), (7, 5), (14, 20)] {
                let own =
                    |n: usize| -> f64 { parts[n].at(ring, k, 24).iter().map(|u| u * u).sum() };
                let found: f64 = (n..n + pair).map(own).sum();
                let expected: f64 = (n..n + pair).map(|n| motion(n + 6, 24 * ring + k)).sum();
                let scale = expected.max(1e-3 / body.mass_kg);
                assert!((found - expected).abs() < 1e-4 * scale, "mode {n}: {found} {expected}");
            }
            n += pair;
        }
    }

    #[test]
    fn what_radiates_is_the_sum_over_all_vertices() {
        let (mesh, rings) = (COARSE.mesh(), COARSE.rings());
        let steel = Elastic::from(Material::named("steel").unwrap());
        let wall = vec![SHEET_M; mesh.triangles.len()];
        let body = shell::discretise(&mesh, &steel, &wall, shell::free).unwrap();
        let mut vertex_areas = vec![[0.0; 3]; mesh.vertices.len()];
        for (t, corners) in mesh.triangles.iter().enumerate() {
            let own = area_vector(mesh.corners(t));
            for v in corners {
                (0..3).for_each(|i| vertex_areas[*v as usize][i] += own[i] / 3.0);
            }
        }
        let areas = areas(&mesh, rings);
        for mode in cyclic_symmetry::modes(&body, rings, 600.0, |_| ()).unwrap() {
            let vertex = |v: usize| {
                let (u, area) =
                    (mode.at(v / rings.round, v % rings.round, rings.round), vertex_areas[v]);
                let dot = |a: [f64; 3]| (0..3).map(|i| a[i] * area[i]).sum::<f64>();
                dot(u).powi(2) / dot(area).sqrt()
            };
            let expected: f64 = (0..vertex_areas.len()).map(vertex).sum();
            let found = mode.normal_square(&areas, rings.round);
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    #[ignore = "seconds of both cores: `make test` runs it by itself, after the others"]
    fn the_can_has_its_modes() {
        let start = std::time::Instant::now();
        let steel = Material::named("steel").unwrap();
        let can = bake(FINE, &FINE.mesh(), steel, MAX_HZ, MODES, &mut |_, _| true).unwrap();
        println!(
            "{:.1} s, up to {:.0} Hz",
            start.elapsed().as_secs_f64(),
            can.frequencies_hz[MODES - 1]
        );
        assert_eq!(can.mode_count(), MODES);
    }
}
