//! Energy and reciprocity: what the surface does on the air arrives far away, and source and
//! receiver can be exchanged.

use crate::meshes;
use foley_geometry::mesh::generate;
use foley_measured::check;
use foley_waves::{Exterior, NormalVelocity, Surface};
use glam::DVec3;

/// Four smooth vector fields on a surface.
fn velocities(surface: &Surface, points: &[[f64; 3]]) -> Vec<NormalVelocity> {
    let field = |wave: DVec3, direction: DVec3| {
        let vectors: Vec<[f64; 3]> = points
            .iter()
            .map(|p| (direction * wave.dot(DVec3::from(*p)).cos()).to_array())
            .collect();
        NormalVelocity::from_vectors(surface, &vectors).unwrap()
    };
    vec![
        field(DVec3::ZERO, DVec3::new(0.3, -0.4, 1.0)),
        field(DVec3::new(20.0, 5.0, 0.0), DVec3::new(0.2, 0.3, 1.0)),
        field(DVec3::new(-4.0, 30.0, 11.0), DVec3::new(-1.0, 0.5, 0.5)),
        field(DVec3::new(15.0, 15.0, 15.0), DVec3::new(0.5, 0.0, 1.0)),
    ]
}

/// Largest errors: of the power at the surface against that far away, of reciprocity, and of the mutual power.
fn errors(name: &str, (points, triangles): meshes::Raw, k: f64) -> [f64; 3] {
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocities = velocities(&surface, &points);
    let exterior = Exterior::new(&surface, k).unwrap();
    let densities = exterior.solve(&velocities).unwrap();
    let impedance = exterior.radiation_impedance(&densities, &velocities).unwrap();
    let fields = exterior.radiate(&velocities).unwrap();
    let mut worst = [0.0_f64; 3];
    for i in 0..velocities.len() {
        let ratio = 0.5 * impedance[i][i].re / fields[i].power_w();
        println!("{name} k {k}: power at the surface / far away {ratio:.4}");
        worst[0] = worst[0].max((ratio - 1.0).abs());
        for j in 0..i {
            let scale = (impedance[i][i].norm() * impedance[j][j].norm()).sqrt();
            let difference = (impedance[i][j] - impedance[j][i]).norm() / scale;
            worst[1] = worst[1].max(difference);
            // The resistance matrix from both.
            let mutual = fields[i].mutual_power_w(&fields[j]);
            let shared = (fields[i].power_w() * fields[j].power_w()).sqrt();
            let both = 0.25 * (impedance[i][j].re + impedance[j][i].re);
            worst[2] = worst[2].max((both - mutual).abs() / shared);
        }
    }
    worst
}

/// Checks smooth velocities on smooth surfaces.
fn check_smooth(name: &str, mesh: meshes::Raw, k: f64) {
    let [far_field, reciprocity, mutual] = errors(name, mesh, k);
    check!("radiation.far_field", 100.0 * far_field);
    check!("radiation.reciprocity", 100.0 * reciprocity);
    assert!(mutual < 0.02, "{name} {k} {mutual}");
}

#[test]
fn open_sheets() {
    for k in [3.0, 20.0, 45.0] {
        check_smooth("plate", meshes::plate([0.3, 0.25], [18, 15]), k);
    }
}

#[test]
fn closed_bodies() {
    for k in [3.0, 20.0, 31.4159] {
        check_smooth("sphere", meshes::sphere(0.1, 9), k);
    }
}

/// The normal velocity of a box jumps at its edges; the check at the surface smooths it there.
#[test]
fn boxes() {
    for k in [5.0, 25.0] {
        let [far_field, reciprocity, mutual] =
            errors("box", meshes::cuboid([0.2, 0.15, 0.1], 0.0125), k);
        assert!(far_field < 0.08 && reciprocity < 0.08, "{k} {far_field} {reciprocity}");
        assert!(mutual < 0.16, "{k} {mutual}");
    }
}

/// A closed box whose walls are much closer than its triangles are large radiates as a sheet.
#[test]
fn a_thin_closed_plate_is_a_sheet() {
    let size = [0.2, 0.15, 0.003];
    let (points, triangles) = meshes::cuboid(size, 0.0125);
    let body = Surface::new(&points, &triangles).unwrap();
    let (points, triangles) = meshes::plate([0.203, 0.153], [17, 13]);
    let sheet = Surface::new(&points, &triangles).unwrap();
    assert!(body.is_closed() && !sheet.is_closed());
    for k in [4.0, 20.0, 40.0] {
        let power = |surface: &Surface| {
            let along_z = [NormalVelocity::rigid_body(surface, [0.0; 3])[2].clone()];
            Exterior::new(surface, k).unwrap().radiate(&along_z).unwrap()[0].power_w()
        };
        let db = 10.0 * (power(&body) / power(&sheet)).log10();
        println!("k {k}: closed against open {db:+.2} dB");
        assert!(db.abs() < 1.0, "{k} {db}");
    }
}

/// A plate with a rib: three sheets meet at an edge. The same as a closed body with thin walls
/// radiates the same power.
#[test]
fn sheets_that_meet_at_an_edge_radiate_as_a_body() {
    let (side, height, wall) = (0.16, 0.08, 0.0015);
    let (mut points, mut triangles) = meshes::plate([side; 2], [24, 24]);
    let (rib, faces) = meshes::plate([side, height], [24, 12]);
    let base = points.len() as u32;
    points.extend(rib.iter().map(|p| [p[0], 0.0, p[1] + 0.5 * height]));
    triangles.extend(faces.iter().map(|t| t.map(|v| v + base)));
    let sheets = Surface::new(&points, &triangles).unwrap();
    assert!(!sheets.is_closed());

    let planes = |places: &[f64]| generate::grid_planes(places, 0.0125);
    let (half, thin) = (0.5 * side, 0.5 * wall);
    let grid = [
        planes(&[-half, half]),
        planes(&[-half, -thin, thin, half]),
        planes(&[-thin, thin, height]),
    ];
    let mesh = generate::voxel_surface(&grid, |[_, y, z]| z < thin || y.abs() < thin);
    let body = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
    assert!(body.is_closed());
    for k in [6.0, 20.0, 35.0] {
        let powers = |surface: &Surface| -> Vec<f64> {
            let rigid = NormalVelocity::rigid_body(surface, [0.0; 3]);
            let fields = Exterior::new(surface, k).unwrap().radiate(&rigid[1..4]).unwrap();
            fields.iter().map(|field| field.power_w()).collect()
        };
        for (thin, thick) in powers(&sheets).iter().zip(powers(&body)) {
            let db = 10.0 * (thin / thick).log10();
            println!("k {k}: sheets against body {db:+.2} dB");
            assert!(db.abs() < 1.2, "{k} {db}");
        }
    }
}

/// Pressure off the surface and far field agree at a large distance.
#[test]
fn pressure_far_away_is_the_far_field() {
    let (points, triangles) = meshes::sphere(0.1, 6);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocities = velocities(&surface, &points);
    let (k, r) = (15.0, 2000.0);
    let exterior = Exterior::new(&surface, k).unwrap();
    let densities = exterior.solve(&velocities).unwrap();
    let fields = exterior.radiate(&velocities).unwrap();
    let direction = DVec3::new(0.48, -0.6, 0.64);
    let center = DVec3::from(surface.center());
    let near = exterior.pressure_at(&densities, &[(center + direction * r).to_array()]);
    for (field, near) in fields.iter().zip(near) {
        let far = field.pressure_at(direction.to_array());
        let found = near[0] * r * foley_waves::Complex64::cis(-k * r);
        assert!((found - far).norm() < 5e-3 * far.norm(), "{found} {far}");
    }
}
