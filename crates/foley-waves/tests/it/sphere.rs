//! Spheres whose surface pulsates or oscillates, exactly.
//!
//! With v = V Y_l on a sphere of radius a, p∞ = iρ₀c₀ V (−i)^{l+1} / (k h_l′(ka)) Y_l (e.g.
//! E. G. Williams, *Fourier Acoustics* (1999), §6.7), h_l the spherical Hankel function.

use crate::meshes;
use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M as RHO_C;
use foley_measured::check;
use foley_waves::{Complex64, Exterior, NormalVelocity, Surface};
use std::f64::consts::{PI, TAU};

/// h_l′(x) for l = 0, 1, 2.
fn hankel_slope(l: usize, x: f64) -> Complex64 {
    let e = Complex64::cis(x);
    let i = Complex64::I;
    let h0 = -i * e / x;
    let h1 = -e * (x + i) / (x * x);
    let h2 = 3.0 / x * h1 - h0;
    match l {
        0 => -h1,
        1 => h0 - 2.0 / x * h1,
        _ => h1 - 3.0 / x * h2,
    }
}

/// Returns the largest error in dB of power and of the far field in three directions.
fn errors(ka: f64, n: usize) -> [f64; 2] {
    let (a, k) = (0.1, ka / 0.1);
    let (points, triangles) = meshes::sphere(a, n);
    let surface = Surface::new(&points, &triangles).unwrap();
    assert!(surface.is_closed());
    let shapes: [fn([f64; 3]) -> f64; 3] = [|_| 1.0, |d| d[2], |d| 1.5 * d[2] * d[2] - 0.5];
    let unit = |p: &[f64; 3]| p.map(|x| x / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt());
    let velocities = shapes.map(|shape| {
        let speeds: Vec<f64> = points.iter().map(|p| shape(unit(p))).collect();
        NormalVelocity::from_normals(&surface, &speeds).unwrap()
    });
    let exterior = Exterior::new(&surface, k).unwrap();
    let fields = exterior.radiate(&velocities).unwrap();
    let mut worst = [0.0_f64; 2];
    for (l, (field, shape)) in fields.iter().zip(shapes).enumerate() {
        let scale =
            Complex64::I * RHO_C * (-Complex64::I).powi(l as i32 + 1) / (k * hankel_slope(l, ka));
        // The mean square of P_l over the sphere is 1/(2l + 1).
        let power = 2.0 * PI * scale.norm_sqr() / (RHO_C * (2 * l + 1) as f64);
        let db = 10.0 * (field.power_w() / power).log10();
        worst[0] = worst[0].max(db.abs());
        for direction in [[0.0, 0.0, 1.0], [0.48, 0.6, 0.64], [0.8, 0.0, -0.6]] {
            let exact = scale * shape(direction);
            let found = field.pressure_at(direction);
            // Of the complex difference, so that the phase counts too.
            let db = 20.0 * (1.0 + (found - exact).norm() / scale.norm()).log10();
            worst[1] = worst[1].max(db);
        }
    }
    println!("ka {ka:.4} n {n} unknowns {}: {worst:.3?} dB", exterior.unknowns());
    worst
}

fn check_errors(ka: f64, n: usize) {
    let [power, pressure] = errors(ka, n);
    check!("radiation.sphere", power);
    check!("radiation.sphere_pressure", pressure);
}

#[test]
fn power_and_pressure_up_to_ka_10() {
    for (ka, n) in [(0.05, 8), (0.5, 8), (1.0, 8), (3.0, 8), (6.0, 12), (10.0, 14)] {
        check_errors(ka, n);
    }
}

/// Interior resonances: zeros of j_l (Dirichlet) and j_l′ (Neumann), where a double or single
/// layer alone has no solution.
#[test]
fn interior_resonances_do_not_show() {
    for ka in [2.081_58, PI, 4.493_41, 5.763_46, 5.940_37, TAU, 7.725_25] {
        check_errors(ka, 10);
    }
}

/// An oscillating sphere is a dipole at every frequency: mean-square pressure 3 cos² of its mean.
#[test]
fn an_oscillating_sphere_radiates_as_the_square_of_the_cosine() {
    let (a, mut worst) = (0.1, 0.0_f64);
    let (points, triangles) = meshes::sphere(a, 8);
    let surface = Surface::new(&points, &triangles).unwrap();
    let [_, _, along_z, ..] = NormalVelocity::rigid_body(&surface, [0.0; 3]);
    for ka in [0.1, 0.5, 1.0, 3.0] {
        let exterior = Exterior::new(&surface, ka / a).unwrap();
        let fields = exterior.radiate(std::slice::from_ref(&along_z)).unwrap();
        for i in 0..200 {
            let z = f64::from(i) / 100.0 - 0.995;
            let phi = 2.4 * f64::from(i);
            let s = (1.0 - z * z).sqrt();
            let (found, exact) =
                (fields[0].directivity.at([s * phi.cos(), s * phi.sin(), z]), 3.0 * z * z);
            if exact > 0.01 {
                worst = worst.max((10.0 * (found / exact).log10()).abs());
            }
        }
    }
    check!("directivity.dipole", worst);
}
