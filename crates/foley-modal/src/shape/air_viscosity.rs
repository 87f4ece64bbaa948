//! Viscous damping by the air around a thin round rod or string that moves sideways.
//!
//! Stokes, "On the effect of the internal friction of fluids on the motion of pendulums", *Trans.
//! Cambridge Phil. Soc.* 9 (1851): a cylinder of radius a that oscillates across its axis feels per unit
//! length the force `−π a² ρ₀ ω k′ v`, hence a body of density ρ has the loss factor
//!
//! `η = k′ ρ₀/ρ`, `k′ = Im Γ*`, `Γ = 1 + 4 K₁(z)/(z K₀(z))`, `z = a √(iω/ν₀)`.
//!
//! Stokes gives the first terms for thin boundary layers, `k′ = √2/M + 1/(2M²)`, `M = (a/2) √(ω/ν₀)`
//! (Fletcher & Rossing, *The Physics of Musical Instruments*, §2.12); below M = 0.3 they are too large.

use foley_geometry::constants::{AIR_DENSITY_KG_M3, AIR_KINEMATIC_VISCOSITY_M2_S};
use realfft::num_complex::Complex64;

/// Steps of the integrals of K₀ and K₁; they converge exponentially.
const STEPS: u32 = 60;

/// The loss of a round body as a function of frequency.
#[derive(Debug, Clone, Copy)]
pub(super) struct AirViscosity {
    /// a, m.
    radius_m: f64,
    /// ρ₀/ρ.
    density_ratio: f64,
}

impl AirViscosity {
    /// A body of this diameter in m and density in kg/m³.
    pub(super) fn new(diameter_m: f64, density: f64) -> Self {
        Self { radius_m: 0.5 * diameter_m, density_ratio: AIR_DENSITY_KG_M3 / density }
    }

    /// Returns η at angular frequency ω, rad/s.
    pub(super) fn loss_factor(&self, omega: f64) -> f64 {
        let m = 0.5 * self.radius_m * (omega / AIR_KINEMATIC_VISCOSITY_M2_S).sqrt();
        self.density_ratio * drag(m)
    }
}

/// Returns k′ for M > 0.
fn drag(m: f64) -> f64 {
    let z = Complex64::from_polar(2.0 * m, std::f64::consts::FRAC_PI_4);
    -(4.0 * bessel_ratio(z) / z).im
}

/// Returns K₁(z)/K₀(z), |arg z| < π/2: `K_n = ∫₀^∞ e^{−z cosh t} cosh nt dt` by the trapezoidal rule.
fn bessel_ratio(z: Complex64) -> Complex64 {
    // Beyond this t the integrand is below e^{−40} of its largest value.
    let end = (1.0 + 40.0 / z.re).acosh();
    let mut sums = [Complex64::ZERO; 2];
    for step in 0..=STEPS {
        let t = end * f64::from(step) / f64::from(STEPS);
        let weight = if step == 0 { 0.5 } else { 1.0 };
        let value = weight * (-z * (t.cosh() - 1.0)).exp();
        sums[0] += value;
        sums[1] += value * t.cosh();
    }
    sums[1] / sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_boundary_layers_follow_stokes_expansion() {
        for m in [3.0, 10.0, 100.0, 1e4] {
            let expansion = 2f64.sqrt() / m + 0.5 / (m * m);
            assert!((drag(m) / expansion - 1.0).abs() < 0.03 / m, "{m}: {}", drag(m));
        }
    }

    /// K₀ and K₁ of small arguments: K₀ ≈ −ln(z/2) − γ, K₁ ≈ 1/z.
    #[test]
    fn very_thin_wires_follow_the_logarithm() {
        for m in [1e-3, 1e-4] {
            let z = Complex64::from_polar(2.0 * m, std::f64::consts::FRAC_PI_4);
            let k0 = -(0.5 * z).ln() - 0.577_215_664_901_532_9;
            let expected = -(4.0 / (z * z * k0)).im;
            assert!((drag(m) / expected - 1.0).abs() < 1e-4, "{m}: {} {expected}", drag(m));
        }
    }

    /// Abramowitz & Stegun, table 9.8.
    #[test]
    fn the_integrals_are_bessel_functions() {
        for (x, k0, k1) in [(0.1, 2.427_069, 9.853_845), (1.0, 0.421_024, 0.601_907)] {
            let ratio = bessel_ratio(Complex64::new(x, 0.0));
            assert!((ratio.re / (k1 / k0) - 1.0).abs() < 1e-5 && ratio.im.abs() < 1e-12);
        }
    }

    /// Valette & Cuesta's resistance per length `R = 2π μ₀ + 2π d √(π μ₀ ρ₀ f)`, μ₀ the dynamic viscosity,
    /// makes d = R/2μ: 0.14/s for a steel string of 1 mm at 1 kHz.
    #[test]
    fn a_steel_string_loses_to_the_air_what_the_book_says() {
        use std::f64::consts::{PI, TAU};
        let (d, f, viscosity) = (1e-3f64, 1000.0, AIR_KINEMATIC_VISCOSITY_M2_S * AIR_DENSITY_KG_M3);
        let resistance =
            TAU * viscosity + TAU * d * (PI * viscosity * AIR_DENSITY_KG_M3 * f).sqrt();
        let expected = 0.5 * resistance / (7850.0 * PI / 4.0 * d * d);
        let decay = PI * f * AirViscosity::new(d, 7850.0).loss_factor(TAU * f);
        assert!((decay / expected - 1.0).abs() < 0.02 && (0.13..0.16).contains(&decay), "{decay}");
    }
}
