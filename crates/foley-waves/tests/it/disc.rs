//! A thin rigid disc that oscillates along its axis in free air.
//!
//! At low frequencies the air moves as around a disc in an ideal fluid: its mass is 8ρ₀a³/3
//! (H. Lamb, *Hydrodynamics* (1932)). The disc displaces nothing, so the force on the air is
//! F = −iω (8/3) ρ₀a³ U. A point force F in z has p∞ = −ik F cos θ / 4π, so that it radiates
//! W = 1/(2ρ₀c₀) ∫ |p∞|² dΩ = k²F²/(24π ρ₀c₀), hence
//!
//! `W = 8/(27π) ρ₀c₀ (ka)⁴ a² U²`.

use crate::meshes;
use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_geometry::constants::{AIR_DENSITY_KG_M3, AIR_IMPEDANCE_PA_S_M as RHO_C};
use foley_measured::check;
use foley_waves::{Exterior, ModeVelocity, NormalVelocity, Options, Surface, radiate_modes};
use std::f64::consts::PI;

#[test]
fn low_frequency_power_and_mass() {
    let a = 0.1;
    let (points, triangles) = meshes::disc(a, 16);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocity = NormalVelocity::from_normals(&surface, &vec![1.0; points.len()]).unwrap();
    let velocities = std::slice::from_ref(&velocity);
    for ka in [0.02, 0.1, 0.2] {
        let k = ka / a;
        let exterior = Exterior::new(&surface, k).unwrap();
        let densities = exterior.solve(velocities).unwrap();
        let impedance = exterior.radiation_impedance(&densities, velocities).unwrap()[0][0];
        let power = exterior.radiate(velocities).unwrap()[0].power_w();
        let exact = 8.0 / (27.0 * PI) * RHO_C * ka.powi(4) * a * a;
        let mass = -impedance.im / (k * SOUND_SPEED_M_S);
        let exact_mass = 8.0 / 3.0 * AIR_DENSITY_KG_M3 * a.powi(3);
        let db = 10.0 * (power / exact).log10();
        println!("ka {ka}: {db:+.2} dB, mass {:.4} of the exact one", mass / exact_mass);
        check!("radiation.disc", db.abs());
        check!("radiation.disc_mass", 100.0 * (mass / exact_mass - 1.0).abs());
        check!("radiation.far_field", 100.0 * (0.5 * impedance.re / power - 1.0).abs());
    }
}

/// At high frequencies each side radiates like a piston that is large against the wave: σ = 1.
#[test]
fn high_frequency_efficiency_is_one() {
    let a = 0.1;
    let (points, triangles) = meshes::disc(a, 18);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocity = NormalVelocity::from_normals(&surface, &vec![1.0; points.len()]).unwrap();
    let velocities = std::slice::from_ref(&velocity);
    let field = &Exterior::new(&surface, 15.0 / a).unwrap().radiate(velocities).unwrap()[0];
    let sigma = field.power_w() / (0.5 * RHO_C * surface.square_velocity_m4_s2(&velocity));
    println!("σ at ka 15: {sigma:.3}");
    check!("radiation.piston", (sigma - 1.0).abs());
}

/// The mass of a mode, from the coarse meshes of `radiate_modes`, and that of a disc that turns about a diameter: the moment of
/// inertia of the air is 16ρ₀a⁵/45 (H. Lamb, *Hydrodynamics* (1932)).
#[test]
fn modes_carry_the_air_of_the_disc() {
    let a = 0.1;
    let (points, triangles) = meshes::disc(a, 24);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocity = |speeds: &[f64]| NormalVelocity::from_normals(&surface, speeds).unwrap();
    let moving = ModeVelocity { frequency_hz: 20.0, velocity: velocity(&vec![1.0; points.len()]) };
    let mut options = Options::default().with_budget_s(2.0);
    let found = radiate_modes(&surface, &[moving], &mut options).unwrap();
    let mass = found.modes[0].air_mass_kg.unwrap() / (8.0 / 3.0 * AIR_DENSITY_KG_M3 * a.powi(3));

    let turning = [velocity(&points.iter().map(|p| p[0]).collect::<Vec<f64>>())];
    let k = 0.05 / a;
    let exterior = Exterior::new(&surface, k).unwrap();
    let densities = exterior.solve(&turning).unwrap();
    let impedance = exterior.radiation_impedance(&densities, &turning).unwrap()[0][0];
    let inertia = -impedance.im / (k * SOUND_SPEED_M_S);
    let inertia = inertia / (16.0 / 45.0 * AIR_DENSITY_KG_M3 * a.powi(5));
    println!("mass {mass:.4}, moment of inertia {inertia:.4} of the exact ones");
    check!("radiation.added_mass_disc", 100.0 * (mass - 1.0).abs().max((inertia - 1.0).abs()));
}

/// Closed bodies have no air mass: their pressure would need a second matrix.
#[test]
fn closed_bodies_have_no_air_mass() {
    let (points, triangles) = meshes::sphere(0.05, 8);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocity = NormalVelocity::from_normals(&surface, &vec![1.0; points.len()]).unwrap();
    let modes = [ModeVelocity { frequency_hz: 500.0, velocity }];
    let found = radiate_modes(&surface, &modes, &mut Options::default()).unwrap();
    assert_eq!(found.modes[0].air_mass_kg, None);
}
