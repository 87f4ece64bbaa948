//! Sets of modes: meshes, frequencies and interpolation against direct solves.

use crate::meshes;
use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_measured::check;
use foley_waves::{
    Exterior, Method, ModeVelocity, NormalVelocity, Options, Surface, WavesError, radiate_modes,
    radiate_rigid_body,
};
use std::f64::consts::{PI, TAU};

/// Simply supported modes of a steel plate up to a frequency.
pub(crate) fn plate_modes(
    surface: &Surface,
    points: &[[f64; 3]],
    size: [f64; 2],
    thickness: f64,
    max_hz: f64,
) -> Vec<ModeVelocity> {
    let bending =
        (2.0e11 * thickness * thickness / (12.0 * 7850.0 * (1.0 - 0.29_f64.powi(2)))).sqrt();
    let mut modes = Vec::new();
    for m in 1..200 {
        for n in 1..200 {
            let (kx, ky) = (PI * f64::from(m) / size[0], PI * f64::from(n) / size[1]);
            let frequency_hz = bending * (kx * kx + ky * ky) / TAU;
            if frequency_hz <= max_hz {
                let at = |p: &[f64; 3]| {
                    (kx * (p[0] + 0.5 * size[0])).sin() * (ky * (p[1] + 0.5 * size[1])).sin()
                };
                let shape: Vec<f64> = points.iter().map(at).collect();
                let velocity = NormalVelocity::from_normals(surface, &shape).unwrap();
                modes.push(ModeVelocity { frequency_hz, velocity });
            }
        }
    }
    modes.sort_by(|a, b| a.frequency_hz.total_cmp(&b.frequency_hz));
    modes
}

/// Coarse meshes and interpolation against a solve on the full mesh at the mode's own frequency.
#[test]
fn interpolated_modes_agree_with_direct_solves() {
    let size = [0.2, 0.15];
    let (points, triangles) = meshes::plate(size, [40, 30]);
    let surface = Surface::new(&points, &triangles).unwrap();
    let modes = plate_modes(&surface, &points, size, 1.5e-3, 6000.0);
    let found =
        radiate_modes(&surface, &modes, &mut Options::default().with_budget_s(2.0)).unwrap();
    println!("{}", found.report);
    let mut worst = 0.0_f64;
    for i in (0..modes.len()).step_by(modes.len() / 5) {
        let k = TAU * modes[i].frequency_hz / SOUND_SPEED_M_S;
        let velocity = std::slice::from_ref(&modes[i].velocity);
        let direct = Exterior::new(&surface, k).unwrap().radiate(velocity).unwrap()[0].power_w();
        let db = 10.0 * (found.modes[i].power_w / direct).log10();
        println!("{:.0} Hz: {db:+.2} dB, {:?}", modes[i].frequency_hz, found.modes[i].method);
        worst = worst.max(db.abs());
    }
    check!("radiation.interpolated", worst);
}

/// The net volume velocity of a breathing sphere survives the coarsest mesh.
#[test]
fn breathing_is_kept_by_coarse_meshes() {
    let (points, triangles) = meshes::sphere(0.05, 24);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocity = NormalVelocity::from_normals(&surface, &vec![1.0; points.len()]).unwrap();
    let modes = [ModeVelocity { frequency_hz: 50.0, velocity }];
    let found = radiate_modes(&surface, &modes, &mut Options::default()).unwrap();
    println!("{}", found.report);
    assert!(found.report.solves[0].unknowns < 1500);
    let (a, k) = (0.05, TAU * 50.0 / SOUND_SPEED_M_S);
    let ka = k * a;
    let exact = 2.0 * PI * a * a * foley_geometry::constants::AIR_IMPEDANCE_PA_S_M * ka * ka
        / (1.0 + ka * ka);
    let db = 10.0 * (found.modes[0].power_w / exact).log10();
    check!("radiation.breathing", db.abs());
}

/// Compares the high-frequency approximation, with a small budget, with the solver: mean and root
/// mean square of the difference in dB.
fn high_frequency_error(thickness: f64, max_hz: f64, budgets_s: [f64; 2]) -> [f64; 2] {
    let size = [0.2, 0.24];
    let (points, triangles) = meshes::plate(size, [40, 48]);
    let surface = Surface::new(&points, &triangles).unwrap();
    let modes = plate_modes(&surface, &points, size, thickness, max_hz);
    let [quick, slow] = budgets_s.map(|budget| {
        let mut options = Options::default().with_budget_s(budget);
        let found = radiate_modes(&surface, &modes, &mut options).unwrap();
        println!("{}", found.report);
        found
    });
    assert!(quick.report.high_frequency > 0 && quick.report.solves.len() > 3);
    assert_eq!(quick.report.omnidirectional, 0);
    let mut all = Vec::new();
    for ((mode, a), b) in modes.iter().zip(&quick.modes).zip(&slow.modes) {
        if a.method == Method::HighFrequency && b.method != Method::HighFrequency {
            let db = 10.0 * (a.power_w / b.power_w).log10();
            println!("{:.0} Hz {db:+.2} dB", mode.frequency_hz);
            all.push(db);
        }
    }
    assert!(all.len() > 5);
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / all.len() as f64;
    let rms = mean(&mut all.iter().map(|db| db * db)).sqrt();
    [mean(&mut all.iter().copied()), rms]
}

/// A thick plate, above coincidence at 4 kHz.
#[test]
fn the_high_frequency_limit_above_coincidence() {
    let [mean, rms] = high_frequency_error(3e-3, 9000.0, [0.5, 2.0]);
    println!("mean {mean:+.2} dB, rms {rms:.2} dB");
    assert!(mean.abs() < 0.5, "{mean}");
    check!("radiation.high_above", rms);
}

/// A thin plate, below coincidence at 12 kHz.
#[test]
fn the_high_frequency_limit_below_coincidence() {
    let [mean, rms] = high_frequency_error(1e-3, 6000.0, [0.7, 2.5]);
    println!("mean {mean:+.2} dB, rms {rms:.2} dB");
    assert!(mean.abs() < 1.5, "{mean}");
    check!("radiation.high_below", rms);
}

/// d = W/m, the energy balance of physics, and through σ: d = ρ₀c₀σ/(2ρh) per side of a sheet.
#[test]
fn damping_follows_from_the_power() {
    let size = [0.2, 0.2];
    let (points, triangles) = meshes::plate(size, [24, 24]);
    let surface = Surface::new(&points, &triangles).unwrap();
    let modes = plate_modes(&surface, &points, size, 4e-3, 3000.0);
    let found =
        radiate_modes(&surface, &modes, &mut Options::default().with_budget_s(2.0)).unwrap();
    let (rho, h) = (7850.0, 4e-3);
    for (mode, radiation) in modes.iter().zip(&found.modes) {
        let sigma = radiation.efficiency(&surface, &mode.velocity);
        // ∫ ρh v² dA of the shape is the modal mass.
        let mass = rho * h * 0.5 * surface.square_velocity_m4_s2(&mode.velocity);
        let through_sigma =
            2.0 * foley_geometry::constants::AIR_IMPEDANCE_PA_S_M * sigma / (2.0 * rho * h);
        let error = (radiation.damping_per_s(mass) / through_sigma - 1.0).abs();
        check!("radiation.damping", error);
    }
}

/// A small sphere that is accelerated radiates as the oscillating sphere: |p∞| = ρ₀c₀/(k |h₁′(ka)| ω).
#[test]
fn acceleration_noise_of_a_sphere() {
    let a = 0.02;
    let (points, triangles) = meshes::sphere(a, 10);
    let surface = Surface::new(&points, &triangles).unwrap();
    let frequencies = [200.0, 1000.0, 4000.0];
    let mut options = Options::default();
    let found = radiate_rigid_body(&surface, [0.0; 3], &frequencies, &mut options).unwrap();
    assert_eq!(found.len(), 3);
    for answer in &found {
        let omega = TAU * answer.frequency_hz;
        let x = omega / SOUND_SPEED_M_S * a;
        // |h₁′(x)|² = (x⁴ + 4)/x⁶.
        let slope = (x.powi(4) + 4.0).sqrt() / x.powi(3);
        let k = omega / SOUND_SPEED_M_S;
        let exact = foley_geometry::constants::AIR_IMPEDANCE_PA_S_M / (k * slope * omega);
        let at_pole = answer.far_fields[2].pressure_at([0.0, 0.0, 1.0]).norm();
        let db = 20.0 * (at_pole / exact).log10();
        assert!(db.abs() < 0.2, "{db}");
        // A sphere that turns moves no air.
        assert!(answer.far_fields[5].power_w() < 1e-4 * a * a * answer.far_fields[2].power_w());
    }
}

#[test]
fn a_false_of_the_callback_cancels() {
    let (points, triangles) = meshes::sphere(0.05, 8);
    let surface = Surface::new(&points, &triangles).unwrap();
    let velocity = NormalVelocity::from_normals(&surface, &vec![1.0; points.len()]).unwrap();
    let modes = [ModeVelocity { frequency_hz: 2000.0, velocity }];
    let mut calls = 0_i32;
    let mut last = 0.0;
    let mut count = |done: f64| {
        assert!(done >= last);
        last = done;
        calls += 1;
        true
    };
    radiate_modes(&surface, &modes, &mut Options::default().with_progress(&mut count)).unwrap();
    assert!(last == 1.0 && calls > 5);
    for limit in 0..calls {
        let mut left = limit;
        let mut stop = |_: f64| {
            left -= 1;
            left > 0
        };
        let options = &mut Options::default().with_progress(&mut stop);
        let found = radiate_modes(&surface, &modes, options).err();
        assert!(found == Some(WavesError::Cancelled) || limit + 1 >= calls, "{limit} of {calls}");
    }
}
