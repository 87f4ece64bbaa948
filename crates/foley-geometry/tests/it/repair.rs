//! Repairs: what is broken in a known way comes out whole, and says so.

use foley_geometry::collider::cuboid_triangles;
use foley_geometry::mesh::{
    Density, Format, Measures, Mesh, MeshError, Part, ReadOptions, RepairOptions, Repaired,
    WallProbe, builtin, read_bytes, repair,
};
use foley_geometry::rng::SplitMix64;
use proptest::prelude::*;
use std::time::Instant;

fn fix(mesh: Mesh) -> Result<Repaired, MeshError> {
    repair(mesh, &RepairOptions::default())
}

/// Every corner its own vertex, vertices and triangles in random order, each triangle
/// turned by a random number of corners and, where `flip` says so, over.
fn scrambled(mesh: &Mesh, seed: u64, flip: bool) -> Mesh {
    let mut rng = SplitMix64::new(seed);
    let mut below = |count: usize| (rng.next_u64() % count as u64) as usize;
    let mut triangles: Vec<[u32; 3]> = mesh.triangles.clone();
    for i in (1..triangles.len()).rev() {
        triangles.swap(i, below(i + 1));
    }
    let count = 3 * triangles.len();
    let mut place: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        place.swap(i, below(i + 1));
    }
    let mut vertices = vec![[0.0; 3]; count];
    for (i, t) in triangles.iter_mut().enumerate() {
        let turn = below(3);
        t.rotate_left(turn);
        if flip && below(2) == 0 {
            t.swap(1, 2);
        }
        for (k, v) in t.iter_mut().enumerate() {
            let to = place[3 * i + k];
            vertices[to as usize] = mesh.vertices[*v as usize];
            *v = to;
        }
    }
    Mesh::new(vertices, triangles)
}

fn scaled(mesh: &Mesh, by: f64) -> Mesh {
    let mut mesh = mesh.clone();
    mesh.vertices.iter_mut().flatten().for_each(|x| *x *= by);
    mesh
}

fn moved(mesh: &Mesh, by: f64) -> Mesh {
    let mut mesh = mesh.clone();
    mesh.vertices.iter_mut().for_each(|p| p[0] += by);
    mesh
}

fn inside_out(mut mesh: Mesh) -> Mesh {
    mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    mesh
}

fn both(mut a: Mesh, b: &Mesh) -> Mesh {
    let n = a.vertices.len() as u32;
    a.vertices.extend(&b.vertices);
    a.triangles.extend(b.triangles.iter().map(|t| t.map(|v| v + n)));
    a
}

fn assert_same(a: &Measures, b: &Measures) {
    assert_eq!((a.vertices, a.triangles, a.pieces), (b.vertices, b.triangles, b.pieces));
    assert_eq!((a.open_edges, a.holes, a.closed), (b.open_edges, b.holes, b.closed));
    assert!((a.area_m2 / b.area_m2 - 1.0).abs() < 1e-12);
    assert!((a.mean_edge_m / b.mean_edge_m - 1.0).abs() < 1e-12);
    if let (Some(a), Some(b)) = (a.volume_m3, b.volume_m3) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn scrambled_bells_are_the_same_bell() {
    for name in ["bell", "bell-closed", "mug-closed", "ring"] {
        let mesh = builtin(name, Density::Coarse).unwrap();
        let measures = Measures::of(&mesh).unwrap();
        for seed in 1..4 {
            let done = fix(scrambled(&mesh, seed, true)).unwrap();
            assert_same(&measures, &done.report.measures);
            assert_eq!(done.report.measures.twisted_edges, 0);
            let welded = 3 * mesh.triangles.len() - mesh.vertices.len();
            assert_eq!(done.report.repairs.welded, welded);
            assert!(done.report.repairs.flipped > 0);
        }
    }
}

#[test]
fn noise_below_the_tolerance_is_welded() {
    let mut mesh = scrambled(&builtin("bell", Density::Coarse).unwrap(), 5, false);
    let mut rng = SplitMix64::new(9);
    for x in mesh.vertices.iter_mut().flatten() {
        *x += 1e-7 * rng.unit();
    }
    let measures = fix(mesh).unwrap().report.measures;
    let truth = Measures::of(&builtin("bell", Density::Coarse).unwrap()).unwrap();
    assert_eq!((measures.vertices, measures.holes), (truth.vertices, 1));
}

#[test]
fn size_does_not_matter() {
    let die = builtin("die", Density::Coarse).unwrap();
    let measures = Measures::of(&die).unwrap();
    for by in [1e-9 / 0.016, 1e6 / 0.016] {
        let done = fix(scaled(&die, by)).unwrap();
        assert!(done.report.measures.closed);
        assert_eq!(done.report.measures.triangles, measures.triangles);
        let volume = done.report.measures.volume_m3.unwrap() / measures.volume_m3.unwrap();
        assert!((volume / by.powi(3) - 1.0).abs() < 1e-9);
        assert!(done.report.notes[0].contains("bounding box"), "{:?}", done.report.notes);
        let wall = WallProbe::new(&done.mesh).unwrap().thickness().unwrap();
        assert!((wall.median_m / by / 0.016 - 1.0).abs() < 0.01);
    }
    let mug = scaled(&builtin("mug", Density::Coarse).unwrap(), 1000.0);
    let note = &fix(mug).unwrap().report.notes[0];
    assert!(note.starts_with("bounding box") && note.ends_with("m: millimetres?"), "{note}");
}

#[test]
fn cavities_face_inward_and_bodies_outward() {
    let ball = builtin("die", Density::Coarse).unwrap();
    let volume = |m: &Mesh| Measures::of(m).unwrap().volume_m3.unwrap();
    let full = volume(&ball);
    let small = scaled(&ball, 0.9);
    let hollow = both(ball.clone(), &inside_out(small.clone()));
    for mesh in [hollow.clone(), inside_out(hollow.clone())] {
        let done = fix(mesh).unwrap();
        assert!((volume(&done.mesh) / full - 0.271).abs() < 1e-9);
        assert_eq!(done.report.measures.pieces, 2);
    }
    let wall = WallProbe::new(&hollow).unwrap().thickness().unwrap();
    assert!((wall.median_m / 0.0008 - 1.0).abs() < 0.05, "{wall:?}");
    // A body within a body, and one beside it.
    for mesh in [both(ball.clone(), &small), both(ball.clone(), &moved(&small, 1.0))] {
        assert!((volume(&fix(mesh).unwrap().mesh) / full - 1.729).abs() < 1e-9);
    }
    let apart = both(ball.clone(), &inside_out(moved(&small, 1.0)));
    assert!((volume(&fix(apart).unwrap().mesh) / full - 1.729).abs() < 1e-9);
}

#[test]
fn a_moebius_band_is_reported_and_survives() {
    let n = 40_u32;
    let mut mesh = Mesh::default();
    for i in 0..n {
        let angle = f64::from(i) / f64::from(n) * std::f64::consts::TAU;
        for side in [-0.2, 0.2] {
            let r = 1.0 + side * (0.5 * angle).cos();
            mesh.vertices.push([r * angle.cos(), r * angle.sin(), side * (0.5 * angle).sin()]);
        }
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = if i + 1 < n { (a + 2, b + 2) } else { (1, 0) };
        mesh.triangles.extend([[a, c, b], [b, c, d]]);
    }
    let measures = fix(mesh).unwrap().report.measures;
    assert!(measures.twisted_edges > 0 && !measures.closed && measures.holes == 1, "{measures:?}");
}

#[test]
fn two_cubes_on_one_edge_are_closed_though_not_manifold() {
    let corners = |x: f64| {
        (0..8).map(move |i: u32| {
            let bit = |k: u32| f64::from(i >> k & 1);
            [bit(0) + x, bit(1) + x, bit(2)]
        })
    };
    let one = Mesh::new(corners(0.0).collect(), cuboid_triangles());
    let two = both(one.clone(), &inside_out(Mesh { vertices: corners(1.0).collect(), ..one }));
    let done = fix(two).unwrap();
    let measures = &done.report.measures;
    assert_eq!((measures.non_manifold_edges, measures.pieces, measures.closed), (1, 1, true));
    assert!((measures.volume_m3.unwrap() - 2.0).abs() < 1e-12);
    assert_eq!(done.report.repairs.flipped, 12);
}

#[test]
fn errors_name_the_vertex() {
    let sheet = || Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut mesh = sheet();
        mesh.vertices[2][1] = bad;
        let error = fix(mesh).unwrap_err();
        assert!(matches!(error, MeshError::Vertex { vertex: 2, .. }));
        assert!(error.to_string().contains("vertex 2"), "{error}");
    }
    let mut mesh = sheet();
    mesh.triangles[0][1] = 7;
    assert!(fix(mesh).unwrap_err().to_string().contains("names vertex 7"));
    let mut mesh = sheet();
    mesh.vertices = vec![[1.0; 3]; 3];
    assert!(matches!(fix(mesh), Err(MeshError::NoSize { .. })));
    let line = Mesh::new((0..3).map(|i| [f64::from(i); 3]).collect(), vec![[0, 1, 2]]);
    assert!(matches!(fix(line), Err(MeshError::NoArea { triangles: 1 })));
    assert!(matches!(fix(Mesh::default()), Err(MeshError::NoTriangles)));
    assert!(matches!(
        repair(sheet(), &RepairOptions::default().with_weld(f64::NAN).with_units(None)),
        Err(MeshError::Tolerance(_))
    ));
    let one = fix(sheet()).unwrap().report.measures;
    assert_eq!((one.open_edges, one.holes, one.pieces), (3, 1, 1));
}

#[test]
fn duplicates_go_and_parts_stay() {
    let v = |x: f64, y: f64| [x, y, 0.0];
    let vertices = vec![v(0., 0.), v(1., 0.), v(1., 1.), v(0., 1.), v(9., 9.)];
    let triangles = vec![[0, 1, 2], [2, 1, 0], [0, 0, 1], [0, 2, 3], [1, 2, 0]];
    let part = |name: &str, triangles| Part { name: name.into(), material: None, triangles };
    let parts = vec![part("a", 0..2), part("gone", 2..3), part("b", 3..5)];
    let done = fix(Mesh { vertices, triangles, parts }).unwrap();
    assert_eq!(done.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(done.mesh.parts, [part("a", 0..1), part("b", 1..2)]);
    let r = done.report.repairs;
    assert_eq!((r.degenerate, r.duplicate, r.unused, r.welded), (1, 2, 1, 0));
    let json = serde_json::to_string(&done.report).unwrap();
    assert_eq!(serde_json::from_str::<foley_geometry::mesh::Report>(&json).unwrap(), done.report);
    let text = done.report.to_string();
    assert!(text.contains("2 duplicate triangles dropped"), "{text}");
}

/// A million triangles of soup, all in one plane, none of which fits another.
#[test]
fn soup_takes_bounded_time() {
    let start = Instant::now();
    let mut rng = SplitMix64::new(3);
    let n = 1_000_000;
    let vertices = (0..n).map(|_| [2.0 * rng.unit(), 2.0 * rng.unit(), 0.0]).collect();
    let mut pick = || (rng.next_u64() % n as u64) as u32;
    let triangles = (0..n).map(|_| [pick(), pick(), pick()]).collect();
    let done = fix(Mesh::new(vertices, triangles)).unwrap();
    assert!(done.report.measures.triangles > n / 2 && !done.report.measures.closed);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Ten million triangles through a binary STL file: takes half a minute and a gigabyte.
#[test]
#[ignore = "half a minute and a gigabyte: `make test` runs it by itself, after the others"]
fn ten_million_triangles() {
    let n = 2237_u32;
    let mut bytes = vec![b' '; 80];
    bytes.extend((2 * n * n).to_le_bytes());
    for i in 0..n * n {
        let corner = |dx: u32, dy: u32| [(i % n + dx) as f32, (i / n + dy) as f32, 0.0];
        for [a, b, c] in [[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1), (0, 1)]] {
            bytes.extend([0; 12]);
            for [x, y, z] in [a, b, c].map(|(x, y)| corner(x, y)) {
                [x, y, z].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
    }
    let start = Instant::now();
    let mesh = read_bytes(&bytes, Format::Stl, &ReadOptions::default()).unwrap();
    println!("read {:?}", start.elapsed());
    let measures = fix(mesh).unwrap().report.measures;
    foley_measured::check!("meshes.ten_million_read", start.elapsed().as_secs_f64());
    assert_eq!(measures.vertices as u32, (n + 1) * (n + 1));
    assert_eq!((measures.holes, measures.pieces, measures.open_edges as u32), (1, 1, 4 * n));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any indices and any coordinates: a mesh without loose ends, or an error.
    #[test]
    fn any_soup_is_repaired_or_refused(
        coordinates in prop::collection::vec((-3..4_i32, -3..4_i32, -1..2_i32), 1..12),
        corners in prop::collection::vec((0..14_u32, 0..14_u32, 0..14_u32), 0..30),
        odd in prop::option::of(prop::num::f64::ANY),
    ) {
        let mut vertices: Vec<[f64; 3]> =
            coordinates.iter().map(|&(x, y, z)| [x, y, z].map(f64::from)).collect();
        if let Some(odd) = odd {
            vertices[0][0] = odd;
        }
        let triangles = corners.iter().map(|&(a, b, c)| [a, b, c]).collect();
        if let Ok(done) = fix(Mesh::new(vertices, triangles)) {
            let again = fix(done.mesh.clone()).unwrap();
            prop_assert_eq!(&again.mesh.vertices, &done.mesh.vertices);
            prop_assert_eq!(again.mesh.triangles.len(), done.mesh.triangles.len());
            prop_assert!(done.report.measures.area_m2 > 0.0);
            let _ = WallProbe::new(&done.mesh).unwrap().thickness();
            let _ = done.report.to_string();
        }
    }
}
