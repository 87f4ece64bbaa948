//! Every built-in mesh is what it says, at every density.

use foley_geometry::mesh::{
    BUILTINS, Density, Measures, RepairOptions, WallProbe, builtin, repair,
};
use std::f64::consts::PI;

const DENSITIES: [Density; 3] = [Density::Coarse, Density::Medium, Density::Fine];

#[test]
fn nothing_is_left_to_repair() {
    for item in BUILTINS {
        for density in DENSITIES {
            let mesh = item.mesh(density);
            let done = repair(mesh.clone(), &RepairOptions::default()).unwrap();
            let (name, measures) = (item.name, &done.report.measures);
            assert_eq!(done.mesh.vertices, mesh.vertices, "{name} {density:?}\n{}", done.report);
            let r = done.report.repairs;
            assert_eq!(r.degenerate + r.duplicate, 0, "{name} {density:?}\n{}", done.report);
            assert_eq!(done.mesh.triangles, mesh.triangles, "{name} {density:?}\n{}", done.report);
            assert_eq!(measures.closed, item.closed, "{name} {density:?}\n{}", done.report);
            assert_eq!(measures.open_edges == 0, item.closed, "{name}");
            assert_eq!(measures.non_manifold_edges + measures.twisted_edges, 0, "{name}");
            assert_eq!(measures.pieces, 1, "{name}");
            assert!(measures.volume_m3.is_none_or(|volume| volume > 0.0), "{name}");
        }
    }
}

#[test]
fn densities_are_four_times_apart_and_of_one_size() {
    for item in BUILTINS {
        let measures = DENSITIES.map(|density| Measures::of(&item.mesh(density)).unwrap());
        for pair in measures.windows(2) {
            let ratio = pair[1].triangles as f64 / pair[0].triangles as f64;
            assert!((2.5..5.5).contains(&ratio), "{}: {ratio}", item.name);
            let area = pair[0].area_m2 / pair[1].area_m2;
            assert!((area - 1.0).abs() < 0.04, "{}: areas {area}", item.name);
        }
        let edge = measures[1].mean_edge_m / item.edge_m;
        assert!((0.6..1.5).contains(&edge), "{}: edge {edge}", item.name);
        assert!((1000..30_000).contains(&measures[1].triangles), "{}", item.name);
    }
}

/// Triangles that finite elements like: height over longest side, equilateral 0.87.
#[test]
fn middle_surfaces_have_no_slivers() {
    for item in BUILTINS.iter().filter(|item| !item.closed) {
        let mesh = item.mesh(Density::Medium);
        let height = |t: usize| {
            let [a, b, c] = mesh.corners(t);
            let (u, v) = (b - a, c - a);
            let [ab2, ac2, bc2] = [u, v, c - b].map(|side| side.length_squared());
            (ab2 * ac2 - u.dot(v).powi(2)).sqrt() / ab2.max(ac2).max(bc2)
        };
        let heights: Vec<f64> = (0..mesh.triangles.len()).map(height).collect();
        let worst = heights.iter().copied().fold(1.0, f64::min);
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        assert!(worst > 0.1 && mean > 0.45, "{}: worst {worst}, mean {mean}", item.name);
    }
}

#[test]
fn closed_walls_have_the_stated_thickness() {
    for item in BUILTINS.iter().filter(|item| item.closed) {
        let mesh = item.mesh(Density::Fine);
        let wall = WallProbe::new(&mesh).unwrap().thickness().unwrap();
        if let Some(t) = item.thickness_m {
            println!("{}: {wall:?}", item.name);
            foley_measured::check!("meshes.builtin_walls", 100.0 * (wall.median_m / t - 1.0).abs());
            assert!(wall.thin_walled && wall.uniform > 0.7, "{}: {wall:?}", item.name);
        }
        assert!(wall.rays > 4000, "{}: {wall:?}", item.name);
    }
    for name in ["die", "marimba-bar", "ring"] {
        let mesh = builtin(name, Density::Medium).unwrap();
        let wall = WallProbe::new(&mesh).unwrap().thickness().unwrap();
        assert!(!wall.thin_walled, "{name}: {wall:?}");
    }
    let bell = builtin("bell", Density::Medium).unwrap();
    assert!(WallProbe::new(&bell).unwrap().thickness().is_none());
}

#[test]
fn areas_and_volumes_are_those_of_geometry() {
    let fine = |name: &str| Measures::of(&builtin(name, Density::Fine).unwrap()).unwrap();
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.02, "{a} is not {b}");
    let ring = fine("ring");
    near(ring.area_m2, 4.0 * PI * PI * 0.040 * 0.004);
    near(ring.volume_m3.unwrap(), 2.0 * PI * PI * 0.040 * 0.004 * 0.004);
    near(fine("plate").area_m2, 0.06);
    near(fine("cylinder").area_m2, 2.0 * PI * 0.05 * 0.2);
    // A cap of a sphere: π (w² + d²).
    near(fine("wok").area_m2, PI * (0.17 * 0.17 + 0.095 * 0.095));
    near(fine("table").volume_m3.unwrap(), 1.2 * 0.7 * 0.03 + 4.0 * 0.06 * 0.06 * 0.72);
    // A rounded cube: core, slabs, quarter cylinders, eighths of a ball (Steiner).
    let (a, r) = (0.012_f64, 0.002_f64);
    let steiner = a.powi(3) + 6.0 * a * a * r + 3.0 * PI * a * r * r + 4.0 / 3.0 * PI * r.powi(3);
    near(fine("die").volume_m3.unwrap(), steiner);
    // A wall of constant thickness holds area times thickness, about.
    for (closed, open) in [("bell-closed", "bell"), ("bowl-closed", "bowl")] {
        let sheet = fine(open).area_m2
            * BUILTINS.iter().find(|b| b.name == open).unwrap().thickness_m.unwrap();
        assert!((fine(closed).volume_m3.unwrap() / sheet - 1.0).abs() < 0.02, "{closed}");
    }
}
