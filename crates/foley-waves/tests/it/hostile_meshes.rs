//! Meshes of any quality: an answer or an error, never a panic.

use crate::meshes;
use foley_waves::{
    Exterior, Kind, ModeVelocity, NormalVelocity, Options, Surface, WavesError, radiate_modes,
};
use proptest::prelude::*;

/// Radiates a translation and a mode; the power is finite and not negative.
fn radiate(points: &[[f64; 3]], triangles: &[[u32; 3]], kind: Kind) -> Result<(), WavesError> {
    let surface = Surface::of_kind(kind, points, triangles)?;
    let velocities = NormalVelocity::rigid_body(&surface, [0.0; 3]);
    let k = 2.0 / surface.radius_m();
    for field in Exterior::new(&surface, k)?.radiate(&velocities)? {
        assert!(field.power_w().is_finite() && field.power_w() >= 0.0);
    }
    let modes: Vec<ModeVelocity> = velocities
        .into_iter()
        .map(|velocity| ModeVelocity { frequency_hz: 55.0 / surface.radius_m(), velocity })
        .collect();
    let found = radiate_modes(&surface, &modes, &mut Options::default().with_budget_s(1.0))?;
    assert!(found.modes.iter().all(|mode| mode.power_w.is_finite()));
    Ok(())
}

#[test]
fn degenerate_meshes() {
    let square = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let nan = vec![[0.0; 3], [f64::NAN, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let huge = vec![[0.0; 3], [1e300, 0.0, 0.0], [0.0, 1e300, 0.0]];
    for kind in [Kind::Free, Kind::Sheet, Kind::Baffled] {
        let free = |points: &[[f64; 3]], triangles: &[[u32; 3]]| radiate(points, triangles, kind);
        assert_eq!(free(&[], &[]), Err(WavesError::NoArea));
        assert_eq!(free(&square, &[[0, 0, 0], [1, 1, 2]]), Err(WavesError::NoArea));
        assert!(matches!(free(&nan, &[[0, 1, 2]]), Err(WavesError::PointNotFinite { vertex: 1 })));
        assert!(matches!(free(&square, &[[0, 1, 9]]), Err(WavesError::NoSuchVertex { .. })));
        assert!(free(&huge, &[[0, 1, 2]]).is_err());
        // One triangle has no inner vertex, so that the jump is zero everywhere; duplicates are one.
        free(&square, &[[0, 1, 2]]).unwrap();
        free(&square, &[[0, 1, 2], [1, 2, 0], [0, 1, 2], [0, 2, 3]]).unwrap();
    }
    let bent = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.3], [0.0, 1.0, 0.0]];
    let found = Surface::of_kind(Kind::Baffled, &bent, &[[0, 1, 2], [0, 2, 3]]);
    assert!(matches!(found, Err(WavesError::NotFlat { .. })));
}

#[test]
fn junctions_slivers_and_strips() {
    // A plate with a rib, welded at a row of vertices of both.
    let (mut points, mut triangles) = meshes::plate([0.2, 0.2], [8, 8]);
    let (rib, faces) = meshes::plate([0.2, 0.05], [8, 2]);
    let base = points.len() as u32;
    points.extend(rib.iter().map(|p| [p[0], 0.0, p[1] + 0.025]));
    triangles.extend(faces.iter().map(|t| t.map(|v| v + base)));
    radiate(&points, &triangles, Kind::Free).unwrap();
    // The same with vertices out of place: touching without common edges.
    points.iter_mut().skip(base as usize).for_each(|p| p[0] += 0.003);
    radiate(&points, &triangles, Kind::Free).unwrap();
    // A strip of slivers.
    let (points, triangles) = meshes::plate([0.2, 1e-5], [6, 4]);
    radiate(&points, &triangles, Kind::Free).unwrap();
    // A one-sided band.
    let n = 24_u32;
    let points: Vec<[f64; 3]> = (0..3 * n)
        .map(|i| {
            let (turn, across) = (std::f64::consts::TAU * f64::from(i / 3) / f64::from(n), i % 3);
            let w = 0.02 * (f64::from(across) - 1.0);
            let r = 0.1 + w * (0.5 * turn).cos();
            [r * turn.cos(), r * turn.sin(), w * (0.5 * turn).sin()]
        })
        .collect();
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..2 {
            let next = |j: u32| if i + 1 < n { 3 * (i + 1) + j } else { 2 - j };
            let (a, b, c, d) = (3 * i + j, 3 * i + j + 1, next(j), next(j + 1));
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    radiate(&points, &triangles, Kind::Free).unwrap();
}

#[test]
fn too_many_unknowns_are_refused_before_memory_is_used() {
    let (points, triangles) = meshes::plate([1.0, 1.0], [90, 90]);
    let surface = Surface::new(&points, &triangles).unwrap();
    let found = Exterior::new(&surface, 10.0).err();
    assert_eq!(found, Some(WavesError::TooManyUnknowns { unknowns: 89 * 89, limit: 6000 }));
}

#[test]
fn velocities_are_checked() {
    let (points, triangles) = meshes::plate([1.0, 1.0], [2, 2]);
    let surface = Surface::new(&points, &triangles).unwrap();
    assert!(matches!(NormalVelocity::from_normals(&surface, &[1.0]), Err(WavesError::Size { .. })));
    let nan = vec![f64::NAN; points.len()];
    assert!(NormalVelocity::from_normals(&surface, &nan).is_err());
    assert!(matches!(Exterior::new(&surface, -1.0), Err(WavesError::NotPositive { .. })));
    let velocity = NormalVelocity::from_normals(&surface, &vec![1.0; points.len()]).unwrap();
    for frequency_hz in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        let mode = ModeVelocity { frequency_hz, velocity: velocity.clone() };
        assert!(radiate_modes(&surface, &[mode], &mut Options::default()).is_err());
    }
    assert!(radiate_modes(&surface, &[], &mut Options::default()).unwrap().modes.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_triangle_soups(
        points in prop::collection::vec(prop::array::uniform3(-1_i8..=1), 3..9),
        corners in prop::collection::vec(prop::array::uniform3(0_u32..9), 1..14),
    ) {
        // Points on a small lattice: many coincide, overlap and intersect.
        let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(f64::from)).collect();
        let _ = radiate(&points, &corners, Kind::Free);
        let _ = radiate(&points, &corners, Kind::Sheet);
    }
}
