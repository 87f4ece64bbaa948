//! Thermoelastic loss of bending (Zener, "Internal friction in solids", *Phys. Rev.* 52, 1937, and
//! 53, 1938): the compressed side of a bent wall warms, the stretched side cools, and heat that
//! flows across the wall is lost to the vibration.
//!
//! `η = Δ ωτ/(1 + ω²τ²)`, `Δ = E α² T/(ρ c_p)`,
//!
//! | section | τ | factor |
//! |---|---|---|
//! | bar of thickness h | ρ c_p h²/(π² κ) | 1 |
//! | rod of diameter d | ρ c_p d²/(4 q² κ), q = 1.8412 the first zero of J₁′ | 1 |
//! | plate of thickness h | ρ c_p h²/(π² κ) | (1 + ν)/(1 − ν) × share |
//!
//! The share of a plate or shell is that of its energy that changes the volume of the two sides,
//! `D ∫(κ_x + κ_y)² dA` against the elastic energy (Norris & Photiadis, "Thermoelastic relaxation in
//! elastic structures, with applications to thin plates", *Q. J. Mech. Appl. Math.* 58, 2005): 1 for
//! a flat plate with straight held edges, near 0 for twisting and for stretching.
//!
//! For bars and plates the whole series of thermal modes, of which Zener keeps the first, has the sum
//! (Lifshitz & Roukes, "Thermoelastic damping in micro- and nanomechanical systems", *Phys. Rev. B* 61,
//! 2000, eq. 40)
//!
//! `η/Δ = 6/ξ² − 6/ξ³ (sinh ξ + sin ξ)/(cosh ξ + cos ξ)`, `ξ = h √(ω ρ c_p/2κ) = π √(ωτ/2)`:
//!
//! the same within 2 % around the peak, 22 % more far above it, where sheets of some tenths of a
//! millimetre and more are in the audible range.

use super::Material;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};

/// Room temperature T, K.
const TEMPERATURE_K: f64 = 293.15;
/// Square of the first zero of J₁′.
const ROD_Q2: f64 = 1.841_183_781_340_659 * 1.841_183_781_340_659;
/// Below this ξ the closed form loses digits, and the first term is within 1.4 % of the series.
const LEAST_XI: f64 = 0.1;
/// Above this ξ the hyperbolic quotient is 1 to all digits.
const MOST_XI: f64 = 40.0;

/// Thermal constants of a material at room temperature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Thermal {
    /// α, coefficient of linear thermal expansion, 1/K.
    pub expansion_per_k: f64,
    /// c_p, specific heat, J/(kg K).
    pub specific_heat_j_kg_k: f64,
    /// κ, thermal conductivity, W/(m K).
    pub conductivity_w_m_k: f64,
}

/// The section of a body that bends; metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bending {
    /// A bar of this thickness, free to contract across.
    Bar {
        /// h.
        thickness_m: f64,
    },
    /// A round rod.
    Rod {
        /// d.
        diameter_m: f64,
    },
    /// A plate or shell.
    Plate {
        /// h.
        thickness_m: f64,
    },
}

/// The thermoelastic loss of one material and section as a function of frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThermoelasticLoss {
    /// Δ, with the factor of plates.
    strength: f64,
    /// τ, s.
    relaxation_s: f64,
    series: bool,
}

impl ThermoelasticLoss {
    /// Returns the loss; `None` for a material without thermal constants.
    pub fn new(material: &Material, bending: Bending) -> Option<Self> {
        let Material { density, young_pa, poisson, thermal, .. } = *material;
        thermal.map(|thermal| Self::of([density, young_pa, poisson], thermal, bending))
    }

    /// Returns the loss of a material with these ρ, E and ν.
    pub(crate) fn of(
        [density, young_pa, nu]: [f64; 3],
        thermal: Thermal,
        bending: Bending,
    ) -> Self {
        let Thermal { expansion_per_k, specific_heat_j_kg_k, conductivity_w_m_k } = thermal;
        let heat = density * specific_heat_j_kg_k;
        let strength = young_pa * expansion_per_k.powi(2) * TEMPERATURE_K / heat;
        let (factor, length2, series) = match bending {
            Bending::Bar { thickness_m: h } => (1.0, h * h / (PI * PI), true),
            Bending::Rod { diameter_m: d } => (1.0, d * d / (4.0 * ROD_Q2), false),
            Bending::Plate { thickness_m: h } => ((1.0 + nu) / (1.0 - nu), h * h / (PI * PI), true),
        };
        let relaxation_s = heat * length2 / conductivity_w_m_k;
        Self { strength: factor * strength, relaxation_s, series }
    }

    /// Returns η at angular frequency ω, rad/s; for plates, to be multiplied by the share.
    pub fn loss_factor(&self, omega: f64) -> f64 {
        let x = omega * self.relaxation_s;
        let xi = PI * (0.5 * x).sqrt();
        if !self.series || xi < LEAST_XI {
            return self.strength * x / (1.0 + x * x);
        }
        let ratio = match xi < MOST_XI {
            true => (xi.sinh() + xi.sin()) / (xi.cosh() + xi.cos()),
            false => 1.0,
        };
        self.strength * 6.0 / (xi * xi) * (1.0 - ratio / xi)
    }
}

impl Material {
    /// Returns the loss factor that heat flow across a bent wall adds to that of the material; 0
    /// without thermal constants. `share` is the part of the mode's energy in such bending: 1 for
    /// bars, rods and flat plates with held edges.
    ///
    /// ```
    /// use foley_modal::{Material, material::Bending};
    /// let sheet = Bending::Plate { thickness_m: 1e-3 };
    /// let aluminium = Material::named("aluminium")?.thermoelastic_loss(sheet, 1000.0, 1.0);
    /// // More than ten times the loss of the bulk.
    /// assert!((1e-3..3e-3).contains(&aluminium));
    /// assert_eq!(Material::named("hardwood")?.thermoelastic_loss(sheet, 1000.0, 1.0), 0.0);
    /// # Ok::<(), foley_modal::MaterialError>(())
    /// ```
    pub fn thermoelastic_loss(&self, bending: Bending, frequency_hz: f64, share: f64) -> f64 {
        let loss = ThermoelasticLoss::new(self, bending);
        loss.map_or(0.0, |loss| share * loss.loss_factor(TAU * frequency_hz))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAR: Bending = Bending::Bar { thickness_m: 1e-3 };

    fn aluminium() -> &'static Material {
        Material::named("aluminium").unwrap()
    }

    /// Zener's own series: weights 96/(π n)⁴, relaxation times τ/n², n odd.
    fn series(strength: f64, x: f64) -> f64 {
        let term = |n: u32| {
            let n2 = f64::from(n * n);
            let x = x / n2;
            96.0 / (PI.powi(4) * n2 * n2) * x / (1.0 + x * x)
        };
        strength * (0..20_000).map(|i| term(2 * i + 1)).sum::<f64>()
    }

    #[test]
    fn the_closed_form_is_zeners_series() {
        let loss = ThermoelasticLoss::new(aluminium(), BAR).unwrap();
        for x in [0.01, 0.1, 0.5, 1.0, 3.0, 20.0, 500.0, 1e5] {
            let (found, sum) = (loss.loss_factor(x / loss.relaxation_s), series(loss.strength, x));
            assert!((found / sum - 1.0).abs() < 2e-4, "{x}: {found} {sum}");
        }
        // Below, the first term alone.
        let (found, sum) =
            (loss.loss_factor(1e-4 / loss.relaxation_s), series(loss.strength, 1e-4));
        assert!((found / sum - 1.0).abs() < 0.015);
    }

    /// Zener: the peak is Δ/2 at ωτ = 1, for aluminium about 2.3e-3; a sheet of 1 mm has it near
    /// 160 Hz.
    #[test]
    fn the_peak_is_where_zener_puts_it() {
        let loss = ThermoelasticLoss::new(aluminium(), BAR).unwrap();
        let peak_hz = 1.0 / (TAU * loss.relaxation_s);
        assert!((130.0..180.0).contains(&peak_hz), "{peak_hz}");
        let peak = loss.loss_factor(TAU * peak_hz);
        assert!((peak / (0.494 * loss.strength) - 1.0).abs() < 0.01, "{peak}");
        assert!((2.0e-3..2.6e-3).contains(&peak), "{peak}");
        for factor in [0.3, 3.0] {
            assert!(loss.loss_factor(TAU * peak_hz * factor) < peak);
        }
    }

    #[test]
    fn twice_the_thickness_has_its_peak_at_a_quarter_of_the_frequency() {
        let at = |thickness_m, omega| {
            let bar = Bending::Bar { thickness_m };
            ThermoelasticLoss::new(aluminium(), bar).unwrap().loss_factor(omega)
        };
        for omega in [10.0, 1e3, 1e5] {
            assert!((at(1e-3, omega) / at(2e-3, omega / 4.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn plates_lose_more_than_bars_and_rods_less_than_bars_as_thick() {
        let loss = |bending| ThermoelasticLoss::new(aluminium(), bending).unwrap();
        let (bar, plate) = (loss(BAR), loss(Bending::Plate { thickness_m: 1e-3 }));
        let nu = aluminium().poisson;
        let ratio = plate.loss_factor(5e3) / bar.loss_factor(5e3);
        assert!((ratio / ((1.0 + nu) / (1.0 - nu)) - 1.0).abs() < 1e-12);
        let rod = loss(Bending::Rod { diameter_m: 1e-3 });
        assert!((rod.relaxation_s / bar.relaxation_s - PI * PI / 13.56).abs() < 1e-3);
    }

    #[test]
    fn extremes_stay_finite() {
        let loss = ThermoelasticLoss::new(aluminium(), BAR).unwrap();
        for omega in [0.0, 1e-300, 1e-3, 1e12, 1e300] {
            let found = loss.loss_factor(omega);
            assert!(found >= 0.0 && found <= loss.strength, "{omega}: {found}");
        }
    }
}
