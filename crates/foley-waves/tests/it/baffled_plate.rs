//! Simply supported plates in a baffle, against Wallace's integral.
//!
//! C. E. Wallace, *Radiation resistance of a rectangular panel*, J. Acoust. Soc. Am. 51 (1972),
//! eq. 11: with α = ka sin θ cos φ and β = kb sin θ sin φ,
//!
//! `σ = 64 k²ab/(π⁶m²n²) ∫∫ { cs(α/2) cs(β/2) / [((α/mπ)² − 1)((β/nπ)² − 1)] }² sin θ dθ dφ`
//!
//! over 0 … π/2; cs is the cosine for odd and the sine for even numbers of half-waves.

use crate::meshes;
use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M as RHO_C;
use foley_measured::check;
use foley_waves::{Exterior, Kind, NormalVelocity, Surface};
use std::f64::consts::PI;

const SIZE: [f64; 2] = [0.4, 0.3];

/// cs(α/2)/((α/mπ)² − 1), finite at α = mπ.
fn factor(alpha: f64, m: f64) -> f64 {
    let x = alpha / (m * PI);
    let sine = if m as i32 % 2 == 1 { (0.5 * alpha).cos() } else { (0.5 * alpha).sin() };
    match (x - 1.0).abs() < 1e-6 {
        true => 0.25 * m * PI,
        false => sine / (x * x - 1.0),
    }
}

/// Wallace's integral by the midpoint rule.
fn wallace(k: f64, m: f64, n: f64) -> f64 {
    let [a, b] = SIZE;
    let steps = 400;
    let h = 0.5 * PI / steps as f64;
    let mut sum = 0.0;
    for i in 0..steps {
        let theta = (i as f64 + 0.5) * h;
        for j in 0..steps {
            let phi = (j as f64 + 0.5) * h;
            let alpha = k * a * theta.sin() * phi.cos();
            let beta = k * b * theta.sin() * phi.sin();
            sum += (factor(alpha, m) * factor(beta, n)).powi(2) * theta.sin();
        }
    }
    64.0 * k * k * a * b / (PI.powi(6) * m * m * n * n) * sum * h * h
}

#[test]
fn efficiencies_below_at_and_above_coincidence() {
    let [a, b] = SIZE;
    let (points, triangles) = meshes::plate(SIZE, [64, 48]);
    let surface = Surface::of_kind(Kind::Baffled, &points, &triangles).unwrap();
    for (m, n) in [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (3.0, 5.0), (6.0, 4.0)] {
        let shape: Vec<f64> = points
            .iter()
            .map(|p| (m * PI * (p[0] / a + 0.5)).sin() * (n * PI * (p[1] / b + 0.5)).sin())
            .collect();
        let velocity = NormalVelocity::from_normals(&surface, &shape).unwrap();
        let bending = PI * f64::hypot(m / a, n / b);
        for ratio in [0.1, 0.3, 0.7, 0.95, 1.0, 1.1, 1.5, 2.5] {
            let k = ratio * bending;
            let exterior = Exterior::new(&surface, k).unwrap();
            assert_eq!(exterior.unknowns(), 0);
            let field = &exterior.radiate(std::slice::from_ref(&velocity)).unwrap()[0];
            // The mean square over plate and time is 1/8.
            let found = field.power_w() / (RHO_C * a * b / 8.0);
            let exact = wallace(k, m, n);
            let db = 10.0 * (found / exact).log10();
            println!(
                "mode {m} {n}, k/k_b {ratio}: σ {found:.3e}, Wallace {exact:.3e}, {db:+.2} dB"
            );
            check!("radiation.wallace", db.abs());
        }
    }
}
