//! Objects that are surfaces of revolution.

use super::profile::Profile;
use super::revolve::{revolve, ring_spacing};
use crate::mesh::Mesh;

/// Wall thicknesses, m.
pub(super) const BELL: f64 = 4e-3;
pub(super) const BOWL: f64 = 3e-3;

fn revolve_profile(profile: &Profile, edge: f64) -> Mesh {
    revolve(&profile.points(ring_spacing(edge)), edge, false)
}

fn revolve_both_sides(profile: &Profile, edge: f64, wall: f64) -> Mesh {
    revolve(&profile.both_sides(ring_spacing(edge), wall), edge, false)
}

/// From the lip over waist and shoulder to the crown.
fn bell_profile() -> Profile {
    Profile::new()
        .through(&[
            [0.080, 0.000],
            [0.070, 0.015],
            [0.062, 0.032],
            [0.055, 0.055],
            [0.051, 0.080],
            [0.048, 0.102],
            [0.042, 0.118],
            [0.030, 0.129],
        ])
        .through(&[[0.030, 0.129], [0.016, 0.134], [0.0, 0.135]])
}

pub(super) fn bell(edge: f64) -> Mesh {
    revolve_profile(&bell_profile(), edge)
}

pub(super) fn bell_closed(edge: f64) -> Mesh {
    revolve_both_sides(&bell_profile(), edge, BELL)
}

/// A cap of a sphere: width 2w and depth d give the radius (w² + d²)/2d.
pub(super) fn wok(edge: f64) -> Mesh {
    let (w, d) = (0.17_f64, 0.095_f64);
    let radius = (w * w + d * d) / (2.0 * d);
    let rim = (d - radius).atan2(w).to_degrees();
    revolve_profile(&Profile::new().arc([0.0, radius], radius, -90.0, rim), edge)
}

/// Flat in the middle, then an arc that ends nearly upright.
fn bowl_profile() -> Profile {
    Profile::new()
        .line([0.0, 0.0], [0.022, 0.0])
        .arc([0.022, 0.050], 0.050, -90.0, 0.0)
        .line([0.072, 0.050], [0.072, 0.065])
}

pub(super) fn bowl(edge: f64) -> Mesh {
    revolve_profile(&bowl_profile(), edge)
}

pub(super) fn bowl_closed(edge: f64) -> Mesh {
    revolve_both_sides(&bowl_profile(), edge, BOWL)
}

/// From the edge of the foot up the stem, a tube of 4 mm radius, to the rim.
pub(super) fn wine_glass(edge: f64) -> Mesh {
    let profile = Profile::new().through(&[
        [0.036, 0.000],
        [0.022, 0.003],
        [0.010, 0.008],
        [0.0045, 0.018],
        [0.004, 0.035],
        [0.004, 0.055],
        [0.0045, 0.072],
        [0.010, 0.082],
        [0.024, 0.093],
        [0.037, 0.112],
        [0.042, 0.135],
        [0.040, 0.162],
        [0.034, 0.190],
    ]);
    revolve_profile(&profile, edge)
}

/// A floor, and a wall with three beads pressed into it.
pub(super) fn garbage_can(edge: f64) -> Mesh {
    let wall = |z: f64| 0.20 + 0.03 * z / 0.60;
    let bead = |z: f64| {
        let near = |at: f64| (1.0 - ((z - at) / 0.03).powi(2)).max(0.0).powi(2);
        0.008 * (near(0.12) + near(0.30) + near(0.48))
    };
    let points: Vec<[f64; 2]> =
        (0..=120).map(|i| 0.60 * f64::from(i) / 120.0).map(|z| [wall(z) + bead(z), z]).collect();
    revolve_profile(&Profile::new().line([0.0, 0.0], [0.20, 0.0]).through(&points), edge)
}

pub(super) fn cylinder(edge: f64) -> Mesh {
    revolve_profile(&Profile::new().line([0.05, -0.1], [0.05, 0.1]), edge)
}
